import type { Api } from "./api.ts";
import type { CallOptions } from "./operation.ts";

/** The merchant of the key. */
export class Accounts {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The merchant, environment and network of the key, and its scopes. Any key may call it. */
  retrieve(options?: CallOptions) {
    return this.#api.call("GET /v1/account", {}, options);
  }
}
