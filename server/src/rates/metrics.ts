import { Counter, Gauge, type Registry } from "prom-client";
import { type Currency, currencies } from "../domain/asset.ts";
import type { SourceVerdict } from "./rate-verdict.ts";

export type RateHealth = {
  /** of the oldest answer in the current rate; undefined without a rate */
  readonly ageMs: number | undefined;
  readonly sources: readonly SourceVerdict[];
};

export type RateMetrics = ReturnType<typeof createRateMetrics>;

export function createRateMetrics(registers: Registry[]) {
  const rateHealth = new Map<Currency, () => RateHealth>();
  new Gauge({
    name: "daric_rate_age_seconds",
    help: "Age of the current rate by currency; absent while there is none",
    labelNames: ["currency"],
    registers,
    collect() {
      this.reset();
      for (const currency of currencies) {
        const ageMs = rateHealth.get(currency)?.().ageMs;
        if (ageMs !== undefined) this.set({ currency }, ageMs / 1_000);
      }
    },
  });
  new Gauge({
    name: "daric_rate_source_used",
    help: "1 while the current rate uses this source's price, 0 while the price is an outlier, too old or missing",
    labelNames: ["source", "currency"],
    registers,
    collect() {
      this.reset();
      for (const currency of currencies)
        for (const { source, verdict } of rateHealth.get(currency)?.().sources ?? [])
          this.set({ source, currency }, verdict === "used" ? 1 : 0);
    },
  });
  new Gauge({
    name: "daric_rate_source_age_seconds",
    help: "Age of a source's last price by the source's own time; absent until it gives one",
    labelNames: ["source", "currency"],
    registers,
    collect() {
      this.reset();
      for (const currency of currencies)
        for (const { source, ageMs } of rateHealth.get(currency)?.().sources ?? [])
          if (ageMs !== undefined) this.set({ source, currency }, ageMs / 1_000);
    },
  });
  return {
    rateHealth,
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
