import { adviceOnFault, aReceiver } from "@daric/domain/transport-fault";
import type { LogEvent } from "@daric/runtime/log-events";
import { isEventMac } from "../events/event-mac.ts";
import { signedSeconds, unsignedHeaders } from "../sending/attempt-headers.ts";
import type { PostResult } from "../sending/post-json.ts";
import type { Sender } from "../sending/sender.ts";
import { signatureHeaders, signaturesOf } from "../sending/signature.ts";
import type { ApiContext, WebhooksContext } from "./context.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";
import type { Attempt } from "./result-rows-store.ts";
import { releaseClaims } from "./result-store.ts";

/** The wait after a fault of ours, which does not count as an attempt. */
const OWN_FAULT_DELAY_MS = 60_000;

/**
 * Makes one attempt, outside any transaction, and returns its result, which counts only while the lease is ours.
 * Undefined if a fault of ours released the claim for a minute.
 */
export async function deliverWebhook(
  context: WebhooksContext,
  claim: ClaimedDelivery,
  sender: Sender,
): Promise<Attempt | undefined> {
  try {
    return await postEvent(context, claim, sender);
  } catch (error) {
    context.log.error(
      { event: "webhook_not_signed", delivery_id: claim.deliveryId, err: error },
      "a webhook could not be signed and is retried in a minute: the endpoint's secret was sealed under another DARIC_MASTER_KEY or not by Daric; rotate it",
    );
    await releaseClaims(context.db, [claim], OWN_FAULT_DELAY_MS);
    return undefined;
  }
}

/**
 * Signs the stored body and posts it. Ends as `body_missing` without a body and as `event_refused` if its MAC is
 * wrong.
 * @throws Error when the secret cannot be decrypted, before anything was sent; never otherwise.
 */
export async function postEvent(
  context: Reporting & Pick<ApiContext | WebhooksContext, "config">,
  claim: ClaimedDelivery,
  { keysOf, post, log }: Sender,
): Promise<Attempt & Pick<PostResult, "cause">> {
  const { merchantId, body, eventId } = claim;
  if (body === null) return endMissingBody(context, claim);
  if (!isEventMac(context, { merchantId, id: eventId, body }, claim.eventMac))
    return refuseEvent(context, claim);
  const keys = keysOf(claim);
  const attemptedAt = context.clock.now();
  const timestampSeconds = signedSeconds(attemptedAt);
  const signatures = signaturesOf(keys, { body, eventId, timestampSeconds });
  const result = await post({
    url: claim.url,
    body,
    key: claim.endpointId,
    headers: Object.assign(
      signatureHeaders(signatures, { eventId, timestampSeconds }),
      unsignedHeaders(claim, typeIn(body) ?? claim.eventType),
    ),
  });
  const { error, statusCode, snippet, answerHeaders, pauseMs, durationMs, cause } = result;
  context.metrics.webhookAttempts.inc({ result: error ?? "delivered" });
  context.metrics.webhookSeconds.observe(durationMs / 1_000);
  // Objects are written out: a spread costs a microsecond, as much as an HMAC of the body.
  log[error === null ? "debug" : "info"](
    {
      delivery_id: claim.deliveryId,
      endpoint_id: claim.endpointId,
      event_id: eventId,
      attempt: claim.attempt,
      status_code: statusCode,
      error,
      duration_ms: durationMs,
      err: cause,
      advice: adviceOnFault(cause, aReceiver),
    },
    "webhook attempt",
  );
  const { url } = claim;
  return {
    statusCode,
    snippet,
    answerHeaders,
    error,
    pauseMs,
    durationMs,
    attemptedAt,
    url,
    signatures,
    cause,
  };
}

type Reporting = Pick<ApiContext | WebhooksContext, "clock" | "log" | "metrics">;

function endMissingBody(context: Reporting, claim: ClaimedDelivery): PostResult {
  return endUnsent(context, claim, {
    event: "webhook_body_missing",
    error: "body_missing",
    message: "the body of a webhook is gone; it will not be sent",
  });
}

function refuseEvent(context: Reporting, claim: ClaimedDelivery): PostResult {
  context.metrics.alarms.inc({ alarm: "event_refused" });
  return endUnsent(context, claim, {
    event: "event_refused",
    error: "event_refused",
    message:
      "an event has no valid row MAC: it is not signed and not sent; check what it says and find out how it was written",
  });
}

type Unsent = {
  readonly event: LogEvent;
  readonly error: "body_missing" | "event_refused";
  readonly message: string;
};

function endUnsent(
  { clock, log, metrics }: Reporting,
  { merchantId, deliveryId, endpointId, eventId, attempt }: ClaimedDelivery,
  { event, error, message }: Unsent,
): PostResult {
  metrics.webhookAttempts.inc({ result: error });
  const facts = { delivery_id: deliveryId, endpoint_id: endpointId, event_id: eventId, attempt };
  log.error({ event, ...facts, merchant_id: merchantId, error }, message);
  return { statusCode: null, snippet: null, error, durationMs: 0, attemptedAt: clock.now() };
}

/** How each body begins; parsing all of it would cost as much as signing it. */
const START = /^\{"id":"[\w-]+","event":"([\w.]+)"/;
const START_BYTES = 128;

/** The event type of the signed body; no MAC covers the type in the delivery's row. */
function typeIn(body: Buffer): string | undefined {
  const [, type] = START.exec(body.toString("latin1", 0, START_BYTES)) ?? [];
  if (type !== undefined) return type;
  const { event } = JSON.parse(body.toString()) as { event?: string };
  return event;
}
