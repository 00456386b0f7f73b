import { createAddressMetrics } from "../addresses/context.ts";
import { createChargeMetrics } from "../charges/context.ts";
import { createCheckoutMetrics } from "../checkout/context.ts";
import { createDeploymentMetrics } from "../deployment/context.ts";
import { createDepositMetrics } from "../deposits/metrics.ts";
import { createDoctorMetrics } from "../doctor/context.ts";
import { createHttpMetrics } from "../http/metrics.ts";
import { createMerchantMetrics } from "../merchants/context.ts";
import { createRateMetrics } from "../rates/context.ts";
import { type MeasuredPool, measurePools } from "../runtime/database-metrics.ts";
import { createAlarmMetrics, createCollectors, createRegistry } from "../runtime/metrics.ts";
import { createSettlementMetrics } from "../settlement/metrics.ts";
import { createDeliveryMetrics } from "../webhooks/deliveries/context.ts";

/** The metrics of a process. Labels come from closed sets only: no ids, no addresses, no URLs. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of every folder, in one registry; `pools` returns the use of the database connections. */
export function createMetrics(options: { processMetrics: boolean; pools?: () => readonly MeasuredPool[] }) {
  const registry = createRegistry(options);
  // Collected in this order: the queries of other metrics must not count as waiting for a connection.
  if (options.pools !== undefined) measurePools([registry], options.pools);
  const openCollector = createCollectors([registry]);
  return {
    registry,
    ...createHttpMetrics([registry]),
    ...createChargeMetrics([registry]),
    ...createCheckoutMetrics([registry]),
    ...createDepositMetrics([registry], openCollector),
    ...createAddressMetrics([registry], openCollector),
    ...createMerchantMetrics([registry], openCollector),
    ...createRateMetrics([registry]),
    ...createAlarmMetrics([registry]),
    ...createDoctorMetrics([registry]),
    ...createDeploymentMetrics([registry], openCollector),
    ...createSettlementMetrics([registry], openCollector),
    ...createDeliveryMetrics([registry], openCollector),
  };
}
