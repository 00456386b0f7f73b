import { createAddressMetrics } from "@daric/addresses/context";
import { createChargeMetrics } from "@daric/charges/context";
import { createDepositMetrics } from "@daric/deposits/metrics";
import { createCheckoutMetrics } from "@daric/hosted-checkout/context";
import { createHttpMetrics } from "@daric/http/metrics";
import { createMerchantMetrics } from "@daric/merchants/context";
import { createRateMetrics } from "@daric/rates/context";
import { type MeasuredPool, measurePools } from "@daric/runtime/database-metrics";
import { createAlarmMetrics, createCollectors, createRegistry } from "@daric/runtime/metrics";
import { createSettlementMetrics } from "@daric/settlement/metrics";
import { createDeliveryMetrics } from "@daric/webhooks/deliveries/context";
import { createDeploymentMetrics } from "../deployment/context.ts";
import { createDoctorMetrics } from "../doctor/context.ts";

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
