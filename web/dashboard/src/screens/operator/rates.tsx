import type { RateStatus } from "../../api/operator-operations.ts";
import { spanText } from "../../format/time.ts";
import { Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/show.tsx";
import { language, operatorWords } from "../../words/words.ts";

/** The price of each coin in USD and of USDT in the other currencies, and what each source says. */
export function Rates({ rates }: { readonly rates: readonly RateStatus[] }) {
  const text = operatorWords;
  if (rates.length === 0) return null;
  return (
    <Section title={text.rates}>
      {rates.map(({ currency, fiat_currency: fiat, price, refusal, sources }) => (
        <div key={`${currency} ${fiat}`}>
          <p>
            <strong>{fiat === "USD" ? currency : fiat}</strong>{" "}
            {price !== null && <bdi>{priceOf(currency, fiat, price)}</bdi>}{" "}
            {price === null && <Badge tone="bad">{refusal ?? text.noRate}</Badge>}
          </p>
          <ul className="lines">
            {sources.map(({ source, verdict, price: said, age_seconds, why }) => (
              <li key={source} className="hint">
                {source} {said} {age_seconds === null ? "" : spanText(age_seconds, language)} {verdict} {why}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}

function priceOf(coin: string, fiat: string, price: string): string {
  return fiat === "USD" ? `${price} USD` : `1 ${coin} = ${price} ${fiat}`;
}
