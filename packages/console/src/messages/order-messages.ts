import { fact } from "./draft.ts";
import { aboutOrder, type MemberContent, merchantText, moneyOf, orderIn } from "./member-content.ts";
import type { MemberDeposit, MemberEvent, MemberOrder } from "./member-facts.ts";
import { ltr, type MailValue, say, type Words } from "./words.ts";

type OrderKind = Extract<MemberEvent, { readonly order: unknown }>["kind"];
type DepositKind = Extract<MemberEvent, { readonly deposit: unknown }>["kind"];
type Said = Pick<MemberContent, "tone" | "title" | "lead">;

export function orderMessage(kind: OrderKind, order: MemberOrder): MemberContent {
  const { orderRef, currency, payAmount, orderAmount, difference, fiatAmount, fiatCurrency } = order;
  const money = (amount: string | null) => (amount === null ? null : moneyOf(amount, currency));
  const isShort = difference?.startsWith("-") === true;
  const apart = difference === null || difference === "0" ? null : money(difference.replace("-", ""));
  return {
    ...saidOfOrder(kind, order, apart),
    about: aboutOrder(orderRef),
    facts: [
      ...fact("Order", merchantText(orderRef)),
      ...fact("Received", money(order.amountReceived)),
      ...fact("Due", money(payAmount ?? orderAmount)),
      ...fact(isShort ? "Missing" : "Too much", apart),
      ...fact(
        "Price",
        fiatAmount === null || fiatCurrency === null ? null : moneyOf(fiatAmount, fiatCurrency),
      ),
    ],
    page: paymentPage(order),
  };
}

/** `apart` is between what came and what is due. */
function saidOfOrder(kind: OrderKind, order: MemberOrder, apart: MailValue | null): Said {
  const received = moneyOf(order.amountReceived, order.currency);
  const it = orderIn(order.orderRef);
  switch (kind) {
    case "paid":
      return { tone: "good", title: say`Paid: ${received}`, lead: say`You can deliver ${it}.` };
    case "accepted":
      return {
        tone: "good",
        title: say`Accepted as paid: ${received}`,
        lead: say`You can deliver ${it}: it was accepted with what came.`,
      };
    case "paid_late":
      return {
        tone: "attention",
        title: say`Paid too late: ${received}`,
        lead: say`The money for ${it} came after its time to pay. Look at the payment before you deliver: it may need your decision.`,
      };
    case "underpaid":
      return {
        tone: "attention",
        title: apart === null ? say`Paid too little: ${received}` : say`Missing: ${apart}`,
        lead: say`Only ${received} came for ${it}. Ask for the rest, accept it, or refund it.`,
      };
    case "overpaid":
      return {
        tone: "attention",
        title: apart === null ? say`Paid too much: ${received}` : say`Too much: ${apart}`,
        lead: say`${received} came for ${it}. Deliver, and refund the surplus.`,
      };
  }
}

export function depositMessage(kind: DepositKind, deposit: MemberDeposit): MemberContent {
  const { orderRef, amount, currency, txHash } = deposit;
  const money = moneyOf(amount, currency);
  return {
    ...saidOfDeposit(kind, money, orderIn(orderRef)),
    about: aboutOrder(orderRef),
    facts: [
      ...fact("Order", merchantText(orderRef)),
      ...fact("Amount", money),
      ...fact("Transaction", ltr(txHash)),
    ],
    page: paymentPage(deposit),
  };
}

function saidOfDeposit(kind: DepositKind, money: MailValue, it: Words): Said {
  if (kind === "stuck")
    return {
      tone: "attention",
      title: say`Takes unusually long: ${money}`,
      lead: say`The chain has not made a payment of ${it} final. Do not deliver yet. It goes on by itself.`,
    };
  return {
    tone: "attention",
    title: say`Paid in another coin: ${money}`,
    lead: say`It came for ${it}, which asks for another coin, so no sum counts it. Agree with the customer.`,
  };
}

/** The page of the payment. */
export function paymentPage({
  depositAddressId,
}: Pick<MemberOrder, "depositAddressId">): MemberContent["page"] {
  return { label: "Open the payment", path: `/payments/${depositAddressId}` };
}
