import type { Api } from "./api.ts";
import type { CallOptions } from "./operation.ts";

/** The currencies of prices, the values of `pricingCurrency`. */
export class Currencies {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All of them, with their decimals, and whether one can be priced now. It needs no key. */
  list(options?: CallOptions) {
    return this.#api.call("GET /v1/currencies", {}, options);
  }
}
