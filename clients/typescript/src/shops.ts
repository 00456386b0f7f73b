import type { Api } from "./api.ts";
import type { BodyOf, CallOptions } from "./operation.ts";

const CONNECT = "POST /v1/shop-connections";

/** A shop gets its key and its webhook endpoint by a code of the dashboard. */
export class Shops {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Uses the code up. It needs no key. Store the answer before all else: no other one has its key and secret. */
  connect(body: BodyOf<typeof CONNECT>, options?: CallOptions) {
    return this.#api.call(CONNECT, { body }, options);
  }
}
