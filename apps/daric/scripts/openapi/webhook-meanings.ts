import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meanings of the fields of webhook endpoints, deliveries and events. */
export const webhookMeanings: Vocabulary["meanings"] = {
  url: "The http or https URL that receives the events, at most 2048 characters, without credentials.",
  description: "A note of your own, at most 255 characters; null for none.",
  event_types: "The names of the events that this endpoint receives.",
  is_active: "Whether events are sent. While it is `false` they wait, at most 3 days.",
  "WebhookEndpoint.status": "`active` if events are sent, `disabled` while they wait.",
  "CreatedWebhookEndpoint.status": "`active` if events are sent, `disabled` while they wait.",
  "listWebhookEndpoints.status": "Only endpoints in this status.",
  secret:
    "The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown only this once.",
  deleted: "`true`: the endpoint and its secret are gone, and no event is sent there any more.",
  ok: "Whether the endpoint answered with a 2xx status in time.",
  duration_ms: "How long the endpoint took to answer, in milliseconds.",
  status_code: "The HTTP status code of the answer; none without an answer.",
  "WebhookTestResult.error": "Why it failed, in one word; left out if the endpoint accepted it.",
  event_id:
    "The id of the event, `id` in its body: the same in every attempt, so drop an id that you have seen.",
  event_type: "The name of the event, `event` in its body.",
  endpoint_id: "The id of the endpoint that it is sent to (UUID).",
  endpoint_url: "The URL of that endpoint as it is now; null once the endpoint is gone.",
  "WebhookDelivery.deposit_address_id":
    "The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null for a test.",
  "WebhookDeliveryDetail.deposit_address_id":
    "The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null for a test.",
  "WebhookDelivery.order_ref": "Your own reference of that deposit address; null if you gave none.",
  "WebhookDeliveryDetail.order_ref": "Your own reference of that deposit address; null if you gave none.",
  reference_id:
    "The subject of the event (UUID): the deposit, for `order.*` the deposit address, for `refund.*` the refund, for `settlement.*` the settlement; null for a test.",
  "listWebhookDeliveries.status": "Only deliveries in this status.",
  "listWebhookDeliveries.endpoint_id": "Only deliveries to the endpoint with this id (UUID).",
  "listWebhookDeliveries.order_ref":
    "Only deliveries about deposit addresses with exactly this reference of yours, and about their deposits.",
  "listWebhookDeliveries.reference_id":
    "Only deliveries about the deposit, deposit address or refund with this id (UUID).",
  "WebhookDelivery.status":
    "`DELIVERED` and `EXHAUSTED` are final; `FAILED` waits for its next attempt, `SENDING` is in progress.",
  "WebhookDeliveryDetail.status":
    "`DELIVERED` and `EXHAUSTED` are final; `FAILED` waits for its next attempt, `SENDING` is in progress.",
  attempt_count: "Number of attempts so far.",
  "WebhookDelivery.attempts": "Number of attempts so far, the same as `attempt_count`.",
  "WebhookDeliveryDetail.attempts": "Every attempt, first to last.",
  last_status_code: "The HTTP status code of the last attempt; null without an answer.",
  last_error: "Why the last attempt failed, in one word; null if it did not or there was none.",
  next_attempt_at: "The time of the next attempt (ISO 8601, UTC); null if there is none.",
  number: "Number of the attempt, counted from 1.",
  trigger: "The reason for the attempt: the schedule, a test, or a resend.",
  response_snippet: "The beginning of the answer, at most 2 KiB; null without an answer.",
  "WebhookAttempt.error": "Why the attempt failed, in one word; null if the endpoint accepted it.",
  "WebhookAttempt.status_code": "The HTTP status code of the answer; null without an answer.",
  attempted_at: "The time at which the attempt began (ISO 8601, UTC).",

  // events
  "DepositEvent.id": "The id of the event (UUID). Delivery is at least once: drop an id that you have seen.",
  "OrderEvent.id": "The id of the event (UUID). Delivery is at least once: drop an id that you have seen.",
  "SettlementEvent.id":
    "The id of the event (UUID). Delivery is at least once: drop an id that you have seen.",
  "SettlementEvent.created_at": "The time of the event (ISO 8601, UTC).",
  "SettlementEvent.data": "The settlement, and what of it has arrived.",
  "TestEvent.id": "The id of the event (UUID).",
  event: "The name of the event.",
  api_version: "The version of the contract that the body follows.",
  environment: "`live` for real money, `test` for the test environment.",
  "DepositEvent.created_at": "The time of the event (ISO 8601, UTC).",
  "OrderEvent.created_at": "The time of the event (ISO 8601, UTC).",
  "TestEvent.created_at": "The time at which the test was requested (ISO 8601, UTC).",
  sequence:
    "Number of the event among those of its deposit, order or refund, from 1: drop one older than you have.",
  "DepositEvent.data": "The deposit, and the facts of its deposit address.",
  "OrderEvent.data": "The order with its confirmed sums.",
  "TestEvent.data": "The content of a test; there is no payment behind it.",
  "TestEvent.message": "A sentence for people.",
  "DepositEvent.amount": "The amount of this deposit, in units of `currency` (decimal string).",
  "DepositEvent.status": "The status of the deposit after this event. Only `CONFIRMED` is final money.",

  // catching up
  "resendWebhookDeliveries.status":
    "Only deliveries in this status; `FAILED` and `EXHAUSTED` where it is not given.",
  "resendWebhookDeliveries.endpoint_id": "Only deliveries to the endpoint with this id (UUID).",
  "resendWebhookDeliveries.reference_id":
    "Only deliveries about the deposit, deposit address or refund with this id (UUID).",
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
  "EventRow.data": "The content of the webhook of this name; null once it is not kept any more.",
  next: "The `after` of the next call; null while there is no event.",
  has_more: "Whether more events may follow now: call again at once.",
};
