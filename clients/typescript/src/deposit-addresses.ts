import type { Api } from "./api.ts";
import type { Downloads } from "./contract.ts";
import { everyRow, MAX_ROWS } from "./every-row.ts";
import type { BodyOf, CallOptions, DownloadedFile, QueryOf } from "./operation.ts";

const LIST = "GET /v1/deposit-addresses";
const RECEIPT = "GET /v1/deposit-addresses/{id}/receipt";

/** Orders, open addresses and receive addresses. */
export class DepositAddresses {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Makes an order (`amount`) or an open address (without), or finds or makes a receive address (`reusable:
   * true`). Use `createOrderOnce` for an order that must not be made twice.
   */
  create(body: BodyOf<"POST /v1/deposit-addresses"> = {}, options?: CallOptions) {
    return this.#api.call("POST /v1/deposit-addresses", { body }, options);
  }

  /** One page, newest first. */
  list(query: QueryOf<typeof LIST> = {}, options?: CallOptions) {
    return this.#api.page(LIST, { query }, options);
  }

  /** Every row, newest first, page by page: `for await (const row of …all())`. */
  all(query: Omit<QueryOf<typeof LIST>, "page"> = {}, options?: CallOptions) {
    return everyRow((after) => this.list({ limit: MAX_ROWS, ...query, ...after }, options));
  }

  retrieve(id: string, options?: CallOptions) {
    return this.#api.call("GET /v1/deposit-addresses/{id}", { path: { id } }, options);
  }

  /** The price and the payments as a PDF in a language. NOTHING_RECEIVED until money is confirmed. */
  receipt(
    id: string,
    query: Downloads[typeof RECEIPT]["query"] = {},
    options?: CallOptions,
  ): Promise<DownloadedFile> {
    return this.#api.download(RECEIPT, { path: { id }, query }, options);
  }

  /** Accepts the received money as the full price: the order counts as paid, and `order.accepted` is sent. */
  accept(id: string, body: BodyOf<"POST /v1/deposit-addresses/{id}/accept"> = {}, options?: CallOptions) {
    return this.#api.call("POST /v1/deposit-addresses/{id}/accept", { path: { id }, body }, options);
  }

  /**
   * Makes an order of what is missing of this one, or returns the open one. Send the customer to its
   * `checkout_url`. When it is paid, this order is accepted.
   */
  askForRest(id: string, options?: CallOptions) {
    return this.#api.call("POST /v1/deposit-addresses/{id}/rest", { path: { id } }, options);
  }

  /** Extends the time to pay by this number of seconds. */
  extend(id: string, body: BodyOf<"POST /v1/deposit-addresses/{id}/extend">, options?: CallOptions) {
    return this.#api.call("POST /v1/deposit-addresses/{id}/extend", { path: { id }, body }, options);
  }

  /** Closes an unwanted charge. Later payments to it are still recorded and announced. */
  archive(id: string, options?: CallOptions) {
    return this.#api.call("POST /v1/deposit-addresses/{id}/archive", { path: { id } }, options);
  }

  /** Makes a devnet's own chain pay by a test case. NOT_FOUND on any other network. */
  simulate(id: string, body: BodyOf<"POST /v1/test/deposit-addresses/{id}/simulate">, options?: CallOptions) {
    return this.#api.call("POST /v1/test/deposit-addresses/{id}/simulate", { path: { id }, body }, options);
  }
}
