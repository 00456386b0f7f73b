import type { Environment } from "@daric/domain/api-scope";
import { webhookErrors } from "@daric/domain/webhook-delivery";
import type { AudienceContext } from "@daric/messages/audience";
import type { ContextOf } from "@daric/runtime/context";
import { type AlarmMetrics, collectedGauge, type OpenCollector } from "@daric/runtime/metrics";
import { type ConfigOf, durationMs, integerOr, type Role, setting } from "@daric/runtime/setting";
import { Counter, Histogram, type Registry } from "prom-client";
import type { eventSettings } from "../events/context.ts";
import type { SealingEventContext } from "../events/event-mac.ts";
import type { Context as SendingContext } from "../sending/context.ts";
import type { Backlog } from "./backlog-store.ts";

export const deliverySettings = {
  testEventsPerMinute: setting({
    env: "RATE_LIMIT_TEST_EVENTS_PER_MINUTE",
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Test events and resends per minute to one webhook endpoint, together.",
  }),
  concurrency: setting({
    env: "WEBHOOK_CONCURRENCY",
    ...integerOr(128, 1, 1_000),
    roles: ["webhooks"],
    meaning:
      "Attempts under way at once in one process. One merchant gets at most three times as many as are free: alone three quarters. One endpoint gets a sixteenth of them all.",
  }),
  parkedForMs: setting({
    env: "WEBHOOK_PARKED_FOR",
    read: durationMs.prefault("3d"),
    default: "3d",
    roles: ["webhooks"],
    meaning: "Deliveries of a disabled endpoint that are younger than this go out when it is enabled again.",
  }),
};

/** The attempts under way at once to one endpoint in one process, so that a slow one cannot take every slot. */
export function endpointSlots(concurrency: number): number {
  return Math.ceil(concurrency / 16);
}

export type ApiContext = SendingContext &
  ContextOf<
    SealingEventContext["config"] & {
      readonly environment: Environment;
      readonly webhooks: ConfigOf<typeof deliverySettings, "api">;
    },
    DeliveryMetrics & AlarmMetrics
  >;

export type WebhooksContext = SendingContext &
  ContextOf<
    AudienceContext["config"] & {
      readonly roles: readonly Role[];
      readonly webhooks: ConfigOf<typeof deliverySettings & typeof eventSettings, "webhooks">;
    },
    DeliveryMetrics & AlarmMetrics
  >;

type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

export function createDeliveryMetrics(registers: Registry[], openCollector: OpenCollector) {
  const backlog = openCollector<Backlog>("webhook_backlog");
  const backlogGauge = (name: string, help: string, countOf: (backlog: Backlog) => number) =>
    collectedGauge({ name, help, registers }, backlog, (known) => [{ value: countOf(known) }]);
  backlogGauge(
    "daric_webhook_deliveries_due",
    "Deliveries that are due and not under way, of an endpoint up to 10,000; every process with the role webhooks tells the same",
    ({ due }) => due,
  );
  backlogGauge(
    "daric_webhook_oldest_due_seconds",
    "For how long the oldest of them has been due; 0 where none is",
    ({ oldestDueSeconds }) => oldestDueSeconds,
  );
  backlogGauge(
    "daric_webhook_deliveries_parked",
    "Deliveries that wait for an endpoint that is disabled or suspended, or was until just now, or that asked for a pause; of an endpoint up to 10,000",
    ({ parked }) => parked,
  );
  backlogGauge(
    "daric_webhook_endpoints_suspended",
    "Endpoints that get one attempt a minute until one succeeds, since their last five failed",
    ({ suspendedEndpoints }) => suspendedEndpoints,
  );
  const endpointsDisabled = new Counter({
    name: "daric_webhook_endpoints_disabled_total",
    help: "Endpoints that were disabled: nothing reached them for five days, or they answered nothing but 410 for a day",
    registers,
  });
  const webhookAttempts = new Counter({
    name: "daric_webhook_attempts_total",
    help: "Webhook attempts by result",
    labelNames: ["result"],
    registers,
  });
  // Prometheus cannot see the rise of a counter that is born at 1.
  for (const result of ["delivered", ...webhookErrors]) webhookAttempts.inc({ result }, 0);
  return {
    backlog,
    webhookAttempts,
    endpointsDisabled,
    webhookSeconds: new Histogram({
      name: "daric_webhook_attempt_seconds",
      help: "Time from dialling a receiver to its answer",
      registers,
    }),
  };
}
