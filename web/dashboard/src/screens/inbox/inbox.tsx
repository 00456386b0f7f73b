import type { CreatedDepositAddress, Refund } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../api/use-call.ts";
import type { InboxRow } from "../../api/work-operations.ts";
import { isZero, moneyText } from "../../format/amount.ts";
import { useMay } from "../../session/session-store.ts";
import { AskForRest } from "../../ui/ask-for-rest.tsx";
import { AskedRefund, AskRefund } from "../../ui/ask-refund.tsx";
import { Empty, LoadedRows, Page } from "../../ui/page.tsx";
import { ReadyLink } from "../../ui/ready-link.tsx";
import { Ago, Badge, Money } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";
import { Decide } from "./decide.tsx";
import { RefundTasks } from "./refund-tasks.tsx";

const LIVE_MS = 10_000;
const LIST = "GET /dashboard/v1/inbox";

/** Payments that wait for a decision. Empty means done. */
export function InboxPage() {
  const list = useRead(LIST, {}, { everyMs: LIVE_MS });
  const isWanted = useMay("refunds:read");
  const refunds = useRead("GET /dashboard/v1/inbox/refunds", {}, { everyMs: LIVE_MS, isWanted });
  const [rest, setRest] = useState<CreatedDepositAddress>();
  const [asked, setAsked] = useState<Refund>();
  const { inbox } = words.work;
  const tasks = refunds.data ?? [];
  const empty = tasks.length === 0 && <Empty title={inbox.empty} hint={inbox.emptyHint} />;
  return (
    <Page title={inbox.title}>
      {rest && <ReadyLink link={rest} />}
      {asked && <AskedRefund refund={asked} onClose={() => setAsked(undefined)} />}
      <RefundTasks tasks={tasks} />
      <LoadedRows from={list} empty={empty}>
        {(rows) => (
          <ul className="cards">
            {rows.map((row) => (
              <Case key={row.id} row={row} onRest={setRest} onAsked={setAsked} />
            ))}
          </ul>
        )}
      </LoadedRows>
    </Page>
  );
}

type CaseProps = {
  readonly row: InboxRow;
  readonly onRest: (rest: CreatedDepositAddress) => void;
  readonly onAsked: (refund: Refund) => void;
};

function Case({ row, onRest, onAsked }: CaseProps) {
  const { inbox } = words.work;
  const { id } = row;
  const mayDecide = useMay("charges:write");
  const mayAccept = useMay("orders:accept");
  const mayRefund = useMay("refunds:ask");
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
      <div className="buttons">
        {mayAccept && row.actions.includes("accept") && <Decide id={id} decision="accept" money={row} />}
        {mayDecide && row.actions.includes("rest") && <AskForRest id={id} onAsked={onRest} />}
        {mayRefund &&
          row.refunds.map((suggested) => (
            <AskRefund key={suggested.currency} id={id} suggested={suggested} onAsked={onAsked} />
          ))}
        {mayDecide && <Decide id={id} decision="dismiss" money={row} />}
      </div>
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
