import type { Api } from "./api.ts";
import type { BodyOf, CallOptions } from "./operation.ts";

/** What a payer may know of a charge; its token is the key, and no other is sent. */
export class Checkouts {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  retrieve(token: string, options?: CallOptions) {
    return this.#api.call("GET /v1/checkout/{token}", { path: { token } }, options);
  }

  /** What became of a transaction that a payer says paid this checkout: its id, or an explorer's link that holds it. */
  lookup(token: string, body: BodyOf<"POST /v1/checkout/{token}/lookup">, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/lookup", { path: { token }, body }, options);
  }

  /** Has a devnet's own chain pay this checkout. Of no other network: NOT_FOUND. */
  simulate(token: string, body: BodyOf<"POST /v1/checkout/{token}/simulate">, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/simulate", { path: { token }, body }, options);
  }

  /** Locks a fresh quote where the last one has lapsed; before that it answers the one that holds. */
  requote(token: string, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/requote", { path: { token } }, options);
  }
}
