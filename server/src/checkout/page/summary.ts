import { formatAmount, zero } from "../../domain/money.ts";
import { amountRequested } from "../../domain/order.ts";
import { GRACE_AFTER_QUOTE_MS } from "../../domain/quote.ts";
import { copyButton } from "./copy-button.ts";
import { priceHeld } from "./facts.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { isolated } from "./isolated.ts";
import { isLockOver, type PageView } from "./view.ts";

/** The size of an amount by its length in characters, so that it stays on one line wherever it can. */
const SIZES = [
  { upTo: 6, size: "large" },
  { upTo: 8, size: "medium" },
  { upTo: 15, size: "small" },
];
/** What is sent is in a block within so long, as a rule. */
const TWO_BLOCKS_MS = 6_000;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Who is paid; on paper, that it is a receipt. */
export function merchantPart({ record, isReceipt, messages: { receipt } }: PageView): Html {
  const { name, logoId } = record.merchant;
  const logo =
    logoId === null
      ? null
      : html`<img data-logo src="../checkout/logos/${logoId}" alt="" width="44" height="44" decoding="async">`;
  return html`<div class="merchant"><span class="logo" aria-hidden="true"><span class="monogram">${monogram(name)}</span>${logo}</span><h1 class="merchant-name"><bdi>${name}</bdi></h1>${isReceipt && html`<p class="paper">${receipt.title}</p>`}</div>`;
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
  const texts = messages.summary;
  const shown = (amount: typeof received) => figures.amount(formatAmount(amount), currency);
  if (toSend !== null) {
    const text = formatAmount(toSend);
    const button =
      !view.hasLapsed && copyButton({ id: "copy-amount", text, label: texts.copyAmount, tone: "quiet" });
    const label = received > zero ? texts.stillToSend : texts.amountToSend;
    const amount = bigAmount(shown(toSend), currency, view.hasLapsed ? " stale" : "");
    return html`<div class="amount-row"><p class="label">${label}</p>${button}</div>${amount}${fiatPrice(view)}`;
  }
  const due = amountRequested(charge.terms.due);
  if (invitesPayment || (received === zero && due === null)) return choice(view);
  if (received === zero && due !== null)
    return html`<p class="label">${texts.amount}</p>${bigAmount(shown(due), currency)}`;
  const label = charge.received.pending > zero ? texts.amountSent : texts.amountReceived;
  return html`<p class="label">${label}</p>${bigAmount(shown(received), currency)}`;
}

function choice({ charge, messages: { summary } }: PageView): Html {
  return html`<p class="amount small">${summary.youChoose}</p><p class="label">${summary.inCurrency({ currency: charge.currency })}</p>`;
}

function bigAmount(amount: string, currency: string, style = ""): Html {
  const size = SIZES.find(({ upTo }) => amount.length <= upTo)?.size ?? "smallest";
  return html`<p class="amount ${size}${style}"><bdi>${amount} <span class="currency">${currency}</span></bdi></p>`;
}

/** Of a price in fiat: what it is, and for how long it is held; once it is not, the way to the amount of now. */
function fiatPrice(view: PageView): Html | null {
  const { charge, figures, messages, hasLapsed } = view;
  const { fiatAmount, fiatCurrency, quote } = charge;
  if (fiatAmount === null || fiatCurrency === null || quote === null) return null;
  const isOver = isLockOver(view);
  const held = isOver ? messages.summary.heldNoLonger : priceHeld(view, quote.expiresAt);
  const price = html`<p class="price"><strong>${isolated(view, figures.money(fiatAmount, fiatCurrency))}</strong> · <span class="lock">${held}</span></p>`;
  return html`${price}${hasLapsed && requoteForm(view)}${isOver && alreadySent(view, quote.expiresAt)}`;
}

/** Asks the page's own address for the amount of now. */
function requoteForm({ messages: { summary } }: PageView): Html {
  return html`<form class="requote" method="post" data-requote><input type="hidden" name="requote" value="now"><button class="button" type="submit">${summary.todaysAmount}</button></form>`;
}

/** Until when what is sent still counts by the old rate: whole minutes, and early enough to be in a block by then. */
function alreadySent({ record, figures, messages: { summary } }: PageView, lockEnd: Date): Html | null {
  const end = new Date(lockEnd.getTime() + GRACE_AFTER_QUOTE_MS - TWO_BLOCKS_MS);
  if (end <= record.databaseNow) return null;
  const time = html`<time datetime="${end.toISOString()}" data-local dir="ltr">${figures.time(end)}</time>`;
  return html`<p class="hint">${summary.alreadySent<HtmlValue>({ time })}</p>`;
}
