import { useRead } from "../../api/use-call.ts";
import type { SmallSum } from "../../api/work-operations.ts";
import { countText, moneyText } from "../../format/amount.ts";
import { dateText, spanText } from "../../format/time.ts";
import { LoadedRows, Section } from "../../ui/page.tsx";
import { Ago, Facts, Money } from "../../ui/show.tsx";
import { language, words } from "../../words/words.ts";

const LIVE_MS = 60_000;

/** Money that waits because a sweep of it does not pay now, and what it would take. */
export function SmallSums() {
  const sums = useRead("GET /dashboard/v1/settlements/small", {}, { everyMs: LIVE_MS });
  return (
    <LoadedRows from={sums} empty={null}>
      {(rows) => (
        <Section title={words.money.small.title}>
          <div className="tiles">
            {rows.map((sum) => (
              <OneSum key={sum.currency} sum={sum} />
            ))}
          </div>
        </Section>
      )}
    </LoadedRows>
  );
}

function OneSum({ sum }: { readonly sum: SmallSum }) {
  const text = words.money.small;
  const { currency, swept_from: sweptFrom, old_swept_from: oldSweptFrom, cost_usd: usd } = sum;
  return (
    <div>
      <h3 className="label">{currency}</h3>
      <Facts
        rows={[
          [text.amount, <Money key="amount" amount={sum.amount} currency={currency} />],
          [text.addresses, countText(sum.addresses)],
          sum.since !== null && [text.since, dateText(sum.since, language)],
          [
            text.cost,
            <span key="cost">
              <Money amount={sum.cost_trx} currency="TRX" />{" "}
              {usd !== null && <bdi>({moneyText(usd, "USD")})</bdi>}
            </span>,
          ],
          sweptFrom !== null && [text.paysFrom, moneyText(sweptFrom, currency)],
          oldSweptFrom !== null && [
            text.oldPaysFrom({ time: spanText(sum.old_after_seconds, language) }),
            moneyText(oldSweptFrom, currency),
          ],
          [text.asOf, <Ago key="asOf" at={sum.found_at} />],
        ]}
      />
      <p className="hint reasons">{sweptFrom === null ? text.noRate : text.hint}</p>
    </div>
  );
}
