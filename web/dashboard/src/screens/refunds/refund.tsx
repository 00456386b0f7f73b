import type { Refund } from "@daric/sdk/contract";
import { Link, useParams } from "@tanstack/react-router";
import { useRead } from "../../api/use-call.ts";
import type { RefundFacts } from "../../api/work-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { isPayable, nowText, refundStatusText, refundToneOf } from "../../format/refund-state.ts";
import { useMay } from "../../session/session-store.ts";
import { ClaimLink } from "../../ui/claim-link.tsx";
import { Code, ends } from "../../ui/copy.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Badge, Facts, Money, When } from "../../ui/show.tsx";
import { Transaction } from "../../ui/transaction.tsx";
import { refundWords } from "../../words/refund-words.ts";
import { words } from "../../words/words.ts";
import { Decisions } from "./decisions.tsx";
import { Pay } from "./pay.tsx";
import { RefundTransfers } from "./refund-transfers.tsx";

/** How often a refund that still moves is read again. */
const LIVE_MS = 3_000;

/** One refund: what it waits for, what to check, and how it is paid. */
export function RefundPage() {
  const { id } = useParams({ from: "/inside/refunds/$id" });
  const refund = useRead("GET /v1/refunds/{id}", { path: { id } }, { everyMs: LIVE_MS });
  const facts = useRead("GET /dashboard/v1/refunds/{id}", { path: { id } }, { everyMs: LIVE_MS });
  const found = refund.data;
  const title = found?.order_ref ?? refundWords.one;
  const actions = found && facts.data && <Decisions refund={found} facts={facts.data} />;
  return (
    <Page title={title} actions={actions}>
      <Loaded from={refund}>
        {(row) => <Loaded from={facts}>{(known) => <Detail refund={row} facts={known} />}</Loaded>}
      </Loaded>
    </Page>
  );
}

type Parts = { readonly refund: Refund; readonly facts: RefundFacts };

function Detail({ refund, facts }: Parts) {
  const { amount, currency, status, claim_url: url, claim_expires_at: until } = refund;
  const mayAsk = useMay("refunds:ask");
  const mayPay = useMay("refunds:pay");
  return (
    <div className="columns">
      <div>
        <Section>
          <div className="figures">
            <p className="figure">
              <Money amount={amount} currency={currency} canCopy />
            </p>
            <Badge tone={refundToneOf(refund)}>{refundStatusText(refund)}</Badge>
          </div>
          <p className={facts.is_ours ? "" : "problem"}>{nowText(refund, facts)}</p>
          {mayPay && isPayable(refund, facts) && <Pay refund={refund} facts={facts} />}
        </Section>
        {mayAsk && url !== null && status !== "CANCELED" && (
          <Section title={refundWords.link}>
            <ClaimLink url={url} until={facts.is_claim_open ? until : null} />
          </Section>
        )}
        <RefundTransfers refund={refund} facts={facts} />
      </div>
      <div>
        <Checks refund={refund} facts={facts} />
        <Times refund={refund} />
      </div>
    </div>
  );
}

/** The facts to check before money leaves: the asker, the side that named the address, and whether the address paid the order. */
function Checks({ refund, facts }: Parts) {
  const { address, default_address: sender, deposit_address_id: id, order_ref: orderRef } = refund;
  const { named_by: namedBy, has_paid: hasPaid, replaced_addresses: replaced } = facts;
  return (
    <Section>
      <Facts
        rows={[
          [
            words.payments.one,
            <Link key="p" to="/payments/$id" params={{ id }} dir="auto">
              {orderRef ?? ends(id)}
            </Link>,
          ],
          // Whole: addresses that only look alike show the ends that people compare.
          address !== null && [words.common.address, <Code key="a" text={address} />],
          namedBy !== null && [refundWords.namedBy, refundWords[namedBy]],
          hasPaid !== null && [
            refundWords.hasPaid,
            <Badge key="h" tone={hasPaid ? "good" : "attention"}>
              {hasPaid ? refundWords.yes : refundWords.no}
            </Badge>,
          ],
          sender !== null && [refundWords.defaultAddress, <Code key="s" text={sender} />],
          ...replaced.map((old) => [refundWords.replaced, <Code key={old} text={old} />] as const),
          [refundWords.askedBy, askerText(facts)],
          refund.reason !== null && [refundWords.reason, <bdi key="r">{refund.reason}</bdi>],
          refund.fiat_amount !== null && [refundWords.fiatPart, refund.fiat_amount],
          refund.refund_ref !== null && [refundWords.refundRef, <bdi key="f">{refund.refund_ref}</bdi>],
        ]}
      />
    </Section>
  );
}

function askerText({ asked_by: asker }: RefundFacts): string {
  if (asker === null) return refundWords.byNobody;
  const name = asker.name ?? ends(asker.id);
  return asker.kind === "key" ? refundWords.byKey({ name }) : name;
}

function Times({ refund }: { readonly refund: Refund }) {
  const { tx_hash: txHash, paid_amount: paid, currency, ready_at: readyAt } = refund;
  const endedAt = refund.completed_at ?? refund.canceled_at;
  return (
    <Section>
      <Facts
        rows={[
          [refundWords.requested, <When key="q" at={refund.requested_at} />],
          readyAt !== null && [refundWords.ready, <When key="r" at={readyAt} />],
          endedAt !== null && [refundWords.ended, <When key="e" at={endedAt} />],
          txHash !== null && [words.payments.transaction, <Transaction key="t" txHash={txHash} />],
          paid !== null && [refundWords.paidAmount, moneyText(paid, currency)],
          [words.payments.id, <Code key="i" text={refund.id} isShort />],
        ]}
      />
    </Section>
  );
}
