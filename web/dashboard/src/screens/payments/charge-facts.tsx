import type { DepositAddress } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { Code, ends } from "../../ui/copy.tsx";
import { Section } from "../../ui/page.tsx";
import { Facts, Money, When } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

/** The address, the price and the terms of a payment. */
export function ChargeFacts({ charge }: { readonly charge: DepositAddress }) {
  const { payments, paymentLinks, common } = words;
  const { fiat_amount: price, fiat_currency: fiat, quote_rate: rate, quote_source: source } = charge;
  return (
    <Section>
      <Facts
        rows={[
          [common.address, <Code key="a" text={charge.address} />],
          price !== null &&
            fiat !== null && [payments.price, <Money key="f" amount={price} currency={fiat} />],
          rate !== null && [payments.rateUntil, <When key="q" at={charge.quote_expires_at} />],
          rate !== null && [
            common.currency,
            payments.rate({ rate: `${rate} ${charge.currency}`, fiat: fiat ?? "", source: source ?? "" }),
          ],
          [payments.feeMode, payments.fee[charge.fee_mode]],
          [common.created, <When key="c" at={charge.created_at} />],
          [
            payments.expires,
            charge.expires_at === null ? payments.noExpiry : <When key="e" at={charge.expires_at} />,
          ],
          charge.payment_link_id !== null && [paymentLinks.one, <MadeBy key="m" charge={charge} />],
          charge.payment_link_id === null && charge.label !== null && [payments.label, charge.label],
          charge.customer_ref !== null && [payments.customer, charge.customer_ref],
          charge.customer_email !== null &&
            charge.customer_email_source !== null && [
              common.email,
              payments.emailSources[charge.customer_email_source]({ address: charge.customer_email }),
            ],
          charge.customer_email_later !== null && [payments.emailLater, charge.customer_email_later],
          charge.checkout_url !== null && [
            payments.page,
            <Code key="u" text={charge.checkout_url} isShort />,
          ],
          [payments.id, <Code key="i" text={charge.id} isShort />],
          ...Object.entries(charge.metadata ?? {}).map(([key, value]) => [key, value] as const),
        ]}
      />
    </Section>
  );
}

/** The payment link on which the order was made; its title then is the order's label. */
function MadeBy({ charge: { payment_link_id: id, label } }: { readonly charge: DepositAddress }) {
  return (
    id !== null && (
      <Link to="/payment-links/$id" params={{ id }} dir="auto">
        {label ?? ends(id)}
      </Link>
    )
  );
}

/** The texts that the customer typed on the page of a payment link, and the reference in its address. */
export function Typed({ charge: { payer, payer_ref: payerRef } }: { readonly charge: DepositAddress }) {
  const text = words.paymentLinks.typed;
  if (payer === null && payerRef === null) return null;
  const { name = null, note = null } = payer ?? {};
  return (
    <Section title={text.title}>
      <p className="hint">{text.hint}</p>
      <Facts
        rows={[
          name !== null && [words.common.name, <bdi key="n">{name}</bdi>],
          note !== null && [text.note, <bdi key="t">{note}</bdi>],
          payerRef !== null && [
            text.ref,
            <Link key="r" to="/payments" search={{ payerRef }}>
              {payerRef}
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}
