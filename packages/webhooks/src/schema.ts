import { ruled } from "@daric/domain/field-rule";
import { isUrl } from "@daric/domain/url";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { listQueryOf } from "@daric/http/pagination";
import { httpUrl, MAX_URL_LENGTH, nullishText, text, timestamp } from "@daric/http/validate";
import { z } from "zod";
import type { WebhookEndpoint } from "./endpoints/endpoint-store.ts";

const MAX_DESCRIPTION = 255;
/** Far more than there are event types. */
const MAX_EVENT_NAMES = 100;

/** Checks only the form of a URL; INVALID_WEBHOOK_URL covers private targets. */
export const targetUrl = httpUrl
  .refine((url) => !url.includes("#"), ruled("must have no fragment: it would not be sent", "url"))
  .refine((url) => !isUrl(url) || new URL(url).port !== "0", ruled("must have a port other than 0", "url"))
  .refine(
    (url) => !isUrl(url) || new URL(url).href.length <= MAX_URL_LENGTH,
    ruled(
      `must have at most ${MAX_URL_LENGTH} characters as it is dialled, with letters beyond ASCII percent-encoded`,
      "maxLength",
      MAX_URL_LENGTH,
    ),
  );

/** Any names: an unknown one is INVALID_EVENT_TYPE, not a fault of form. */
const eventNames = z
  .array(z.string())
  .min(1, "must have at least one event type")
  .max(MAX_EVENT_NAMES, `must have at most ${MAX_EVENT_NAMES} event types`)
  .meta({ description: `Event types: ${webhookEventTypes.join(", ")}.` });

export const createEndpointBody = z
  .object({
    url: targetUrl,
    description: nullishText(MAX_DESCRIPTION),
    eventTypes: eventNames.nullish().transform((names) => names ?? undefined),
  })
  .meta({
    "x-examples": {
      orders: {
        summary: "An event when an order is paid or expires",
        value: {
          url: "https://shop.example.org/webhooks/daric",
          eventTypes: ["order.paid", "order.expired"],
        },
      },
      deposits: {
        summary: "An event for every final deposit",
        value: { url: "https://shop.example.org/webhooks/daric", description: "Receive addresses" },
      },
    },
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
  )
  .meta({
    minProperties: 1,
    "x-examples": {
      pause: { summary: "Events wait from now on", value: { isActive: false } },
      subscribe: { summary: "Other events", value: { eventTypes: ["deposit.confirmed"] } },
    },
  });

const endpointStatus = z.enum(["active", "disabled"]);

export const endpointQuery = listQueryOf("endpoint").extend({ status: endpointStatus.optional() });

/** An endpoint in the API, without its secret. */
export const endpointRow = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    url: z.string(),
    description: z.string().nullable(),
    event_types: z.array(z.enum(webhookEventTypes)),
    status: endpointStatus,
    is_active: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "WebhookEndpoint", description: "A receiver of a merchant's events." });

export const createdEndpointRow = endpointRow
  .extend({ secret: z.string().meta({ pattern: "^whsec_[0-9a-f]{64}$" }) })
  .meta({ id: "CreatedWebhookEndpoint", description: "A new endpoint, with the secret that signs for it." });

const DAY_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;

export const rotateSecretBody = z
  .object({
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
  })
  .meta({
    "x-examples": {
      day: { summary: "The secret before signs for a day more", value: {} },
      leaked: { summary: "The secret before signs nothing any more", value: { overlapSeconds: 0 } },
    },
  });

export const rotatedEndpointRow = createdEndpointRow
  .extend({
    previous_secret_expires_at: timestamp.nullable(),
  })
  .meta({ id: "RotatedWebhookEndpoint", description: "An endpoint, with the new secret that signs for it." });

export const deletedEndpoint = z.object({
  id: z.string().meta({ format: "uuid" }),
  deleted: z.literal(true),
});

export const testResult = z
  .object({
    ok: z.boolean(),
    statusCode: z.int().optional(),
    durationMs: z.int().min(0),
    error: z
      .string()
      .optional()
      .meta({
        description:
          "Why it failed: a sentence that ends with the `last_error` of the delivery log; left out if the endpoint " +
          "accepted the test.",
        examples: ["The receiver answered, but not with a 2xx status (http_status)."],
      }),
    endpointStatus: z.literal("disabled").optional().meta({
      description:
        "Present if the endpoint is disabled: it gets only tests, and its events wait until it is enabled.",
    }),
  })
  .meta({ id: "WebhookTestResult", description: "The endpoint's answer to a test." });

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
