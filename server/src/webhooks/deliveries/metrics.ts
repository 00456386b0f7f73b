import { Counter, Histogram, type Registry } from "prom-client";
import { webhookErrors } from "../../domain/webhook-delivery.ts";
import { collectedGauge, type OpenCollector } from "../../runtime/metrics.ts";
import type { Backlog } from "./backlog-store.ts";

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

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
