import { formatAmount, subtract, zero } from "../../domain/money.ts";
import type { Notice, NoticeOf } from "../messages/catalogue.ts";
import { hasAllConfirmations, moneyText, otherCurrency, type PageView, subjectOf } from "./view.ts";

/** What a message is about, which decides its colour and its sign. */
export type Tone = "waiting" | "busy" | "good" | "attention" | "ended" | "closed";
type Message = Notice & { readonly tone: Tone };

/** Below this an exchange may let nobody withdraw: tens of units, as a payer counts. */
const SMALL_REST = { USDT: 10_000_000n, TRX: 30_000_000n };

/** What a page says of the state that its charge is in. */
export function stateMessage(view: PageView): Message {
  const { status } = view.messages;
  switch (view.projection.state) {
    case "awaiting":
      return awaitingMessage(view);
    case "confirming":
      return confirmingMessage(view);
    case "underpaid":
      return underpaidMessage(view);
    case "paid":
      return paidMessage(view);
    case "overpaid":
      return overpaidMessage(view);
    case "expired":
      return { tone: "ended", ...expiredNotice(view) };
    case "error":
      return { tone: "closed", ...status.closed(named(view)) };
  }
}

/** What most messages name. */
function named(view: PageView) {
  return { received: moneyText(view, view.received), shop: view.record.merchant.name };
}

function namedWrong(view: PageView) {
  const amount = moneyText(view, view.record.unmatched, otherCurrency(view));
  return { amount, currency: view.charge.currency, shop: view.record.merchant.name };
}

function awaitingMessage(view: PageView): Message {
  const { charge, record, toSend } = view;
  const { status } = view.messages;
  if (!view.invitesPayment) return { tone: "busy", ...status.lastBlocks };
  if (record.unmatched > zero)
    return { tone: "attention", ...status.wrongCoin[subjectOf(charge)](namedWrong(view)) };
  if (charge.kind === "receive") return { tone: "waiting", ...status.standing(charge) };
  return { tone: "waiting", ...(toSend === null ? status.awaitingAny(charge) : status.awaiting) };
}

function expiredNotice(view: PageView): Notice {
  const { status } = view.messages;
  if (view.record.unmatched === zero) return status.expired(named(view));
  return status.expiredWithWrongCoin(namedWrong(view));
}

function confirmingMessage(view: PageView): Message {
  const { toSend, messages } = view;
  if (toSend === null) return { tone: "busy", ...foundNotice(view)(named(view)) };
  const rest = moneyText(view, toSend);
  return { tone: "busy", ...messages.status.partFound({ ...named(view), rest }) };
}

function foundNotice({ projection, messages: { status } }: PageView): NoticeOf<"received"> {
  switch (projection.status.depositStatus) {
    case "STUCK":
      return status.foundStuck;
    case "REORG_PENDING":
      return status.foundInReorg;
    default:
      return hasAllConfirmations(projection.status) ? status.foundNotFinal : status.found;
  }
}

function underpaidMessage(view: PageView): Message {
  const { charge, toSend } = view;
  const { status } = view.messages;
  const tone = "attention";
  const { due } = charge.terms;
  const missing = toSend ?? (due === null ? zero : subtract(due, charge.credited));
  if (due === null || missing <= zero) return { tone, ...status.receivedTooLate(named(view)) };
  const sums = { ...named(view), rest: moneyText(view, missing), due: moneyText(view, due) };
  if (toSend === null) return { tone, ...status.partReceivedTooLate(sums) };
  if (view.hasLapsed) return { tone, ...status.partReceivedUnlocked(sums) };
  const notice = status.partReceived(sums);
  return missing < SMALL_REST[charge.currency]
    ? { tone, ...notice, more: status.smallRest(sums) }
    : { tone, ...notice };
}

/** Of what more is on its way it is not said that it is final. */
function paidMessage(view: PageView): Message {
  const { charge, record } = view;
  const { status } = view.messages;
  if (charge.kind === "receive") return { tone: "good", ...status.paidToStandingAddress(named(view)) };
  const { due } = charge.terms;
  if (charge.acceptedAt !== null && due !== null && charge.confirmed.total < due) {
    const received = view.figures.amount(formatAmount(charge.received.total), charge.currency);
    return { tone: "good", ...status.accepted({ ...named(view), received, due: moneyText(view, due) }) };
  }
  const final = { ...named(view), received: moneyText(view, charge.received.total) };
  const isLate = record.deposits.some((deposit) => deposit.late);
  return { tone: "good", ...(isLate ? status.paidLate : status.paid)(final) };
}

function overpaidMessage(view: PageView): Message {
  const { charge, messages, figures } = view;
  const surplus = charge.terms.due === null ? zero : subtract(charge.credited, charge.terms.due);
  const text = figures.amount(formatAmount(surplus), charge.currency);
  return { tone: "good", ...messages.status.overpaid({ ...named(view), surplus: text }) };
}
