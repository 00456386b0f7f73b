import type { Api } from "./api.ts";
import { everyRow, MAX_ROWS } from "./every-row.ts";
import type { CallOptions, QueryOf } from "./operation.ts";

const LIST = "GET /v1/deposits";

/** Payments on the chain. */
export class Deposits {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** One page, newest first. */
  list(query: QueryOf<typeof LIST> = {}, options?: CallOptions) {
    return this.#api.page(LIST, { query }, options);
  }

  /** Every row, newest first, page by page: `for await (const row of …all())`. */
  all(query: Omit<QueryOf<typeof LIST>, "page"> = {}, options?: CallOptions) {
    return everyRow((after) => this.list({ limit: MAX_ROWS, ...query, ...after }, options));
  }

  /**
   * Every deposit of the merchant in a transaction, with its state; an empty page if there is none. `txHash` is its id, or an explorer's
   * link with it.
   */
  lookup(transaction: string | { readonly txHash: string }, options?: CallOptions) {
    const txHash = typeof transaction === "string" ? transaction : transaction.txHash;
    return this.#api.page("GET /v1/lookup", { query: { txHash, limit: MAX_ROWS } }, options);
  }

  retrieve(id: string, options?: CallOptions) {
    return this.#api.call("GET /v1/deposits/{id}", { path: { id } }, options);
  }
}
