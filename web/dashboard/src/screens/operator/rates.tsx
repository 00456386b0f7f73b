import type { RateStatus } from "../../api/operator-operations.ts";
import { spanText } from "../../format/time.ts";
import { Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/show.tsx";
import { language, operatorWords } from "../../words/words.ts";

/** The rate of each currency, and what each source says. */
export function Rates({ rates }: { readonly rates: readonly RateStatus[] }) {
  const text = operatorWords;
  if (rates.length === 0) return null;
  return (
    <Section title={text.rates}>
      {rates.map(({ currency, price, refusal, sources }) => (
        <div key={currency}>
          <p>
            <strong>{currency}</strong> {price === null ? "" : `${price} USD`}{" "}
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
