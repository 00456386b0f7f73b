import { assets } from "../../domain/asset.ts";
import { currentConfirmations, isOpen } from "../../domain/deposit.ts";
import { formatAmount, subtract, zero } from "../../domain/money.ts";
import { type Html, type HtmlValue, html } from "../../runtime/html.ts";
import type { Notice, NoticeOf } from "../messages/catalogue.ts";
import { contactLink } from "./contact.ts";
import { isolated } from "./elements.ts";
import { redirectText } from "./exit.ts";
import { hasAllConfirmations, moneyText, otherCurrency, type PageView, subjectOf } from "./view.ts";

const SIGNS: Record<Exclude<Tone, "waiting">, string> = {
  busy: "M12 3a9 9 0 1 0 9 9",
  good: "m5.5 12.5 4.5 4.5 8.5-9.5",
  attention: "M12 6.5v6.5m0 4v.01",
  ended: "M12 7v5.5l3.5 2M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18",
  closed: "m8 8 8 8m0-8-8 8M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18",
};

/**
 * The state in words, notes for the payer, and the confirmations. Screen readers say `data-announce` when it
 * or the received sum (`data-announce-key`) changes.
 */
export function statusPart(view: PageView): Html {
  const { tone, title, text, more, spoken = `${title}. ${text}` } = stateMessage(view);
  const sign =
    tone === "waiting"
      ? html`<span class="pulse"></span>`
      : html`<svg viewBox="0 0 24 24"><path d="${SIGNS[tone]}"/></svg>`;
  const key = `${view.projection.state} ${formatAmount(view.received)}`;
  const announced = [spoken, redirectText(view)].filter((sentence) => sentence !== undefined).join(" ");
  const paragraphs = [text, more].filter((paragraph) => paragraph !== undefined);
  return html`<div class="status ${tone}${!view.invitesPayment && " outcome"}"><span class="sign" aria-hidden="true">${sign}</span><div class="status-words"><h2 data-announce="${announced}" data-announce-key="${key}">${isolated(view, title)}</h2>${paragraphs.map((paragraph) => html`<p>${isolated(view, paragraph)}</p>`)}${contactPart(view)}</div></div>${confirmationMeter(view)}${unmatchedNote(view)}`;
}

/** The tab's title, which shows that the order is paid. */
export function statusTitle(view: PageView): string {
  const { toSend, charge, messages, projection } = view;
  const { page } = messages;
  const shop = view.record.merchant.name;
  if (view.isReceipt && projection.state !== "underpaid") {
    const what = charge.orderRef === null ? shop : page.receiptTitle({ order: charge.orderRef });
    return `${page.paidTitle} · ${what}`;
  }
  if (projection.state !== "awaiting" || view.record.unmatched > zero) {
    return `${stateMessage(view).title} · ${shop}`;
  }
  if (toSend === null || view.hasLapsed) return page.payShop({ shop });
  return page.payAmount({ amount: moneyText(view, toSend), shop });
}

/** The link to the shop in every state with a problem. */
function contactPart(view: PageView): Html | null {
  const { state } = view.projection;
  const isAsUsual = state === "confirming" || (state === "awaiting" && view.record.unmatched === zero);
  if (isAsUsual || (state === "paid" && view.charge.kind === "receive")) return null;
  const link = contactLink(view, state === "overpaid" ? "refund" : "help");
  return link && html`<p>${link}</p>`;
}

function confirmationMeter({ record, messages }: PageView): Html | null {
  const [deposit] = record.deposits;
  if (deposit === undefined || !isOpen(deposit.status)) return null;
  const count = Math.min(currentConfirmations(deposit), deposit.requiredConfirmations);
  const required = deposit.requiredConfirmations;
  const progress = messages.status.confirmationsOf<HtmlValue>({
    count: html`<output data-confirmations for="confirmations">${count}</output>`,
    required,
  });
  const note = count === required && html`<p class="meter-note">${messages.status.notFinalYet}</p>`;
  return html`<div class="meter"><label for="confirmations">${messages.status.confirmations}</label><span>${progress}</span><progress id="confirmations" data-confirmations value="${count}" max="${required}"></progress>${note}</div>`;
}

/** Money of the other currency beside money of the charge's own; alone it has a page of its own. */
function unmatchedNote(view: PageView): Html | null {
  const { record, charge, received, messages } = view;
  if (record.unmatched === zero || received === zero) return null;
  const amount = moneyText(view, record.unmatched, otherCurrency(view));
  const fact = messages.status.unmatched[subjectOf(charge)]({ amount, currency: charge.currency });
  return html`<p class="note">${isolated(view, fact)}</p>`;
}

/** The kind of a message, which sets its colour and its icon. */
type Tone = "waiting" | "busy" | "good" | "attention" | "ended" | "closed";
type Message = Notice & { readonly tone: Tone };

/** The message for the state of the charge. */
function stateMessage(view: PageView): Message {
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

/** The names and sums of most messages. */
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
  return missing < assets[charge.currency].withdrawalMinimum
    ? { tone, ...notice, more: status.smallRest(sums) }
    : { tone, ...notice };
}

/** With more on its way the payment is not called final. */
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
