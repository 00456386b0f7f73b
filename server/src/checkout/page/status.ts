import { currentConfirmations, isOpen } from "../../domain/deposit.ts";
import { formatAmount, subtract, zero } from "../../domain/money.ts";
import type { Notice, NoticeOf } from "../messages/catalogue.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { hasAllConfirmations, money, type PageView, subjectOf } from "./view.ts";

/** What a message is about, which decides its colour and its sign. */
type Tone = "waiting" | "busy" | "good" | "attention" | "ended";
type Message = Notice & { readonly tone: Tone };

const SIGNS: Record<Exclude<Tone, "waiting">, string> = {
  busy: "M12 3a9 9 0 1 0 9 9",
  good: "m5.5 12.5 4.5 4.5 8.5-9.5",
  attention: "M12 6.5v6.5m0 4v.01",
  ended: "M12 7v5.5l3.5 2M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18",
};

/** The state in words, what else the payer must know, and the confirmations under way. */
export function statusPart(view: PageView): Html {
  const { tone, title, text, more } = messageOf(view);
  const sign =
    tone === "waiting"
      ? html`<span class="pulse"></span>`
      : html`<svg viewBox="0 0 24 24"><path d="${SIGNS[tone]}"/></svg>`;
  const paragraphs = [text, more].filter((paragraph) => paragraph !== undefined);
  return html`<div class="status ${tone}${!view.invitesPayment && " outcome"}"><span class="sign" aria-hidden="true">${sign}</span><div class="status-words"><h2 data-announce>${title}</h2>${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</div></div>${confirmationMeter(view)}${unmatchedNote(view)}`;
}

/** The sentence in a browser's tab. */
export function statusTitle(view: PageView): string {
  const { toSend, charge, messages } = view;
  const shop = view.record.merchant.name;
  if (view.projection.state !== "awaiting") return `${messageOf(view).title} · ${shop}`;
  if (toSend === null) return messages.page.payShop({ shop });
  return messages.page.payAmount({ amount: money(toSend, charge.currency), shop });
}

function messageOf(view: PageView): Message {
  const { status } = view.messages;
  switch (view.projection.state) {
    case "awaiting":
      return { tone: "waiting", ...status.awaiting };
    case "confirming":
      return confirmingMessage(view);
    case "underpaid":
      return underpaidMessage(view);
    case "paid":
      return paidMessage(view);
    case "overpaid":
      return overpaidMessage(view);
    case "expired":
      return { tone: "ended", ...status.expired(named(view)) };
    case "error":
      return { tone: "ended", ...status.closed(named(view)) };
  }
}

/** What most messages name. */
function named({ charge, received, record }: PageView) {
  return { received: money(received, charge.currency), shop: record.merchant.name };
}

function confirmingMessage(view: PageView): Message {
  const { charge, toSend, messages } = view;
  if (toSend === null) return { tone: "busy", ...foundNotice(view)(named(view)) };
  const rest = money(toSend, charge.currency);
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
  const { charge, received, toSend } = view;
  const { status } = view.messages;
  if (toSend !== null) {
    const rest = money(toSend, charge.currency);
    return { tone: "attention", ...status.partReceived({ ...named(view), rest }) };
  }
  const missing = charge.terms.due === null ? zero : subtract(charge.terms.due, received);
  if (missing <= zero) return { tone: "attention", ...status.receivedTooLate(named(view)) };
  const rest = money(missing, charge.currency);
  return { tone: "attention", ...status.partReceivedTooLate({ ...named(view), rest }) };
}

function paidMessage(view: PageView): Message {
  const { charge, record } = view;
  const { status } = view.messages;
  if (charge.kind === "receive") return { tone: "good", ...status.paidToStandingAddress(named(view)) };
  const isLate = record.deposits.some((deposit) => deposit.late);
  return { tone: "good", ...(isLate ? status.paidLate : status.paid)(named(view)) };
}

function overpaidMessage(view: PageView): Message {
  const { charge, received, messages } = view;
  const surplus = charge.terms.due === null ? zero : subtract(received, charge.terms.due);
  return {
    tone: "good",
    ...messages.status.overpaid({ ...named(view), surplus: formatAmount(surplus) }),
  };
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

function unmatchedNote({ record, charge, messages: { status } }: PageView): Html | null {
  if (record.unmatched === zero) return null;
  const amount = money(record.unmatched, charge.currency === "USDT" ? "TRX" : "USDT");
  const fact = status.unmatched[subjectOf(charge)]({ amount, currency: charge.currency });
  const advice = status.unmatchedAdvice({ shop: record.merchant.name });
  return html`<p class="note"><strong>${fact}</strong> ${advice}</p>`;
}
