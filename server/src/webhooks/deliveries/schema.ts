import { z } from "zod";
import { deliveryTriggers, webhookDeliveryStatuses, webhookErrors } from "../../domain/webhook-delivery.ts";
import { webhookEventTypes } from "../../domain/webhook-event.ts";
import { listQueryOf } from "../../http/pagination.ts";
import { timestamp, uuid } from "../../http/validate.ts";
import type { AttemptLogRow, DeliveryLogRow } from "./delivery-log-store.ts";

export const deliveryQuery = listQueryOf("delivery").extend({
  status: z.enum(webhookDeliveryStatuses).optional(),
  referenceId: uuid("deposit", "charge", "endpoint").optional(),
});

const deliveryFields = {
  id: z.string().meta({ format: "uuid" }),
  event_id: z.string().meta({ format: "uuid" }),
  event_type: z.enum(webhookEventTypes),
  endpoint_id: z.string().meta({ format: "uuid" }),
  reference_id: z.string().meta({ format: "uuid" }).nullable(),
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

export function toDeliveryDetail(
  delivery: DeliveryLogRow,
  attempts: readonly AttemptLogRow[],
): z.input<typeof deliveryDetail> {
  return { ...deliveryValues(delivery), attempts: attempts.map(toAttemptRow) };
}

function deliveryValues(delivery: DeliveryLogRow) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    endpoint_id: delivery.endpointId,
    reference_id: delivery.referenceId,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    updated_at: delivery.updatedAt.toISOString(),
  };
}

function toAttemptRow(attempt: AttemptLogRow): z.input<typeof attemptRow> {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    status_code: attempt.statusCode,
    response_snippet: attempt.responseSnippet,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    attempted_at: attempt.attemptedAt.toISOString(),
  };
}
