import { ApiError } from "@daric/domain/errors";
import { deliveryTriggers, webhookDeliveryStatuses, webhookErrors } from "@daric/domain/webhook-delivery";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { moment } from "@daric/http/moment";
import { listQueryOf } from "@daric/http/pagination";
import { text, timestamp, uuid } from "@daric/http/validate";
import { z } from "zod";
import type { AttemptLogRow, DeliveryLogRow } from "./delivery-log-store.ts";
import { resendableStatuses } from "./resend-many-store.ts";

const MAX_ORDER_REF = 120;
/** Far more than there are event types. */
const MAX_EVENT_NAMES = 100;

export const deliveryQuery = listQueryOf("delivery").extend({
  status: z.enum(webhookDeliveryStatuses).optional(),
  referenceId: uuid("deposit", "charge", "refund", "endpoint").optional(),
  endpointId: uuid("endpoint").optional(),
  orderRef: text(MAX_ORDER_REF).optional(),
});

const deliveryFields = {
  id: z.string().meta({ format: "uuid" }),
  event_id: z.string().meta({ format: "uuid" }),
  event_type: z.enum(webhookEventTypes),
  endpoint_id: z.string().meta({ format: "uuid" }),
  endpoint_url: z.string().nullable(),
  reference_id: z.string().meta({ format: "uuid" }).nullable(),
  deposit_address_id: z.string().meta({ format: "uuid" }).nullable(),
  order_ref: z.string().nullable(),
  status: z.enum(webhookDeliveryStatuses),
  attempt_count: z.int().min(0),
  last_status_code: z.int().nullable(),
  last_error: z.enum(webhookErrors).nullable(),
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** A delivery in lists: `attempts` is a number. */
export const deliveryRow = z
  .object({ ...deliveryFields, attempts: z.int().min(0) })
  .meta({ id: "WebhookDelivery", description: "An event on its way to one endpoint." });

const attemptRow = z
  .object({
    number: z.int().min(1),
    trigger: z.enum(deliveryTriggers),
    status_code: z.int().nullable(),
    response_snippet: z.string().nullable(),
    error: z.enum(webhookErrors).nullable(),
    duration_ms: z.int().min(0),
    attempted_at: timestamp,
  })
  .meta({ id: "WebhookAttempt", description: "One attempt to deliver." });

/** A single delivery: `attempts` lists all, first to last. */
export const deliveryDetail = z
  .object({ ...deliveryFields, attempts: z.array(attemptRow) })
  .meta({ id: "WebhookDeliveryDetail", description: "A delivery with every attempt made of it." });

export function toDeliveryRow(delivery: DeliveryLogRow): z.input<typeof deliveryRow> {
  return { ...deliveryValues(delivery), attempts: delivery.attemptCount };
}

/** `withSnippets`: also the beginning of what the receiver answered. */
export function toDeliveryDetail(
  delivery: DeliveryLogRow,
  attempts: readonly AttemptLogRow[],
  withSnippets: boolean,
): z.input<typeof deliveryDetail> {
  return {
    ...deliveryValues(delivery),
    attempts: attempts.map((attempt) => toAttemptRow(attempt, withSnippets)),
  };
}

function deliveryValues(delivery: DeliveryLogRow) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    endpoint_id: delivery.endpointId,
    endpoint_url: delivery.endpointUrl,
    reference_id: delivery.referenceId,
    deposit_address_id: delivery.chargeId,
    order_ref: delivery.orderRef,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    updated_at: delivery.updatedAt.toISOString(),
  };
}

function toAttemptRow(attempt: AttemptLogRow, withSnippet: boolean): z.input<typeof attemptRow> {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    status_code: attempt.statusCode,
    response_snippet: withSnippet ? attempt.responseSnippet : null,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    attempted_at: attempt.attemptedAt.toISOString(),
  };
}

const MAX_RANGE_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * The range of a request: without `to` until now, without `from` the last 30 days.
 * @throws VALIDATION_ERROR when it is empty or longer than 30 days.
 */
export function recoveredRange(
  range: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  now: Date,
): { from: Date; to: Date } {
  const to = range.to ?? now;
  const from = range.from ?? new Date(to.getTime() - MAX_RANGE_DAYS * DAY_MS);
  const lastsMs = to.getTime() - from.getTime();
  if (lastsMs <= 0) refuseField("from", "must be before `to`, which is now where it is not given");
  if (lastsMs > MAX_RANGE_DAYS * DAY_MS)
    refuseField(
      "from",
      `must be at most ${MAX_RANGE_DAYS} days before \`to\`, which is now where it is not given`,
    );
  return { from, to };
}

function refuseField(path: string, message: string): never {
  throw new ApiError("VALIDATION_ERROR", { details: [{ path, message }] });
}

/** The fields of {@link recoveredRange} in a body. */
export const rangeFields = {
  from: moment.optional().meta({
    description: `The first moment (ISO 8601 with an offset), at most ${MAX_RANGE_DAYS} days before \`to\`.`,
  }),
  to: moment.optional().meta({
    description: "The moment after the last one (ISO 8601 with an offset); now where it is not given.",
  }),
};

export const resendBody = z
  .object({
    ...rangeFields,
    status: z.enum(resendableStatuses).optional(),
    endpointId: uuid("endpoint").optional(),
    referenceId: uuid("deposit", "charge").optional(),
    eventTypes: z
      .array(z.string())
      .min(1, "must have at least one event type")
      .max(MAX_EVENT_NAMES)
      .optional(),
  })
  .meta({
    "x-examples": {
      undelivered: { summary: "All undelivered events of 30 days", value: {} },
      restored: {
        summary: "All that one endpoint was sent in a night, after a restore of its database",
        value: {
          from: "2026-11-21T00:00:00Z",
          to: "2026-11-21T06:00:00Z",
          status: "DELIVERED",
          endpointId: "0193a1b2-8d4e-7f50-9b6c-7d8e9f0a1b2c",
        },
      },
    },
  });

export const sentAgain = z
  .object({ deliveries: z.int().min(0) })
  .meta({ id: "SentAgain", description: "The result of a resend of many deliveries." });
