import type { Balance } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useRead } from "../../api/use-call.ts";
import { isZero, moneyText } from "../../format/amount.ts";
import { ends } from "../../ui/copy.tsx";
import { Exports } from "../../ui/exports.tsx";
import { Empty, LoadedRows, Page, Section } from "../../ui/page.tsx";
import { Ago, Badge, Facts, Money } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";
import { settlementTones } from "./settlement-tones.ts";
import { SmallSums } from "./small-sums.tsx";
import { Statements } from "./statements.tsx";
import { Wallets } from "./wallets.tsx";

const LIVE_MS = 15_000;
const SHOWN = 50;

/** Where the money is, and how it reaches the merchant's wallet. */
export function SettlementPage() {
  return (
    <Page title={words.money.title}>
      <Balances />
      <SmallSums />
      <Wallets />
      <Settlements />
      <Statements />
    </Page>
  );
}

function Balances() {
  const balances = useRead("GET /v1/balances", {}, { everyMs: LIVE_MS });
  const { money } = words;
  return (
    <Section title={money.balances}>
      <p className="hint">{money.balanceHint}</p>
      <LoadedRows from={balances} empty={<p className="hint">{money.noBalance}</p>}>
        {(rows) => (
          <div className="tiles">
            {rows.map((row) => (
              <OneBalance key={row.currency} balance={row} />
            ))}
          </div>
        )}
      </LoadedRows>
    </Section>
  );
}

function OneBalance({ balance }: { readonly balance: Balance }) {
  const { money } = words;
  const { currency } = balance;
  const show = (amount: string) => <Money amount={amount} currency={currency} canCopy />;
  return (
    <div>
      <h3 className="label">{currency}</h3>
      <Facts
        rows={[
          [money.confirmed, show(balance.confirmed)],
          [money.fees, show(balance.fees)],
          [money.settled, show(balance.settled)],
          [money.inFlight, show(balance.in_flight)],
          [money.waiting, show(balance.waiting)],
        ]}
      />
      <ul className="reasons">
        {balance.waiting_for.map(({ reason, amount }) => (
          <li key={reason} className="hint">
            {moneyText(amount, currency)}: {money.waitingFor[reason]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Settlements() {
  const list = useRead("GET /v1/settlements", { query: { limit: SHOWN } }, { everyMs: LIVE_MS });
  const { money } = words;
  return (
    <Section title={money.settlements} actions={<Exports list="settlements" />}>
      <LoadedRows from={list} empty={<Empty title={money.noSettlements} hint={money.noSettlementsHint} />}>
        {(rows) => (
          <ul className="rows">
            {rows.map(({ id, amount, currency, status, created_at, address }) => (
              <li key={id}>
                <Link data-row to="/settlements/$id" params={{ id }} className="row" preload={false}>
                  <span className="row-title" title={address}>
                    {ends(address)}
                  </span>
                  <span className="row-amount">
                    {isZero(amount) ? `… ${currency}` : moneyText(amount, currency)}
                  </span>
                  <Badge tone={settlementTones[status]}>{money.statuses[status]}</Badge>
                  <span className="row-time">
                    <Ago at={created_at} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </LoadedRows>
    </Section>
  );
}
