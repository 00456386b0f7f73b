import type { SettlementDetail } from "@daric/sdk/contract";
import { useParams } from "@tanstack/react-router";
import { useRead } from "../../api/use-call.ts";
import { Code } from "../../ui/copy.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Badge, Facts, Money, When } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { Transaction } from "../../ui/transaction.tsx";
import { words } from "../../words/words.ts";
import { settlementTones } from "./settlement-tones.ts";

const LIVE_MS = 10_000;

/** One settlement with its transfers on the chain. */
export function OneSettlementPage() {
  const { id } = useParams({ from: "/inside/settlements/$id" });
  const settlement = useRead("GET /v1/settlements/{id}", { path: { id } }, { everyMs: LIVE_MS });
  return (
    <Page title={words.money.settlement}>
      <Loaded from={settlement}>{(loaded) => <Detail settlement={loaded} />}</Loaded>
    </Page>
  );
}

function Detail({ settlement }: { readonly settlement: SettlementDetail }) {
  const { money, common } = words;
  const { amount, currency, address, status, network_cost, failure_reason, created_at, ended_at } =
    settlement;
  const transactions = settlement.sweeps.flatMap((sweep) => sweep.transactions);
  return (
    <>
      <Section>
        <Facts
          rows={[
            [common.amount, <Money key="a" amount={amount} currency={currency} canCopy />],
            [
              common.status,
              <Badge key="s" tone={settlementTones[status]}>
                {money.statuses[status]}
              </Badge>,
            ],
            failure_reason !== null && [common.problem, failure_reason],
            [money.wallet, <Code key="w" text={address} />],
            [money.cost, <Money key="c" amount={network_cost} currency="TRX" />],
            [common.created, <When key="t" at={created_at} />],
            ended_at !== null && [money.ended, <When key="e" at={ended_at} />],
          ]}
        />
      </Section>
      <Section title={money.transfers}>
        <Table
          label={money.transfers}
          rows={transactions}
          keyOf={({ tx_hash, purpose }) => `${purpose}-${tx_hash}`}
          columns={[
            {
              name: words.common.status,
              cell: ({ purpose, outcome }) =>
                money.purposes[purpose] + (outcome ? `, ${money.outcomes[outcome]}` : ""),
            },
            {
              name: words.payments.transaction,
              cell: ({ tx_hash }) => tx_hash && <Transaction txHash={tx_hash} />,
            },
            { name: words.payments.block, cell: ({ block_number }) => block_number ?? "–" },
            {
              name: money.cost,
              isEnd: true,
              cell: ({ fee }) => (fee === null ? "–" : <Money amount={fee} currency="TRX" />),
            },
          ]}
        />
      </Section>
    </>
  );
}
