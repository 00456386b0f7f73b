import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { formatAmount, zero } from "@daric/domain/money";
import type { Database } from "@daric/postgres/sql";
import { type RefundContext, requireOurs } from "@daric/refunds/change-refund";
import { listRefundsOf } from "@daric/refunds/store";
import { type Html, html } from "@daric/runtime/html";
import { isolated } from "./elements.ts";
import type { PageInput, PageView, ShownRefund } from "./view.ts";

/** Payers compare the end of an address; the page of an order, which a shop may pass on, does not show all of it. */
const SHOWN_END = 6;

/**
 * The refunds of a charge that go on or are paid, as its page tells them. One whose row another program wrote is left out, with an alarm. A charge
 * without money costs no query.
 */
export async function findShownRefunds(
  context: RefundContext & { readonly db: Database },
  { charge, record }: Pick<PageInput, "charge" | "record">,
): Promise<ShownRefund[]> {
  if (charge.received.total === zero && record.unmatched.length === 0) return [];
  const { merchantId, chargeId: id }: { merchantId: MerchantId; chargeId: ChargeId } = charge.issuedAs;
  const refunds = await listRefundsOf(context.db.forTenant(merchantId), { merchantId, id });
  return refunds
    .filter((refund) => refund.status !== "CANCELED" && requireOurs(context, refund))
    .map(({ status, currency, units, paidUnits, address, needsConfirmation }) => ({
      status,
      currency,
      amount: paidUnits ?? units,
      addressEnd: address?.slice(-SHOWN_END) ?? null,
      waitsForShop: status === "REQUESTED" && needsConfirmation !== null,
    }));
}

/** The order's money that goes back, and how far it is. The claim link is in no page but its own. */
export function refundLines(view: PageView): Html[] {
  return (view.refunds ?? []).map((refund) => html`<p>${isolated(view, refundText(view, refund))}</p>`);
}

function refundText({ messages, figures, record }: PageView, refund: ShownRefund): string {
  const { refund: texts } = messages;
  const amount = figures.money(formatAmount(refund.amount), refund.currency);
  const shop = record.merchant.name;
  if (refund.addressEnd === null) return texts.asked({ amount, shop });
  const names = { amount, shop, end: refund.addressEnd };
  switch (refund.status) {
    case "SENT":
      return texts.sent(names);
    case "COMPLETED":
      return texts.paid(names);
    default:
      return refund.waitsForShop ? texts.waits(names) : texts.ready(names);
  }
}
