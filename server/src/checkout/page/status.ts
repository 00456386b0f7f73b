import { currentConfirmations, isOpen } from "../../domain/deposit.ts";
import { formatAmount, subtract, zero } from "../../domain/money.ts";
import { type Html, html } from "./html.ts";
import { money, type PageView } from "./view.ts";

/** What a message is about, which decides its colour and its sign. */
type Tone = "waiting" | "busy" | "good" | "attention" | "ended";
type Message = { readonly tone: Tone; readonly title: string; readonly text: string; readonly more?: string };

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
  const { name } = view.record.merchant;
  const { toSend, charge } = view;
  if (view.projection.state !== "awaiting") return `${messageOf(view).title} · ${name}`;
  return toSend === null ? `Pay ${name}` : `Pay ${money(toSend, charge.currency)} · ${name}`;
}

function messageOf(view: PageView): Message {
  switch (view.projection.state) {
    case "awaiting":
      return {
        tone: "waiting",
        title: "Waiting for your payment",
        text: "This page updates by itself a few seconds after you send.",
      };
    case "confirming":
      return confirmingMessage(view);
    case "underpaid":
      return underpaidMessage(view);
    case "paid":
      return paidMessage(view);
    case "overpaid":
      return overpaidMessage(view);
    case "expired":
      return {
        tone: "ended",
        title: "The time to pay is over",
        text: `No payment arrived. Please send nothing to this address now: go back to ${shop(view)} and start again.`,
        more: `Sent already? It is not lost. It will show here, and ${shop(view)} can find it by its transaction id.`,
      };
    case "error":
      return {
        tone: "ended",
        title: "This order is closed",
        text: `It was closed before it was paid. Please send nothing to it, and contact ${shop(view)} if you have.`,
      };
  }
}

function confirmingMessage(view: PageView): Message {
  const { charge, projection, received, toSend } = view;
  const title = toSend === null ? "Payment found" : `${money(toSend, charge.currency)} still to send`;
  const found = `${money(received, charge.currency)} is on the chain.`;
  if (toSend !== null) {
    return { tone: "busy", title, text: `${found} Please send the rest to the same address.` };
  }
  const waits: Partial<Record<NonNullable<typeof projection.status.depositStatus>, string>> = {
    STUCK: "The network takes longer than usual. Your payment is safe; there is nothing to do but wait.",
    REORG_PENDING: "The network is putting its last blocks in order again. Please do not send a second time.",
  };
  const wait = waits[projection.status.depositStatus ?? "DETECTED"];
  return {
    tone: "busy",
    title,
    text: `${found} ${wait ?? "The network confirms it in about a minute. You can close this page: nothing will be lost."}`,
  };
}

function underpaidMessage(view: PageView): Message {
  const { charge, received, toSend } = view;
  const has = money(received, charge.currency);
  if (toSend !== null) {
    return {
      tone: "attention",
      title: `${money(toSend, charge.currency)} still to send`,
      text: `${has} has arrived. Please send the rest to the same address before the time is over.`,
    };
  }
  const rest = charge.terms.due === null ? zero : subtract(charge.terms.due, received);
  if (rest <= zero) {
    return {
      tone: "attention",
      title: "Paid after the time was over",
      text: `${has} arrived, but the order had closed. ${shop(view)} sees the payment: please contact them about it.`,
    };
  }
  return {
    tone: "attention",
    title: "Paid in part",
    text: `${has} arrived; ${money(rest, charge.currency)} is missing, and the time is over. Please do not send the rest now, but contact ${shop(view)}.`,
  };
}

function paidMessage(view: PageView): Message {
  const { charge, received, record } = view;
  const has = money(received, charge.currency);
  if (charge.kind === "receive") {
    return {
      tone: "good",
      title: "Payment received",
      text: `${has} so far. You can send to this address again.`,
    };
  }
  const isLate = record.deposits.some((deposit) => deposit.late);
  const text = isLate
    ? `${has} received. It came after the time was over, and was accepted.`
    : `${has} received and final. Thank you.`;
  return { tone: "good", title: "Paid", text };
}

function overpaidMessage(view: PageView): Message {
  const { charge, received } = view;
  const surplus = charge.terms.due === null ? zero : subtract(received, charge.terms.due);
  return {
    tone: "good",
    title: "Paid",
    text: `${money(received, charge.currency)} received: ${formatAmount(surplus)} more than asked. ${shop(view)} sees this too: please contact them about the difference.`,
  };
}

function confirmationMeter({ record }: PageView): Html | null {
  const [deposit] = record.deposits;
  if (deposit === undefined || !isOpen(deposit.status)) return null;
  const count = Math.min(currentConfirmations(deposit), deposit.requiredConfirmations);
  const required = deposit.requiredConfirmations;
  return html`<div class="meter"><label for="confirmations">Confirmations</label><span><output data-confirmations for="confirmations">${count}</output> of ${required}</span><progress id="confirmations" data-confirmations value="${count}" max="${required}"></progress></div>`;
}

function shop(view: PageView): string {
  return view.record.merchant.name;
}

function unmatchedNote({ record, charge }: PageView): Html | null {
  if (record.unmatched === zero) return null;
  const other = charge.currency === "USDT" ? "TRX" : "USDT";
  const what = charge.kind === "order" ? "order" : "address";
  return html`<p class="note"><strong>${money(record.unmatched, other)} arrived, but this ${what} is in ${charge.currency}.</strong> It does not count towards the payment. Please contact ${record.merchant.name} about it.</p>`;
}
