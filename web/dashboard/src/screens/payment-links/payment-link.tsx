import type { PaymentLink } from "@daric/sdk/contract";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useRead } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { linkToneOf, priceText } from "../../format/payment-link.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Problem } from "../../ui/form.tsx";
import { Empty, Loaded, LoadedRows, Page, Section } from "../../ui/page.tsx";
import { PaymentRow } from "../../ui/payment-row.tsx";
import { Badge, Facts, When } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";
import { ChangeLink } from "./change-link.tsx";
import { LinkButtonCode } from "./link-button-code.tsx";
import { ShareLink } from "./share-link.tsx";

const ONE = "GET /v1/payment-links/{id}";
const LIVE_MS = 5_000;
const SHOWN = 10;

/** One payment link: to share, to pause, to change, and what it has sold. */
export function PaymentLinkPage() {
  const { id } = useParams({ from: "/inside/payment-links/$id" });
  const link = useRead(ONE, { path: { id } }, { everyMs: LIVE_MS });
  const actions = link.data && <Actions link={link.data} />;
  return (
    <Page title={link.data?.title ?? words.paymentLinks.one} actions={actions}>
      <Loaded from={link}>{(row) => <PaymentLinkParts link={row} />}</Loaded>
    </Page>
  );
}

type Props = { readonly link: PaymentLink };

function PaymentLinkParts({ link }: Props) {
  return (
    <div className="columns">
      <div>
        <ShareLink link={link} />
        <LinkPayments id={link.id} />
      </div>
      <div>
        <LinkFacts link={link} />
        {link.url !== null && <LinkButtonCode title={link.title} url={link.url} />}
      </div>
    </div>
  );
}

function Actions({ link: { id, status, url }, link }: Props) {
  const [isChanging, setChanging] = useState(false);
  const change = useChange("PATCH /v1/payment-links/{id}", [ONE, "GET /v1/payment-links"]);
  const mayWrite = useMay("charges:write");
  const isPaused = status === "disabled";
  const text = words.paymentLinks;
  return (
    <>
      {mayWrite && (
        <>
          <Button
            kind={isPaused ? "primary" : "plain"}
            isBusy={change.isPending}
            onClick={() => change.mutate({ path: { id }, body: { isActive: isPaused } })}
          >
            {isPaused ? text.resume : text.pause}
          </Button>
          <Button onClick={() => setChanging(true)}>{text.edit}</Button>
        </>
      )}
      {url !== null && (
        <a className="button plain" href={url} target="_blank" rel="noreferrer">
          {words.payments.openPage} ↗
        </a>
      )}
      <Problem error={change.error} />
      {isChanging && <ChangeLink link={link} onClose={() => setChanging(false)} />}
    </>
  );
}

function LinkFacts({ link }: Props) {
  const { common, payments, paymentLinks: text, work, money } = words;
  const { status, max_payments: most, expires_at: end, ask, created_at } = link;
  const paid = { paid: countText(link.orders_paid), most: countText(most ?? 0) };
  return (
    <Section>
      <Facts
        rows={[
          [
            common.status,
            <Badge key="s" tone={linkToneOf(status)}>
              {text.statuses[status]}
            </Badge>,
          ],
          [payments.price, priceText(link)],
          [work.home.orders, most === null ? paid.paid : text.paidOf(paid)],
          [text.openOrders, countText(link.orders_open)],
          link.description !== null && [text.description, link.description],
          [text.end, end === null ? payments.noExpiry : <When key="e" at={end} />],
          ask.length > 0 && [text.asked, ask.map((question) => text.asks[question]).join(" · ")],
          link.thanks !== null && [text.thanks, link.thanks],
          link.order_ref_prefix !== null && [text.prefix, <code key="p">{link.order_ref_prefix}</code>],
          link.settlement_account_id !== null && [
            money.wallet,
            <Code key="w" text={link.settlement_account_id} isShort />,
          ],
          link.success_url !== null && [work.ask.successUrl, link.success_url],
          link.cancel_url !== null && [text.cancelUrl, link.cancel_url],
          [common.created, <When key="c" at={created_at} />],
          [payments.id, <Code key="i" text={link.id} isShort />],
        ]}
      />
    </Section>
  );
}

/** The newest payments of the link. */
function LinkPayments({ id }: { readonly id: string }) {
  const query = { paymentLinkId: id, limit: String(SHOWN) };
  const list = useRead("GET /dashboard/v1/payments", { query }, { everyMs: LIVE_MS });
  const text = words.paymentLinks;
  const all = (
    <Link to="/payments" search={{ paymentLinkId: id }}>
      {words.work.home.all}
    </Link>
  );
  return (
    <Section title={text.payments} actions={(list.data?.length ?? 0) > 0 && all}>
      <LoadedRows from={list} empty={<Empty title={text.noPayments} />}>
        {(rows) => (
          <ul className="rows">
            {rows.map((row) => (
              <li key={row.id}>
                <PaymentRow row={row} />
              </li>
            ))}
          </ul>
        )}
      </LoadedRows>
    </Section>
  );
}
