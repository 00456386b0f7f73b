import { createAddressMetrics } from "../addresses/metrics.ts";
import { createChargeMetrics } from "../charges/metrics.ts";
import { createCheckoutMetrics } from "../checkout/metrics.ts";
import { createDeploymentMetrics } from "../deployment/metrics.ts";
import { createDepositMetrics } from "../deposits/metrics.ts";
import { createDoctorMetrics } from "../doctor/metrics.ts";
import { createHttpMetrics } from "../http/metrics.ts";
import { createRateMetrics } from "../rates/metrics.ts";
import { type MeasuredPool, measurePools } from "../runtime/database-metrics.ts";
import { createAlarmMetrics, createCollectors, createRegistry } from "../runtime/metrics.ts";
import { createSettlementMetrics } from "../settlement/metrics.ts";
import { createDeliveryMetrics } from "../webhooks/deliveries/metrics.ts";

/** What an operator watches. Labels come from closed sets only: no ids, no addresses, no URLs. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of every room, in one registry; `pools` says what the connections to the database are doing. */
export function createMetrics(options: { processMetrics: boolean; pools?: () => readonly MeasuredPool[] }) {
  const registry = createRegistry(options);
  // They are collected in this order: what numbers ask the database for must not count itself as waiting.
  if (options.pools !== undefined) measurePools([registry], options.pools);
  const openCollector = createCollectors([registry]);
  return {
    registry,
    ...createHttpMetrics([registry]),
    ...createChargeMetrics([registry]),
    ...createCheckoutMetrics([registry]),
    ...createDepositMetrics([registry], openCollector),
    ...createAddressMetrics([registry], openCollector),
    ...createRateMetrics([registry]),
    ...createAlarmMetrics([registry]),
    ...createDoctorMetrics([registry]),
    ...createDeploymentMetrics([registry], openCollector),
    ...createSettlementMetrics([registry], openCollector),
    ...createDeliveryMetrics([registry], openCollector),
  };
}
