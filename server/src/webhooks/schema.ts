import { z } from "zod";
import { webhookDeliveryStatuses } from "../domain/webhook-delivery.ts";
import { subscribableEventTypes } from "../domain/webhook-event.ts";
import { pageQuery } from "../http/pagination.ts";
import { httpUrl, nullishText, text, timestamp, uuid } from "../http/validate.ts";
import type { AttemptLogRow, DeliveryLogRow } from "./deliveries/delivery-log-store.ts";
import type { WebhookEndpoint } from "./endpoints/endpoint-store.ts";

const MAX_DESCRIPTION = 255;
/** Far more than there are names; a list beyond it is a mistake. */
const MAX_EVENT_NAMES = 100;

/**
 * Only the shape of a URL, which is stored as the parser understood it: whether webhooks may be sent there is
 * INVALID_WEBHOOK_URL's to say.
 */
const targetUrl = httpUrl
  .refine((url) => !url.includes("#"), "must have no fragment: it would not be sent")
  .refine((url) => !URL.canParse(url) || new URL(url).port !== "0", "must have a port other than 0");

/** Any names: an unknown one is INVALID_EVENT_TYPE and not a fault of form. */
const eventNames = z
  .array(z.string())
  .min(1, "must have at least one event type")
  .max(MAX_EVENT_NAMES, `must have at most ${MAX_EVENT_NAMES} event types`)
  .meta({ description: `Event types: ${subscribableEventTypes.join(", ")}.` });

export const createEndpointBody = z.object({
  url: targetUrl,
  description: nullishText(MAX_DESCRIPTION),
  eventTypes: eventNames.optional(),
});

export const updateEndpointBody = z
  .object({
    url: targetUrl.optional(),
    description: text(MAX_DESCRIPTION).nullable().optional(),
    eventTypes: eventNames.optional(),
    isActive: z.boolean().optional(),
  })
  .refine(
    (body) => Object.values(body).some((value) => value !== undefined),
    "must have one of url, description, eventTypes and isActive",
  );

const endpointStatus = z.enum(["active", "disabled"]);

export const endpointQuery = pageQuery.extend({ status: endpointStatus.optional() });

/** An endpoint as the API shows it. The secret is not part of it. */
export const endpointRow = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    event_types: z.array(z.string()),
    status: endpointStatus,
    is_active: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "WebhookEndpoint", description: "A receiver of a merchant's events." });

export const createdEndpointRow = endpointRow
  .extend({ secret: z.string().meta({ description: "Shown this once and never again." }) })
  .meta({ id: "CreatedWebhookEndpoint", description: "A new endpoint, with the secret that signs for it." });

const DAY_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;

/** The body of rotate-secret. */
export const rotateSecretBody = z.object({
  overlapSeconds: z
    .int()
    .min(0)
    .max(MAX_OVERLAP_SECONDS)
    .nullish()
    .transform((seconds) => seconds ?? DAY_SECONDS)
    .meta({
      description:
        "For how many seconds deliveries are signed with the secret before too; 86400, a day, where it is not given.",
      examples: [3_600],
    }),
});

export const rotatedEndpointRow = createdEndpointRow
  .extend({
    previous_secret_expires_at: timestamp
      .nullable()
      .meta({ description: "Until when the secret before signs too; null where it does no more." }),
  })
  .meta({ id: "RotatedWebhookEndpoint", description: "An endpoint, with the new secret that signs for it." });

export const deletedEndpoint = z.object({ id: z.string(), deleted: z.literal(true) });

export const testResult = z.object({
  ok: z.boolean(),
  statusCode: z.int().optional(),
  durationMs: z.int(),
  error: z.string().optional(),
});

export const deliveryQuery = pageQuery.extend({
  status: z.enum(webhookDeliveryStatuses).optional(),
  referenceId: uuid("deposit", "charge", "endpoint").optional(),
});

const deliveryFields = {
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  endpoint_id: z.string(),
  reference_id: z.string().nullable(),
  status: z.enum(webhookDeliveryStatuses),
  attempt_count: z.int(),
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** A delivery in lists, where `attempts` is their number. */
export const deliveryRow = z
  .object({ ...deliveryFields, attempts: z.int() })
  .meta({ id: "WebhookDelivery", description: "An event on its way to one endpoint." });

const attemptRow = z.object({
  number: z.int(),
  trigger: z.string(),
  status_code: z.int().nullable(),
  response_snippet: z.string().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  attempted_at: timestamp,
});

/** A delivery on its own, where `attempts` is what was tried, first to last. */
export const deliveryDetail = z
  .object({ ...deliveryFields, attempts: z.array(attemptRow) })
  .meta({ id: "WebhookDeliveryDetail", description: "A delivery with every attempt made of it." });

export function toEndpointRow(endpoint: WebhookEndpoint): z.input<typeof endpointRow> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    event_types: [...endpoint.eventTypes],
    status: endpoint.isActive ? "active" : "disabled",
    is_active: endpoint.isActive,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

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
