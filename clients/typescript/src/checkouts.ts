import type { Api } from "./api.ts";
import type { BodyOf, CallOptions } from "./operation.ts";

/** The payer's view of a charge; its token is the only credential. */
export class Checkouts {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  retrieve(token: string, options?: CallOptions) {
    return this.#api.call("GET /v1/checkout/{token}", { path: { token } }, options);
  }

  /** The result of a payer's transaction for this checkout: its id, or an explorer's link with it. */
  lookup(token: string, body: BodyOf<"POST /v1/checkout/{token}/lookup">, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/lookup", { path: { token }, body }, options);
  }

  /** Makes a devnet's own chain pay this checkout. NOT_FOUND on any other network. */
  simulate(token: string, body: BodyOf<"POST /v1/checkout/{token}/simulate">, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/simulate", { path: { token }, body }, options);
  }

  /** Locks a fresh quote if the last one has lapsed; before that it returns the current one. */
  requote(token: string, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/requote", { path: { token } }, options);
  }
}
