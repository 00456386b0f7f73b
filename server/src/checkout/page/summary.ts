import { formatAmount, zero } from "../../domain/money.ts";
import { askedOf } from "../../domain/order.ts";
import { copyButton } from "./copy-button.ts";
import { countdown } from "./facts.ts";
import { type Html, html } from "./html.ts";
import { isolated } from "./isolated.ts";
import type { PageView } from "./view.ts";

/** The size of an amount by its length in characters, so that it stays on one line wherever it can. */
const SIZES = [
  { upTo: 6, size: "large" },
  { upTo: 8, size: "medium" },
  { upTo: 15, size: "small" },
];
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Who is paid. */
export function merchantPart({ record }: PageView): Html {
  const { name, logoId } = record.merchant;
  const logo =
    logoId === null
      ? null
      : html`<img data-logo src="../checkout/logos/${logoId}" alt="" width="44" height="44" decoding="async">`;
  return html`<div class="merchant"><span class="logo" aria-hidden="true"><span class="monogram">${monogram(name)}</span>${logo}</span><h1 class="merchant-name"><bdi>${name}</bdi></h1></div>`;
}

/** The first character of a name as a reader counts them: a family or a flag is one. */
function monogram(name: string): string {
  const [first] = graphemes.segment(name.trim());
  return first?.segment.toUpperCase() ?? "";
}

/** How much: what to send, with a button that copies it, or what has arrived. */
export function figurePart(view: PageView): Html {
  const { charge, toSend, received, invitesPayment, figures, messages } = view;
  const { currency } = charge;
  const words = messages.summary;
  const shown = (amount: typeof received) => figures.amount(formatAmount(amount), currency);
  if (toSend !== null) {
    const text = formatAmount(toSend);
    const button = copyButton({ id: "copy-amount", text, label: words.copyAmount, tone: "quiet" });
    const label = received > zero ? words.stillToSend : words.amountToSend;
    return html`<div class="amount-row"><p class="label">${label}</p>${button}</div>${bigAmount(shown(toSend), currency)}${lockedPrice(view)}`;
  }
  const due = askedOf(charge.terms.due);
  if (invitesPayment || (received === zero && due === null)) return choice(view);
  if (received === zero && due !== null)
    return html`<p class="label">${words.amount}</p>${bigAmount(shown(due), currency)}`;
  const label = charge.pending > zero ? words.amountSent : words.amountReceived;
  return html`<p class="label">${label}</p>${bigAmount(shown(received), currency)}`;
}

function choice({ charge, messages: { summary } }: PageView): Html {
  return html`<p class="amount small">${summary.youChoose}</p><p class="label">${summary.inCurrency({ currency: charge.currency })}</p>`;
}

function bigAmount(amount: string, currency: string): Html {
  const size = SIZES.find(({ upTo }) => amount.length <= upTo)?.size ?? "smallest";
  return html`<p class="amount ${size}"><bdi>${amount} <span class="currency">${currency}</span></bdi></p>`;
}

/** Of a price in fiat: what it is, and how long its rate is locked. The button is for when it no longer is; scripts show it in time. */
function lockedPrice(view: PageView): Html | null {
  const { charge, record, figures, messages } = view;
  const { fiatAmount, fiatCurrency, quote } = charge;
  if (fiatAmount === null || fiatCurrency === null || quote === null) return null;
  const words = messages.summary;
  const now = record.databaseNow;
  const isLocked = quote.expiresAt > now;
  const left = countdown(view, quote.expiresAt, { now });
  const lock = isLocked ? words.rateLocked({ left }) : words.rateLapsed;
  const button = isLocked
    ? html`<button class="text-button" id="requote" type="button" data-requote hidden>${words.freshRate}</button>`
    : html`<button class="text-button" id="requote" type="button" data-requote>${words.freshRate}</button>`;
  return html`<p class="price"><strong>${isolated(view, figures.money(fiatAmount, fiatCurrency))}</strong> <span class="lock">${lock}</span></p>${button}`;
}
