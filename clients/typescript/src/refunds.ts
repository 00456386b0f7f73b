import type { Api } from "./api.ts";
import { everyRow, MAX_ROWS } from "./every-row.ts";
import type { BodyOf, CallOptions, QueryOf } from "./operation.ts";

const LIST = "GET /v1/refunds";
const ASK = "POST /v1/deposit-addresses/{id}/refunds";

const SIMULATE = "POST /v1/test/refunds/{id}/simulate";

/** Money that goes back to payers. People confirm and pay it in the dashboard: no key can. */
export class Refunds {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Promises money of this deposit address back: what came too much, else all that is left, or the amount of the body. Send the row's
   * `claim_url` to the payer, who names an address there. The same `refundRef` answers the same refund: give one, and a repeated call makes no second.
   */
  create(depositAddressId: string, body: BodyOf<typeof ASK> = {}, options?: CallOptions) {
    return this.#api.call(ASK, { path: { id: depositAddressId }, body }, options);
  }

  /** One page, newest first. `claim_url` is null in it. */
  list(query: QueryOf<typeof LIST> = {}, options?: CallOptions) {
    return this.#api.page(LIST, { query }, options);
  }

  /** Every row, newest first, page by page: `for await (const row of …all())`. */
  all(query: Omit<QueryOf<typeof LIST>, "page"> = {}, options?: CallOptions) {
    return everyRow((after) => this.list({ limit: MAX_ROWS, ...query, ...after }, options));
  }

  retrieve(id: string, options?: CallOptions) {
    return this.#api.call("GET /v1/refunds/{id}", { path: { id } }, options);
  }

  /** Cancels a refund that is not on the chain. A transfer that fits within 30 days completes it all the same. */
  cancel(id: string, options?: CallOptions) {
    return this.#api.call("POST /v1/refunds/{id}/cancel", { path: { id } }, options);
  }

  /** Plays the payer of a refund, or its payment, on a devnet. NOT_FOUND on any other network. */
  simulate(id: string, body: BodyOf<typeof SIMULATE>, options?: CallOptions) {
    return this.#api.call(SIMULATE, { path: { id }, body }, options);
  }

  /** Asks the payer for an address again: the answer has a new `claim_url`, and the old one is dead. */
  askAgain(id: string, body: BodyOf<"POST /v1/refunds/{id}/ask-again"> = {}, options?: CallOptions) {
    return this.#api.call("POST /v1/refunds/{id}/ask-again", { path: { id }, body }, options);
  }
}
