import { Gauge, type Registry } from "prom-client";

export type ChargeMetrics = ReturnType<typeof createChargeMetrics>;

/** How many standing addresses a merchant has, to compare with MAX_CUSTOMER_ADDRESSES. */
export function createChargeMetrics(registers: Registry[]) {
  return {
    customerAddresses: new Gauge({
      name: "daric_customer_addresses",
      help: "Standing receive addresses of the merchant that last requested one for a new customerRef",
      registers,
    }),
  };
}
