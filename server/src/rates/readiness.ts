import { type Currency, currencies, formatUsdPrice } from "../domain/money.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { Judgement } from "./judge.ts";
import type { RateKeeper } from "./keep-rates.ts";

/** What the sources come to. Never a reason not to serve: orders priced in USDT or TRX need no rate. */
export function rateCheck({ judge }: Pick<RateKeeper, "judge">): ReadinessCheck {
  return {
    name: "rates",
    check: async () => ({
      ok: true,
      detail: currencies.map((currency) => outcomeOf(currency, judge(currency))).join("; "),
    }),
  };
}

/** Sources of which the rate is not made are named too: with one of them less there may be no rate. */
function outcomeOf(currency: Currency, { rate, refusal, sources }: Judgement): string {
  const unused = sources.filter(({ verdict }) => rate === undefined || verdict !== "used");
  const why = unused.map(({ source, verdict }) => `${source} ${verdict}`).join(", ");
  const outcome = rate
    ? `${currency} ${formatUsdPrice(rate.usdE8)} USD by ${rate.source}`
    : `no rate of ${currency}: ${refusal}`;
  return why === "" ? outcome : `${outcome} (${why})`;
}
