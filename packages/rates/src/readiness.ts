import { type Currency, currencies } from "@daric/domain/asset";
import { formatUsdPrice } from "@daric/domain/money";
import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import type { RateKeeper } from "./keep-rates.ts";
import type { RateVerdict } from "./rate-verdict.ts";

/** Reports the rates. The check never fails, because orders priced in a coin need no rate. */
export function rateCheck({ verdictOf }: Pick<RateKeeper, "verdictOf">): ReadinessCheck {
  return {
    name: "rates",
    check: async () => ({
      ok: true,
      detail: currencies.map((currency) => outcomeOf(currency, verdictOf(currency))).join("; "),
    }),
  };
}

/** Names the sources that the rate does not use too: without one more of them there may be no rate. */
function outcomeOf(currency: Currency, { rate, refusal, sources }: RateVerdict): string {
  const unused = sources.filter(({ verdict }) => rate === undefined || verdict !== "used");
  const why = unused.map(({ source, verdict }) => `${source} ${verdict}`).join(", ");
  const outcome = rate
    ? `${currency} ${formatUsdPrice(rate.usdE8)} USD by ${rate.source}`
    : `no rate of ${currency}: ${refusal}`;
  return why === "" ? outcome : `${outcome} (${why})`;
}
