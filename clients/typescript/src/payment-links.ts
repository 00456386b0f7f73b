import type { Api } from "./api.ts";
import { everyRow, MAX_ROWS } from "./every-row.ts";
import type { BodyOf, CallOptions, QueryOf } from "./operation.ts";

const LIST = "GET /v1/payment-links";

/** Links that sell without a website. */
export class PaymentLinks {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Makes a link, whose page at `url` takes orders at once. */
  create(body: BodyOf<"POST /v1/payment-links">, options?: CallOptions) {
    return this.#api.call("POST /v1/payment-links", { body }, options);
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
    return this.#api.call("GET /v1/payment-links/{id}", { path: { id } }, options);
  }

  /** Makes the order of a click on the page of a link. It needs no key: the link's token is the credential. */
  order(token: string, body: BodyOf<"POST /v1/links/{token}/orders"> = {}, options?: CallOptions) {
    return this.#api.call("POST /v1/links/{token}/orders", { path: { token }, body }, options);
  }

  /** Changes or pauses a link. Orders that exist stay as they are. */
  update(id: string, body: BodyOf<"PATCH /v1/payment-links/{id}">, options?: CallOptions) {
    return this.#api.call("PATCH /v1/payment-links/{id}", { path: { id }, body }, options);
  }
}
