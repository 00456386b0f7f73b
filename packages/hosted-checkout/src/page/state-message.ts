import { assets } from "@daric/domain/asset";
import { finalOf } from "@daric/domain/checkout";
import { formatAmount, subtract, zero } from "@daric/domain/money";
import type { Sentence } from "@daric/runtime/texts";
import {
  givesBack,
  hasAllConfirmations,
  moneyText,
  type PageView,
  subjectOf,
  unmatchedText,
} from "./view.ts";

/** The kind of a message, which sets its colour and its icon. */
export type Tone = "waiting" | "busy" | "good" | "attention" | "ended" | "closed";

/** The state in a few words, and its meaning for the payer; `spoken` replaces both for a screen reader. */
type Notice = {
  readonly title: string;
  readonly text: string;
  readonly more?: string;
  readonly spoken?: string;
};
type Message = Notice & { readonly tone: Tone };
/** A notice whose texts need some of these names. */
type NoticeOf<Names extends string> = {
  readonly [Part in keyof Notice]: string | Sentence<Names>;
};

/** The message for the state of the charge. */
export function stateMessage(view: PageView): Message {
  const { status } = view.messages;
  const sums = named(view);
  if (view.record.otherPage?.takesPlace) return { tone: "ended", ...status.continued };
  if (givesBack(view)) {
    const { title, text } = view.messages.refund;
    return { tone: "ended", title, text };
  }
  switch (view.state) {
    case "waiting":
    case "open":
    case "receiving":
    case "lastBlocks":
      return awaitingMessage(view);
    case "seen":
    case "confirming":
    case "closedConfirming":
      return confirmingMessage(view);
    case "underpaid":
      return underpaidMessage(view);
    case "underpaidLastBlocks":
    case "underpaidEnded":
      return { tone: "attention", ...told(status.partReceivedTooLate, missingOf(view)) };
    case "tooLate":
      return { tone: "attention", ...tooLateNotice(view) };
    case "paid":
    case "received":
      return paidMessage(view);
    case "accepted":
      return acceptedMessage(view);
    case "overpaid":
    case "overpaidLate":
      return overpaidMessage(view);
    case "expired":
      return { tone: "ended", ...expiredNotice(view) };
    case "closed":
      return { tone: "closed", ...told(status.closed, sums) };
  }
}

/** Fills the names into each text of a notice. */
function told<Names extends string>(notice: NoticeOf<Names>, names: Readonly<Record<Names, string>>): Notice {
  const { title, text, more, spoken } = notice;
  const fill = (part: string | Sentence<Names>) => (typeof part === "string" ? part : part(names));
  return {
    title: fill(title),
    text: fill(text),
    ...(more && { more: fill(more) }),
    ...(spoken && { spoken: fill(spoken) }),
  };
}

/** The names and sums of most messages. */
function named(view: PageView) {
  return { received: moneyText(view, view.received), shop: view.record.merchant.name };
}

function namedWrong(view: PageView) {
  return { amount: unmatchedText(view), currency: view.charge.currency, shop: view.record.merchant.name };
}

function awaitingMessage(view: PageView): Message {
  const { charge, record, toSend } = view;
  const { status } = view.messages;
  if (!view.invitesPayment) return { tone: "busy", ...status.lastBlocks };
  if (record.unmatched.length > 0)
    return { tone: "attention", ...told(status.wrongCoin[subjectOf(charge)], namedWrong(view)) };
  if (charge.kind === "receive")
    return { tone: "waiting", ...told(status.standing, { currency: charge.currency }) };
  return {
    tone: "waiting",
    ...told(toSend === null ? status.awaitingAny : status.awaiting, { currency: charge.currency }),
  };
}

function expiredNotice(view: PageView): Notice {
  const { status } = view.messages;
  if (view.record.unmatched.length === 0) return told(status.expired, named(view));
  return told(status.expiredWithWrongCoin, namedWrong(view));
}

function confirmingMessage(view: PageView): Message {
  const { toSend, messages } = view;
  if (toSend === null) return { tone: "busy", ...told(foundNotice(view), named(view)) };
  const rest = moneyText(view, toSend);
  return { tone: "busy", ...told(messages.status.partFound, { ...named(view), rest }) };
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

/** Money up to the end of the late window is in time. */
function tooLateNotice(view: PageView): Notice {
  const { status } = view.messages;
  const { inWindow, total, dust } = view.charge.received;
  if (inWindow === zero) return told(status.receivedTooLate, named(view));
  const late = moneyText(view, subtract(subtract(total, dust), inWindow));
  return told(status.receivedPartTooLate, { ...named(view), received: moneyText(view, inWindow), late });
}

/** The sums of an order that is short. */
function missingOf(view: PageView) {
  const { terms, credited } = view.charge;
  const due = terms.due ?? zero;
  const missing = moneyText(view, subtract(due, credited));
  return { ...named(view), rest: missing, due: moneyText(view, due) };
}

function underpaidMessage(view: PageView): Message {
  const { charge, toSend } = view;
  const { status } = view.messages;
  const tone = "attention";
  const sums = { ...missingOf(view), ...(toSend !== null && { rest: moneyText(view, toSend) }) };
  if (view.hasLapsed) return { tone, ...told(status.partReceivedUnlocked, sums) };
  const notice = told(status.partReceived, sums);
  return toSend !== null && toSend < assets[charge.currency].withdrawalMinimum
    ? { tone, ...notice, more: status.smallRest(sums) }
    : { tone, ...notice };
}

/** With more on its way the payment is not called final. */
function paidMessage(view: PageView): Message {
  const { charge, record } = view;
  const { status } = view.messages;
  if (charge.kind === "receive") return { tone: "good", ...told(status.paidToStandingAddress, named(view)) };
  const final = { ...named(view), received: moneyText(view, finalOf(charge)) };
  const isLate = record.deposits.some((deposit) => deposit.late);
  return { tone: "good", ...told(isLate ? status.paidLate : status.paid, final) };
}

/** Accepted late money that covers the price is like any paid late. */
function acceptedMessage(view: PageView): Message {
  const { charge, messages, record } = view;
  const byRests = record.otherPage?.received ?? zero;
  if (byRests > zero) {
    const sums = { received: moneyText(view, finalOf(charge)), rest: moneyText(view, byRests) };
    return { tone: "good", ...told(messages.status.paidByRest, sums) };
  }
  const { due } = charge.terms;
  if (due === null || charge.confirmed.total >= due) return paidMessage(view);
  const received = view.figures.amount(formatAmount(finalOf(charge)), charge.currency);
  const sums = { ...named(view), received, due: moneyText(view, due) };
  return { tone: "good", ...told(messages.status.accepted, sums) };
}

function overpaidMessage(view: PageView): Message {
  const { charge, messages, figures } = view;
  // The note of the refund says what becomes of the surplus.
  if ((view.refunds ?? []).length > 0)
    return { tone: "good", ...told(messages.status.paid, { received: moneyText(view, finalOf(charge)) }) };
  const surplus = charge.terms.due === null ? zero : subtract(charge.credited, charge.terms.due);
  const text = figures.amount(formatAmount(surplus), charge.currency);
  return { tone: "good", ...told(messages.status.overpaid, { ...named(view), surplus: text }) };
}
