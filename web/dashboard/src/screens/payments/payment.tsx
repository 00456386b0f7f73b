import type { CreatedDepositAddress, DepositAddress } from "@daric/sdk/contract";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { pageContext, urlOf } from "../../api/call.ts";
import { useRead } from "../../api/use-call.ts";
import type { History } from "../../api/work-operations.ts";
import { countText } from "../../format/amount.ts";
import { missingOf, surplusOf, toneOf } from "../../format/payment-state.ts";
import { refundMoments } from "../../format/refund-story.ts";
import { byTime, storyOf } from "../../format/story.ts";
import { useMay } from "../../session/session-store.ts";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { PaymentRow } from "../../ui/payment-row.tsx";
import { ReadyLink } from "../../ui/ready-link.tsx";
import { Badge, Facts, Money } from "../../ui/show.tsx";
import { currentTag, words } from "../../words/words.ts";
import { Actions } from "./actions.tsx";
import { ChargeFacts, Typed } from "./charge-facts.tsx";
import { Notes } from "./notes.tsx";
import { Refunds } from "./refunds.tsx";
import { Simulation } from "./simulation.tsx";
import { Story } from "./story.tsx";
import { Transfers } from "./transfers.tsx";

/** How often a payment that still moves is read again. */
const LIVE_MS = 3_000;
/** The deposits and the notes that the service answers at most. */
const MAX_ROWS = 100;
const MAX_ENTRIES = 500;

/** One payment: what is due, what came, and everything that happened. */
export function PaymentPage() {
  const { id } = useParams({ from: "/inside/payments/$id" });
  const charge = useRead("GET /v1/deposit-addresses/{id}", { path: { id } }, { everyMs: LIVE_MS });
  const history = useRead("GET /dashboard/v1/payments/{id}/story", { path: { id } }, { everyMs: LIVE_MS });
  const [rest, setRest] = useState<CreatedDepositAddress>();
  const found = charge.data;
  const title = found?.order_ref ?? found?.customer_ref ?? found?.label ?? words.payments.one;
  const actions = found && (
    <>
      <Receipt charge={found} />
      <Actions charge={found} history={history.data} onRest={setRest} />
    </>
  );
  return (
    <Page title={title} actions={actions}>
      {rest && <ReadyLink link={rest} />}
      <Loaded from={charge}>{(row) => <Payment charge={row} history={history.data} />}</Loaded>
    </Page>
  );
}

/** The receipt of money that is confirmed. */
function Receipt({ charge: { id, amount_received: received } }: { readonly charge: DepositAddress }) {
  if (Number(received) === 0) return null;
  const query = { merchantId: pageContext.merchantId, language: currentTag() };
  return (
    <a className="button quiet" href={urlOf("/dashboard/v1/payments/{id}/receipt", { id }, query)} download>
      {words.payments.receipt}
    </a>
  );
}

type PaymentParts = { readonly charge: DepositAddress; readonly history: History | undefined };

function Payment({ charge, history }: PaymentParts) {
  const deposits = useRead(
    "GET /v1/deposits",
    { query: { depositAddressId: charge.id, limit: MAX_ROWS } },
    { everyMs: LIVE_MS },
  );
  const mayReadPeople = useMay("account:read");
  const people = useRead("GET /dashboard/v1/people", {}, { isWanted: mayReadPeople });
  const nameOf = (id: string) => people.data?.find((person) => person.id === id)?.name ?? id;
  const { entries = [], notes = [] } = history ?? {};
  const mayReadRefunds = useMay("refunds:read");
  const refunds = useRead(
    "GET /dashboard/v1/payments/{id}/refunds",
    { path: { id: charge.id } },
    { everyMs: LIVE_MS, isWanted: mayReadRefunds },
  );
  const story = [
    ...storyOf({ charge, deposits: deposits.data ?? [], entries, notes, nameOf }),
    ...(refunds.data === undefined ? [] : refundMoments(refunds.data)),
  ].sort(byTime);
  const isCut =
    entries.length >= MAX_ENTRIES || notes.length >= MAX_ROWS || deposits.data?.length === MAX_ROWS;
  const maySimulate = useMay("charges:write");
  return (
    <div className="columns">
      <div>
        <Sums charge={charge} history={history} />
        <Family rows={history?.family ?? []} />
        {refunds.data && <Refunds charge={charge} found={refunds.data} />}
        <Section title={words.payments.story}>
          <Story moments={story} />
          {isCut && <p className="hint">{words.common.mayBeMore({ count: countText(story.length) })}</p>}
        </Section>
        <Notes id={charge.id} />
      </div>
      <div>
        <ChargeFacts charge={charge} />
        <Typed charge={charge} />
        <Transfers deposits={deposits} />
        {maySimulate && <Simulation id={charge.id} />}
      </div>
    </div>
  );
}

/** The order and its rests, the oldest first. */
function Family({ rows }: { readonly rows: History["family"] }) {
  const { payments } = words;
  if (rows.length === 0) return null;
  return (
    <Section title={payments.family}>
      <ul className="rows">
        {rows.map((row, n) => (
          <li key={row.id}>
            <PaymentRow row={row} title={n === 0 ? payments.firstOrder : payments.restOrder} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The three amounts that matter, and the state in a word. */
function Sums({ charge, history }: PaymentParts) {
  const { payments } = words;
  const { currency, amount_due: due, amount_received: received, amount_pending: pending } = charge;
  const { state, difference = null } = history ?? {};
  const rest = missingOf(difference, charge.accepted_at);
  const over = surplusOf(difference);
  return (
    <Section>
      <div className="figures">
        <div>
          <p className="label">{payments.due}</p>
          <p className="figure">
            {due === null ? payments.anyAmount : <Money amount={due} currency={currency} canCopy />}
          </p>
        </div>
        <div>
          <p className="label">{payments.received}</p>
          <p className="figure">
            <Money amount={received} currency={currency} canCopy />
          </p>
        </div>
        {state && <Badge tone={toneOf(state)}>{payments.states[state]}</Badge>}
      </div>
      <Facts
        rows={[
          pending !== "0" && [
            payments.pending,
            <Money key="p" amount={pending} currency={currency} canCopy />,
          ],
          rest !== null &&
            received !== "0" && [payments.rest, <Money key="r" amount={rest} currency={currency} canCopy />],
          over !== null && [payments.surplus, <Money key="o" amount={over} currency={currency} canCopy />],
        ]}
      />
    </Section>
  );
}
