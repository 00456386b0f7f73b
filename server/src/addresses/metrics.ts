import type { Registry } from "prom-client";
import { type OpenSurvey, surveyedGauge } from "../runtime/metrics.ts";

export type AddressMetrics = ReturnType<typeof createAddressMetrics>;

/** How many addresses wait to be issued. */
export function createAddressMetrics(registers: Registry[], openSurvey: OpenSurvey) {
  const addressesAhead = openSurvey<number>("addresses_ahead");
  surveyedGauge(
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
