import { chargeStates } from "@daric/domain/charge-state";
import { currentConfirmations, isOpen } from "@daric/domain/deposit";
import { formatAmount, zero } from "@daric/domain/money";
import { type Html, html } from "@daric/runtime/html";
import { contactLink } from "./contact.ts";
import { around, isolated, paragraphs } from "./elements.ts";
import { redirectText } from "./exit.ts";
import { queryOf } from "./frame.ts";
import { refundLines } from "./refunds.ts";
import { stateMessage, type Tone } from "./state-message.ts";
import { moneyText, type PageView, subjectOf, unmatchedText } from "./view.ts";

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
  const key = `${view.projection.state} ${formatAmount(view.received)}`;
  const announced = [spoken, redirectText(view)].filter((sentence) => sentence !== undefined).join(" ");
  const paragraphs = [text, more].filter((paragraph) => paragraph !== undefined);
  return html`<div class="status ${tone}${!view.invitesPayment && " outcome"}"><span class="sign" aria-hidden="true">${signOf(tone)}</span><div class="status-words"><h2 data-announce="${announced}" data-announce-key="${key}">${isolated(view, title)}</h2>${paragraphs.map((paragraph) => html`<p>${isolated(view, paragraph)}</p>`)}${refundLines(view)}${thanksPart(view)}${otherPageLink(view)}${contactPart(view)}</div></div>${confirmationMeter(view)}${unmatchedNote(view)}`;
}

/** The sign of a message. */
export function signOf(tone: Tone): Html {
  if (tone === "waiting") return html`<span class="pulse"></span>`;
  return html`<svg viewBox="0 0 24 24"><path d="${SIGNS[tone]}"/></svg>`;
}

/** The shop's own words to a payer who has paid by its link. */
function thanksPart({ record: { link }, projection: { state } }: PageView): Html[] {
  return state === "paid" || state === "overpaid" ? paragraphs(link?.thanks ?? null) : [];
}

/** The way to another page of the order, in the language of this one. */
function otherPageLink({ record: { otherPage }, language, messages, frame }: PageView): Html | null {
  if (otherPage === null) return null;
  return html`<p><a href="${otherPage.token}${queryOf(language.tag, frame)}">${messages.page.otherPage}</a></p>`;
}

/** The title in the document. Chats keep it, so it has no amount and no reference. */
export function previewTitle({ isReceipt, projection, messages, record }: PageView): string {
  const shop = record.merchant.name;
  const isPaid = isReceipt && projection.state !== "underpaid";
  return isPaid ? `${messages.page.paidTitle} · ${shop}` : messages.page.paymentTo({ shop });
}

/** The tab's title, which the page's script shows: the amount, or that the order is paid. */
export function statusTitle(view: PageView): string {
  const { toSend, charge, messages, projection } = view;
  const { page } = messages;
  const shop = view.record.merchant.name;
  if (view.isReceipt && projection.state !== "underpaid") {
    const what = charge.orderRef === null ? shop : page.receiptTitle({ order: charge.orderRef });
    return `${page.paidTitle} · ${what}`;
  }
  if (projection.state !== "awaiting" || view.record.unmatched.length > 0) {
    return `${stateMessage(view).title} · ${shop}`;
  }
  if (toSend === null || view.hasLapsed) return page.paymentTo({ shop });
  return page.payAmount({ amount: moneyText(view, toSend), shop });
}

/** The link to the shop in every state with a problem; without a contact and another page, what the payer can do instead. */
function contactPart(view: PageView): Html | null {
  const { state } = view.projection;
  const isAsUsual = state === "confirming" || (state === "awaiting" && view.record.unmatched.length === 0);
  if (isAsUsual || (state === "paid" && view.charge.kind === "receive")) return null;
  const { shown } = chargeStates[view.state];
  const asksBack = shown === "overpaid" && (view.refunds ?? []).length === 0;
  const link = contactLink(view, asksBack ? "refund" : "help");
  if (link !== null) return html`<p>${link}</p>`;
  const shop = view.record.merchant.name;
  return shown === "paid" || view.record.otherPage !== null
    ? null
    : html`<p>${view.messages.contact.none({ shop })}</p>`;
}

function confirmationMeter({ record, messages }: PageView): Html | null {
  const [deposit] = record.deposits;
  if (deposit === undefined || !isOpen(deposit.status)) return null;
  const count = Math.min(currentConfirmations(deposit), deposit.requiredConfirmations);
  const required = deposit.requiredConfirmations;
  const progress = around(messages.status.confirmationsOf, {
    count: html`<output data-confirmations for="confirmations">${count}</output>`,
    required,
  });
  const note = count === required && html`<p class="meter-note">${messages.status.notFinalYet}</p>`;
  return html`<div class="meter"><label for="confirmations">${messages.status.confirmations}</label><span>${progress}</span><progress id="confirmations" data-confirmations value="${count}" max="${required}"></progress>${note}</div>`;
}

/** Money of another coin beside money of the charge's own; alone it has a page of its own. */
function unmatchedNote(view: PageView): Html | null {
  const { record, charge, received, messages } = view;
  if (record.unmatched.length === 0 || received === zero) return null;
  const amount = unmatchedText(view);
  const fact = messages.status.unmatched[subjectOf(charge)]({ amount, currency: charge.currency });
  return html`<p class="note">${isolated(view, fact)}</p>`;
}
