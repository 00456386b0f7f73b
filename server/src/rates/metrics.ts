import { Counter, Gauge, type Registry } from "prom-client";
import { type Currency, currencies } from "../domain/money.ts";

export type RateMetrics = ReturnType<typeof createRateMetrics>;

/** How the sources of prices are, and how old what they come to is. */
export function createRateMetrics(registers: Registry[]) {
  /** filled by who keeps the rates: the age in ms of the oldest answer that the current rate is made of */
  const rateAges = new Map<Currency, () => number | undefined>();
  new Gauge({
    name: "daric_rate_age_seconds",
    help: "Age of the current rate by currency; absent while there is none",
    labelNames: ["currency"],
    registers,
    collect() {
      this.reset();
      for (const currency of currencies) {
        const ageMs = rateAges.get(currency)?.();
        if (ageMs !== undefined) this.set({ currency }, ageMs / 1_000);
      }
    },
  });
  return {
    rateAges,
    rateSourceSuccess: new Gauge({
      name: "daric_rate_source_last_success_timestamp_seconds",
      help: "When a source of prices last gave one that could be read",
      labelNames: ["source", "currency"],
      registers,
    }),
    rateSourceFailures: new Counter({
      name: "daric_rate_source_failures_total",
      help: "Answers of sources of prices that were refused or did not come",
      labelNames: ["source", "currency", "reason"],
      registers,
    }),
  };
}
