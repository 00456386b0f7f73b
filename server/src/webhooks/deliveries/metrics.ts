import { Counter, Histogram, type Registry } from "prom-client";

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** How webhook attempts end, and how long they take. */
export function createDeliveryMetrics(registers: Registry[]) {
  return {
    webhookAttempts: new Counter({
      name: "daric_webhook_attempts_total",
      help: "Webhook attempts by result",
      labelNames: ["result"],
      registers,
    }),
    webhookSeconds: new Histogram({
      name: "daric_webhook_attempt_seconds",
      help: "Time from dialling a receiver to its answer",
      registers,
    }),
  };
}
