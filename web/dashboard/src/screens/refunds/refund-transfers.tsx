import type { Refund } from "@daric/sdk/contract";
import { useChange } from "../../api/use-call.ts";
import type { RefundFacts } from "../../api/work-operations.ts";
import { useMay } from "../../session/session-store.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Code } from "../../ui/copy.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { Badge, Facts, Money } from "../../ui/show.tsx";
import { Transaction } from "../../ui/transaction.tsx";
import { refundWords } from "../../words/refund-words.ts";
import { words } from "../../words/words.ts";

type Props = { readonly refund: Refund; readonly facts: RefundFacts };
type Listed = RefundFacts["transfers"][number];

const CONFIRM = "POST /v1/refunds/{id}/transaction";

/** Transfers to the addresses of a refund, and the way to name the one that paid it. */
export function RefundTransfers({ refund, facts }: Props) {
  const mayPay = useMay("refunds:pay");
  const { id, ready_at: readyAt, tx_hash: txHash } = refund;
  const isUnpaid = mayPay && readyAt !== null && txHash === null && facts.is_ours;
  if (facts.transfers.length === 0 && !isUnpaid) return null;
  return (
    <Section title={refundWords.transfers} actions={isUnpaid && <NameIt id={id} />}>
      {facts.transfers.map((transfer) => (
        <OneTransfer key={transfer.tx_hash} transfer={transfer}>
          {isUnpaid && transfer.status === "PROPOSED" && transfer.is_in_chain && (
            <ItIsThis id={id} txHash={transfer.tx_hash} />
          )}
        </OneTransfer>
      ))}
    </Section>
  );
}

const tones = { PROPOSED: "attention", TAKEN: "progress", FINAL: "good", DROPPED: "quiet" } as const;

function OneTransfer({
  transfer,
  children,
}: {
  readonly transfer: Listed;
  readonly children: React.ReactNode;
}) {
  const { amount, currency, status, tx_hash: txHash, from_address: from, to_address: to } = transfer;
  const shown = transfer.is_in_chain ? status : "DROPPED";
  return (
    <article className="transfer">
      <p className="figures">
        <Money amount={amount} currency={currency} />
        <Badge tone={tones[shown]}>{refundWords.transferStatuses[shown]}</Badge>
      </p>
      <Facts
        rows={[
          [words.payments.transaction, <Transaction key="t" txHash={txHash} />],
          [words.payments.from, <Code key="f" text={from} />],
          [refundWords.to, <Code key="o" text={to} />],
          [words.payments.block, String(transfer.block_number)],
        ]}
      />
      {children && <div className="buttons">{children}</div>}
    </article>
  );
}

function ItIsThis({ id, txHash }: { readonly id: string; readonly txHash: string }) {
  const change = useChange(CONFIRM);
  return (
    <ConfirmButton
      kind="primary"
      label={refundWords.itIsThis}
      hint={refundWords.itIsThisHint}
      change={change}
      onConfirm={() => change.mutateAsync({ path: { id }, body: { txHash } })}
    />
  );
}

function NameIt({ id }: { readonly id: string }) {
  const change = useChange(CONFIRM);
  return (
    <ConfirmButton
      kind="quiet"
      label={refundWords.nameIt}
      hint={refundWords.nameItHint}
      change={change}
      onConfirm={({ txHash = "" }) => change.mutateAsync({ path: { id }, body: { txHash } })}
    >
      <TextField label={refundWords.txHash} name="txHash" spellCheck={false} autoComplete="off" />
    </ConfirmButton>
  );
}
