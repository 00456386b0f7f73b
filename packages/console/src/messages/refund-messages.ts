import { unlinked } from "./clean.ts";
import { fact } from "./draft.ts";
import { aboutOrder, type MemberContent, merchantText, moneyOf, orderIn } from "./member-content.ts";
import type { MemberEvent, MemberRefund } from "./member-facts.ts";
import { paymentPage } from "./order-messages.ts";
import { ltr, type MailValue, say, type Words } from "./words.ts";

type RefundKind = Extract<MemberEvent, { readonly refund: unknown }>["kind"];
type Said = Pick<MemberContent, "tone" | "title" | "lead">;

const MAX_REASON = 200;
/** A refund is not to be paid by the address of a mail: the dashboard shows all of it, and checks it. */
const SHOWN_END = 6;

/** The message to a member about a refund. */
export function refundMessage(kind: RefundKind, refund: MemberRefund): MemberContent {
  const { orderRef, currency, amount, address, txHash } = refund;
  const money = moneyOf(amount, currency);
  const reason = unlinked(refund.reason ?? "", MAX_REASON);
  return {
    ...saidOf(kind, { money, it: orderIn(orderRef), hasAddress: address !== null }),
    about: aboutOrder(orderRef),
    facts: [
      ...fact("Order", merchantText(orderRef)),
      ...fact("Amount", money),
      ...fact("Address ends in", address === null ? null : ltr(address.slice(-SHOWN_END))),
      ...fact("Transaction", txHash === null ? null : ltr(txHash)),
      ...fact("Reason", reason === "" ? null : [reason]),
    ],
    page: paymentPage(refund),
  };
}

function saidOf(
  kind: RefundKind,
  { money, it, hasAddress }: { readonly money: MailValue; readonly it: Words; readonly hasAddress: boolean },
): Said {
  switch (kind) {
    case "refund_requested":
      return {
        tone: "neutral",
        title: say`Refund asked for: ${money}`,
        lead: hasAddress
          ? say`It is of ${it}, and waits until an owner or admin confirms it.`
          : say`It is of ${it}, and waits for the payer's address.`,
      };
    case "refund_ready":
      return {
        tone: "attention",
        title: say`Refund to pay: ${money}`,
        lead: say`The address for ${it} is known. Open the payment, and pay from a wallet of yours: the service pays no refund.`,
      };
    case "refund_completed":
      return {
        tone: "good",
        title: say`Refund paid: ${money}`,
        lead: say`The transfer for ${it} is final. There is nothing to do.`,
      };
  }
}
