import type { CreatedDepositAddress } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useRead } from "../../api/use-call.ts";
import type { Decision, InboxRow } from "../../api/work-operations.ts";
import { isZero, moneyText } from "../../format/amount.ts";
import { useMay } from "../../session/session-store.ts";
import { AskForRest } from "../../ui/ask-for-rest.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { TextField } from "../../ui/field.tsx";
import { Empty, LoadedRows, Page } from "../../ui/page.tsx";
import { ReadyLink } from "../../ui/ready-link.tsx";
import { Ago, Badge, Money } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const LIVE_MS = 10_000;
const LIST = "GET /dashboard/v1/inbox";
const DECIDE = "POST /dashboard/v1/inbox/{id}/decide";

/** Payments that wait for a decision. Empty means done. */
export function InboxPage() {
  const list = useRead(LIST, {}, { everyMs: LIVE_MS });
  const [rest, setRest] = useState<CreatedDepositAddress>();
  const { inbox } = words.work;
  return (
    <Page title={inbox.title}>
      {rest && <ReadyLink link={rest} />}
      <LoadedRows from={list} empty={<Empty title={inbox.empty} hint={inbox.emptyHint} />}>
        {(rows) => (
          <ul className="cards">
            {rows.map((row) => (
              <Case key={row.id} row={row} onRest={setRest} />
            ))}
          </ul>
        )}
      </LoadedRows>
    </Page>
  );
}

type CaseProps = { readonly row: InboxRow; readonly onRest: (rest: CreatedDepositAddress) => void };

function Case({ row, onRest }: CaseProps) {
  const { inbox } = words.work;
  const { id } = row;
  const mayDecide = useMay("charges:write");
  const mayAccept = useMay("orders:accept");
  return (
    <li className="card case">
      <div>
        <p className="buttons">
          {row.reasons.map((reason) => (
            <Badge key={reason} tone="attention">
              {inbox.reasons[reason].title}
            </Badge>
          ))}
          <Ago at={row.at} />
        </p>
        <Link data-row to="/payments/$id" params={{ id }} className="case-title">
          {row.order_ref ?? words.payments.noReference}
        </Link>
        <Received row={row} />
        {row.reasons.map((reason) => (
          <p key={reason} className="hint">
            {inbox.reasons[reason].hint}
          </p>
        ))}
      </div>
      {mayDecide && (
        <div className="buttons">
          {mayAccept && row.actions.includes("accept") && <Decide id={id} decision="accept" row={row} />}
          {row.actions.includes("rest") && <AskForRest id={id} onAsked={onRest} />}
          <Decide id={id} decision="dismiss" row={row} />
        </div>
      )}
    </li>
  );
}

/** The money of the order and its rests, and their price. Money of another currency is shown alone if no other came. */
function Received({ row }: { readonly row: InboxRow }) {
  const { credited_amount: received, price_amount: due, currency } = row;
  const { unmatched_amount: other, unmatched_currency: otherCurrency } = row;
  return (
    <>
      {other !== null && otherCurrency !== null && (
        <p className="figure">
          <Money amount={other} currency={otherCurrency} />
        </p>
      )}
      {(other === null || !isZero(received)) && (
        <p className="figure">
          {due === null ? (
            <Money amount={received} currency={currency} />
          ) : (
            words.work.inbox.receivedOf({
              received: moneyText(received, currency),
              due: moneyText(due, currency),
            })
          )}
        </p>
      )}
    </>
  );
}

type DecideProps = {
  readonly id: string;
  readonly decision: Decision & ("accept" | "dismiss");
  readonly row: InboxRow;
};

/** A decision with its reason, which is written down beside it. */
function Decide({ id, decision, row }: DecideProps) {
  const change = useChange(DECIDE);
  const { inbox } = words.work;
  const isAccept = decision === "accept";
  const received = moneyText(row.credited_amount, row.currency);
  const due = moneyText(row.price_amount ?? row.credited_amount, row.currency);
  return (
    <ConfirmButton
      kind={isAccept ? "primary" : "plain"}
      label={isAccept ? words.payments.accept : inbox.dismiss}
      hint={isAccept ? words.payments.acceptHint({ received, due }) : inbox.dismissHint}
      change={change}
      onConfirm={({ note = "" }) => change.mutateAsync({ path: { id }, body: { decision, note } })}
    >
      <TextField label={inbox.note} name="note" maxLength={500} />
    </ConfirmButton>
  );
}
