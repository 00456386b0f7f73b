import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meaning of each name in the feed of events, in resends of many deliveries, and in the health of an endpoint. */
export const recoveryMeanings: Vocabulary["meanings"] = {
  "resendWebhookDeliveries.status":
    "Only deliveries in this status; `FAILED` and `EXHAUSTED` where it is not given.",
  "resendWebhookDeliveries.endpoint_id": "Only deliveries to the endpoint with this id (UUID).",
  "resendWebhookDeliveries.reference_id":
    "Only deliveries about the deposit or deposit address with this id (UUID).",
  "resendWebhookDeliveries.event_types": "Only deliveries of events with these names.",
  "SentAgain.deliveries": "Number of deliveries that are due now, the last of them after 50 ms for each.",
  last_success_at:
    "The time of the last attempt that it accepted, to the minute (ISO 8601, UTC); null if there is none.",
  failing_since:
    "The time of the first failure after its last success (ISO 8601, UTC); null if the last attempt succeeded or there is none.",
  failed_attempts: "Number of failed attempts since its last success.",
  is_suspended:
    "Whether it gets one attempt a minute only, after five failures in a row, until one succeeds.",
  oldest_due_at:
    "Since when the delivery is due that waits longest (ISO 8601, UTC); null if none is due. While it is disabled, all wait.",
  "WebhookEndpointHealth.attempts": "Number of attempts in the last 24 hours, to the hour, without tests.",
  success_rate:
    "Number of accepted attempts divided by that of all of them, from 0 to 1; null without an attempt.",
  p95_ms:
    "95 % of these attempts took at most so many milliseconds, rounded up by at most 19 %; null without an attempt.",
  "EventRow.id": "The id of the event (UUID), `id` in its webhook.",
  "EventRow.created_at": "The time of the event (ISO 8601, UTC).",
  "EventRow.data": "What happened, as in the webhook of this name; null once it is not kept any more.",
  next: "The `after` of the next call; null while there is no event.",
  has_more: "Whether more events may follow now: call again at once.",
};
