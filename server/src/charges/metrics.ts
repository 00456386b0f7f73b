import { Gauge, type Registry } from "prom-client";

export type ChargeMetrics = ReturnType<typeof createChargeMetrics>;

/** The distance of a merchant from the cap of permanent addresses. */
export function createChargeMetrics(registers: Registry[]) {
  return {
    customerAddresses: new Gauge({
      name: "daric_customer_addresses",
      help: "Standing receive addresses of the merchant who asked last for one of a new customerRef",
      registers,
    }),
  };
}
