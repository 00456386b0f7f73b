import type { Registry } from "prom-client";
import { collectedGauge, type OpenCollector } from "../runtime/metrics.ts";

export type AddressMetrics = ReturnType<typeof createAddressMetrics>;

export function createAddressMetrics(registers: Registry[], openCollector: OpenCollector) {
  const addressesAhead = openCollector<number>("addresses_ahead");
  collectedGauge(
    {
      name: "daric_addresses_ahead",
      help: "Addresses that this process has ready for the next orders",
      registers,
    },
    addressesAhead,
    (value) => [{ value }],
  );
  return { addressesAhead };
}
