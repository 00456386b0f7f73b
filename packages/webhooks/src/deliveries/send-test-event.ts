import { ApiError } from "@daric/domain/errors";
import { type EndpointId, idOf, type MerchantId } from "@daric/domain/ids";
import type { WebhookError } from "@daric/domain/webhook-delivery";
import { webhookEventBody } from "@daric/domain/webhook-event";
import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { eventMac } from "../events/event-mac.ts";
import { type EventRow, insertEvents } from "../events/event-store.ts";
import type { Sender } from "../sending/sender.ts";
import type { ApiContext } from "./context.ts";
import { postEvent } from "./deliver-webhook.ts";
import { type ClaimedDelivery, insertClaimedDelivery, leaseMs } from "./delivery-store.ts";
import { recordOnlyAttempt } from "./record-results.ts";

/** The result of a test. `error` is missing exactly when `ok`. */
export type TestResult = {
  readonly ok: boolean;
  readonly statusCode?: number;
  readonly durationMs: number;
  readonly error?: string;
  /** set when the endpoint gets tests only */
  readonly endpointStatus?: "disabled";
};

type Endpoint = { readonly merchantId: MerchantId; readonly id: EndpointId; readonly isActive: boolean };

/**
 * Sends a signed `webhook.test` to an endpoint, active or not, and waits for the response. One logged attempt, no
 * retry.
 * @throws NOT_FOUND when the merchant has no such endpoint.
 */
export async function sendTestEvent(
  context: ApiContext,
  endpoint: Endpoint,
  sender: Sender,
): Promise<TestResult> {
  const claim = await claimTestDelivery(context, endpoint);
  const { cause: _cause, ...attempt } = await postEvent(context, claim, sender);
  await recordOnlyAttempt(context, claim, attempt);
  const { statusCode, durationMs, error } = attempt;
  return {
    ok: error === null,
    durationMs,
    ...(statusCode === null ? {} : { statusCode }),
    ...(error === null ? {} : { error: describeTestError(error) }),
    ...(endpoint.isActive ? {} : { endpointStatus: "disabled" as const }),
  };
}

/** The receiver stores the secret of its new endpoint before the test comes. */
const STORED_WITHIN_MS = 3_000;

/**
 * Leaves a `webhook.test` to a worker, in the transaction that makes the endpoint. It is sent seconds later, once. Call it last in the
 * transaction, as {@link insertEvents}.
 */
export async function enqueueTestEvent(
  context: Pick<ApiContext, "config" | "clock">,
  tx: Transaction,
  endpoint: Pick<Endpoint, "merchantId" | "id">,
): Promise<void> {
  const event = testEvent(context, endpoint);
  const delivery = { id: idOf("delivery", uuidv7()), eventId: event.id, endpoint };
  await insertEvents(tx, [event], { deliveries: [delivery], firstDelayMs: STORED_WITHIN_MS });
}

/** Stores the event with a delivery that is already claimed, so no worker finds it waiting. */
async function claimTestDelivery(context: ApiContext, endpoint: Endpoint): Promise<ClaimedDelivery> {
  const { merchantId, id: endpointId } = endpoint;
  const event = testEvent(context, endpoint);
  return context.db.transaction(async (tx) => {
    await insertEvents(tx, [event]);
    const delivery = { id: idOf("delivery", uuidv7()), eventId: event.id, endpointId, merchantId };
    const claim = await insertClaimedDelivery(tx, {
      ...delivery,
      leaseMs: leaseMs(context.config.webhooks.timeoutMs),
    });
    if (claim === undefined) throw new ApiError("NOT_FOUND");
    return claim;
  });
}

function testEvent(
  context: Pick<ApiContext, "config" | "clock">,
  { merchantId, id: endpointId }: Pick<Endpoint, "merchantId" | "id">,
): EventRow {
  const id = idOf("event", uuidv7());
  const text = webhookEventBody({
    id,
    event: "webhook.test",
    environment: context.config.environment,
    createdAt: context.clock.now(),
    sequence: 1,
    data: { endpointId, message: "This is a test. No payment is behind it." },
  });
  const body = Buffer.from(text);
  const mac = eventMac(context, { merchantId, id, body });
  return { merchantId, id, type: "webhook.test", resourceId: null, sequence: 1, body, mac };
}

/** Advice for each error of a test. Like the codes, it reveals nothing beyond the URL. */
const messages: Record<WebhookError, string> = {
  dns_error: "The name of the host has no address",
  blocked_address: "The address is not a public one, and the operator has not allowed it",
  connect_refused: "The host refuses the connection: is the receiver running, and is the port right?",
  connect_timeout: "The host does not answer: does a firewall drop the connection?",
  connect_error: "There is no way to the host",
  tls_error:
    "TLS failed: is the certificate valid, for this name, with its whole chain, and of an authority that the operator's machine knows?",
  timeout: "The receiver did not answer in time: answer first, and work afterwards",
  reset: "The receiver closed the connection before it answered",
  invalid_response: "The answer is not HTTP/1.1, or it is a 100 or 101 that was not asked for",
  response_too_large: "The headers of the answer are too large",
  http_status: "The receiver answered, but not with a 2xx status",
  lease_expired: "The test was cut off, and what became of it is not known: send another one",
  body_missing: "The test is not stored any more: send another one",
  event_refused: "The event in the database was not written by this service: it is never sent",
  endpoint_deleted: "The endpoint was deleted meanwhile",
  parked_too_long: "The endpoint was disabled for too long",
  expired: "The endpoint did not answer for too long",
};

/** The error of a test as a sentence that ends with its code. */
function describeTestError(error: WebhookError): string {
  return `${messages[error]} (${error}).`;
}
