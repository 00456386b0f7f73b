import type { Deposit } from "@daric/sdk/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { groupDigits, moneyText } from "../../format/amount.ts";
import { depositToneOf } from "../../format/payment-state.ts";
import { timeText } from "../../format/time.ts";
import { Code } from "../../ui/copy.tsx";
import { LoadedRows, Section } from "../../ui/page.tsx";
import { Badge, Facts, Money } from "../../ui/show.tsx";
import { Transaction } from "../../ui/transaction.tsx";
import { language, words } from "../../words/words.ts";

/** Every transfer on the chain to the address of a payment. */
export function Transfers({ deposits }: { readonly deposits: UseQueryResult<Deposit[]> }) {
  return (
    <Section title={words.payments.transfers}>
      <LoadedRows from={deposits} empty={<p className="hint">{words.payments.noTransfers}</p>}>
        {(rows) => rows.map((row) => <Transfer key={row.id} deposit={row} />)}
      </LoadedRows>
    </Section>
  );
}

function Transfer({ deposit }: { readonly deposit: Deposit }) {
  const { payments } = words;
  const { status, amount, currency, confirmations, required_confirmations: needed } = deposit;
  const isMoving = status === "CONFIRMING" || status === "DETECTED";
  return (
    <article className="transfer">
      <p className="figures">
        <Money amount={amount} currency={currency} canCopy />
        <BookValue deposit={deposit} />
        <Badge tone={depositToneOf(status)}>{payments.deposit[status]}</Badge>
      </p>
      {isMoving && (
        <>
          <progress
            max={needed}
            value={Math.min(confirmations, needed)}
            aria-label={payments.deposit.CONFIRMING}
          />
          <p className="hint">{payments.confirmations({ count: Math.min(confirmations, needed), needed })}</p>
        </>
      )}
      <Facts
        rows={[
          [payments.transaction, <Transaction key="t" txHash={deposit.tx_hash} />],
          [payments.block, String(deposit.block_number)],
          // Whole: addresses that only look alike show the ends that people compare.
          deposit.from_address !== null && [payments.from, <Code key="f" text={deposit.from_address} />],
          deposit.late && [words.common.status, payments.late],
          deposit.unmatched && [words.common.currency, payments.unmatched],
        ]}
      />
    </article>
  );
}

/** The value of a transfer in the merchant's books, once it is known. */
function BookValue({ deposit }: { readonly deposit: Deposit }) {
  const { currency, book_currency: code, book_amount: amount, book_rate: rate, book_rate_at: at } = deposit;
  if (code === null || amount === null || rate === null || at === null) return null;
  const how = `1 ${currency} = ${groupDigits(rate)} ${code} · ${deposit.book_rate_sources} · ${timeText(at, language)}`;
  return (
    <small className="hint" title={how}>
      ≈ {moneyText(amount, code)}
    </small>
  );
}
