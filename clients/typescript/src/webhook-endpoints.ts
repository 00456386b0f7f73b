import type { Api } from "./api.ts";
import { everyRow, MAX_ROWS } from "./every-row.ts";
import type { BodyOf, CallOptions, QueryOf } from "./operation.ts";

const LIST = "GET /v1/webhooks/endpoints";
/** The time limit of a call that makes 100,000 deliveries due. */
const MANY_MS = 120_000;

/** The receivers of events. */
export class WebhookEndpoints {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Registers a receiver. Only this answer has its `secret`: keep it. */
  create(body: BodyOf<"POST /v1/webhooks/endpoints">, options?: CallOptions) {
    return this.#api.call("POST /v1/webhooks/endpoints", { body }, options);
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
    return this.#api.call("GET /v1/webhooks/endpoints/{id}", { path: { id } }, options);
  }

  /** Changes the given fields; the secret stays. */
  update(id: string, body: BodyOf<"PATCH /v1/webhooks/endpoints/{id}">, options?: CallOptions) {
    return this.#api.call("PATCH /v1/webhooks/endpoints/{id}", { path: { id }, body }, options);
  }

  delete(id: string, options?: CallOptions) {
    return this.#api.call("DELETE /v1/webhooks/endpoints/{id}", { path: { id } }, options);
  }

  /** A new secret, shown once; for `overlapSeconds`, a day by default, the old one signs too. */
  rotateSecret(
    id: string,
    body: BodyOf<"POST /v1/webhooks/endpoints/{id}/rotate-secret"> = {},
    options?: CallOptions,
  ) {
    return this.#api.call("POST /v1/webhooks/endpoints/{id}/rotate-secret", { path: { id }, body }, options);
  }

  /** The health of its receiver: last success, failures and waiting deliveries. */
  health(id: string, options?: CallOptions) {
    return this.#api.call("GET /v1/webhooks/endpoints/{id}/health", { path: { id } }, options);
  }

  /** Sends the endpoint the events of a range that it did not accept, also those from before its creation. */
  recover(id: string, body: BodyOf<"POST /v1/webhooks/endpoints/{id}/recover">, options?: CallOptions) {
    return this.#api.call(
      "POST /v1/webhooks/endpoints/{id}/recover",
      { path: { id }, body },
      { timeoutMs: MANY_MS, ...options },
    );
  }

  /** Sends a signed `webhook.test` and waits for the receiver's answer. */
  test(id: string, options?: CallOptions) {
    return this.#api.call("POST /v1/webhooks/endpoints/{id}/test", { path: { id } }, options);
  }
}
