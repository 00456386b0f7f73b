import { Gauge, type Registry } from "prom-client";

export type ChargeMetrics = ReturnType<typeof createChargeMetrics>;

/** How near a merchant is to the cap of what is watched for ever. */
export function createChargeMetrics(registers: Registry[]) {
  return {
    customerAddresses: new Gauge({
      name: "daric_customer_addresses",
      help: "Standing receive addresses of the merchant who asked last for one of a new customerRef",
      registers,
    }),
  };
}
