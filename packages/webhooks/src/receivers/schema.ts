import { moment } from "@daric/http/moment";
import { timestamp } from "@daric/http/validate";
import { z } from "zod";
import { rangeFields } from "../deliveries/schema.ts";
import type { EndpointHealth } from "./find-health.ts";

export const recoverBody = z
  .object({ ...rangeFields, from: moment.meta(rangeFields.from.meta() ?? {}) })
  .meta({
    "x-examples": {
      outage: {
        summary: "The events that an endpoint missed while it was down",
        value: { from: "2026-11-21T00:00:00Z", to: "2026-11-21T06:00:00Z" },
      },
    },
  });

export const healthRow = z
  .object({
    last_success_at: timestamp.nullable(),
    failing_since: timestamp.nullable(),
    failed_attempts: z.int().min(0),
    is_suspended: z.boolean(),
    oldest_due_at: timestamp.nullable(),
    attempts: z.int().min(0),
    success_rate: z.number().min(0).max(1).nullable(),
    p95_ms: z.int().min(0).nullable(),
  })
  .meta({ id: "WebhookEndpointHealth", description: "How the receiver of an endpoint answers." });

export function toHealthRow(health: EndpointHealth): z.input<typeof healthRow> {
  return {
    last_success_at: health.lastSuccessAt?.toISOString() ?? null,
    failing_since: health.failingSince?.toISOString() ?? null,
    failed_attempts: health.failedAttempts,
    is_suspended: health.isSuspended,
    oldest_due_at: health.oldestDueAt?.toISOString() ?? null,
    attempts: health.attempts,
    success_rate: health.successRate ?? null,
    p95_ms: health.p95Ms ?? null,
  };
}
