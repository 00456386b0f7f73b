import type { Registry } from "prom-client";
import { collectedGauge, type OpenCollector } from "../runtime/metrics.ts";

export type MerchantMetrics = ReturnType<typeof createMerchantMetrics>;

/** The metrics of API keys. */
export function createMerchantMetrics(registers: Registry[], openCollector: OpenCollector) {
  const expiringKeys = openCollector<number>("expiring_keys");
  collectedGauge(
    {
      name: "daric_api_keys_expiring",
      help: "API keys that were used within a week and expire within two weeks",
      registers,
    },
    expiringKeys,
    (value) => [{ value }],
  );
  return { expiringKeys };
}
