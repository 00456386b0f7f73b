import { formatPrice } from "@daric/domain/money";
import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import type { RateKeeper } from "./keep-rates.ts";
import type { RateVerdict } from "./rate-verdict.ts";
import type { Priced } from "./sources.ts";

/** Reports the rates. The check never fails, because orders priced in a coin need no rate. */
export function rateCheck({ verdictOf, watched }: Pick<RateKeeper, "verdictOf" | "watched">): ReadinessCheck {
  return {
    name: "rates",
    check: async () => ({
      ok: true,
      detail: watched()
        .map((priced) => outcomeOf(priced, verdictOf(priced)))
        .join("; "),
    }),
  };
}

/** Names the sources that the rate does not use too: without one more of them there may be no rate. */
function outcomeOf(priced: Priced, { rate, refusal, sources }: RateVerdict): string {
  const unused = sources.filter(({ verdict }) => rate === undefined || verdict !== "used");
  const why = unused.map(({ source, verdict }) => `${source} ${verdict}`).join(", ");
  const outcome = rate
    ? `${rate.currency} ${formatPrice(rate.priceE8)} ${rate.fiatCurrency} by ${rate.source}`
    : `no rate of ${priced}: ${refusal}`;
  return why === "" ? outcome : `${outcome} (${why})`;
}
