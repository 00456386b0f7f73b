import { currencies, formatUsdPrice } from "../domain/money.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { RateKeeper } from "./keep-rates.ts";

/** What the sources come to. Never a reason not to serve: orders priced in USDT or TRX need no rate. */
export function rateCheck({ judge }: Pick<RateKeeper, "judge">): ReadinessCheck {
  return {
    name: "rates",
    check: async () => ({
      ok: true,
      detail: currencies
        .map((currency) => {
          const { rate, refusal, sources } = judge(currency);
          if (rate !== undefined) return `${currency} ${formatUsdPrice(rate.usdE8)} USD by ${rate.source}`;
          const unused = sources.map(({ source, verdict }) => `${source} ${verdict}`).join(", ");
          return `no rate of ${currency}: ${refusal} (${unused})`;
        })
        .join("; "),
    }),
  };
}
