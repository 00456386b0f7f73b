import type { Api } from "./api.ts";
import type { CallOptions } from "./operation.ts";

/** What a payer may know of a charge; its token is the key, and no other is sent. */
export class Checkouts {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  retrieve(token: string, options?: CallOptions) {
    return this.#api.call("GET /v1/checkout/{token}", { path: { token } }, options);
  }

  /** Locks a fresh quote where the last one has lapsed; before that it answers the one that holds. */
  requote(token: string, options?: CallOptions) {
    return this.#api.call("POST /v1/checkout/{token}/requote", { path: { token } }, options);
  }
}
