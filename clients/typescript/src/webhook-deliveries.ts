import type { Api } from "./api.ts";
import { everyRow, MAX_ROWS } from "./every-row.ts";
import type { BodyOf, CallOptions, QueryOf } from "./operation.ts";

const LIST = "GET /v1/webhooks/deliveries";
/** The time limit of a call that makes 100,000 deliveries due. */
const MANY_MS = 120_000;

/** The deliveries of events to endpoints, with their attempts. */
export class WebhookDeliveries {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** One page, newest first; `attempts` is a number. */
  list(query: QueryOf<typeof LIST> = {}, options?: CallOptions) {
    return this.#api.page(LIST, { query }, options);
  }

  /** Every row, newest first, page by page: `for await (const row of …all())`. */
  all(query: Omit<QueryOf<typeof LIST>, "page"> = {}, options?: CallOptions) {
    return everyRow((after) => this.list({ limit: MAX_ROWS, ...query, ...after }, options));
  }

  /** One delivery; `attempts` is the list of attempts. */
  retrieve(id: string, options?: CallOptions) {
    return this.#api.call("GET /v1/webhooks/deliveries/{id}", { path: { id } }, options);
  }

  /** Sends the deliveries that match once more; by default those that were not delivered in 30 days. */
  resendMany(body: BodyOf<"POST /v1/webhooks/deliveries/resend"> = {}, options?: CallOptions) {
    return this.#api.call(
      "POST /v1/webhooks/deliveries/resend",
      { body },
      { timeoutMs: MANY_MS, ...options },
    );
  }

  /** Sends the same bytes to the same endpoint once more. */
  resend(id: string, options?: CallOptions) {
    return this.#api.call("POST /v1/webhooks/deliveries/{id}/resend", { path: { id } }, options);
  }
}
