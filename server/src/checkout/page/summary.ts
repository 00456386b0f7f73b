import type { Branding } from "../../domain/checkout.ts";
import { formatAmount, formatAmountOrNull, subtract, zero } from "../../domain/money.ts";
import { askedOf } from "../../domain/order.ts";
import type { Messages } from "../messages/catalogue.ts";
import { copyButton } from "./copy-button.ts";
import { type Html, html } from "./html.ts";
import { money, type PageView } from "./view.ts";

/** The size of an amount by its length in characters, so that it stays on one line wherever it can. */
const SIZES = [
  { upTo: 7, size: "large" },
  { upTo: 11, size: "medium" },
  { upTo: 15, size: "small" },
];

/** Who is paid, how much, for what: the part of the page that a payer compares with the shop. */
export function summaryPart(view: PageView): Html {
  return html`${merchantHeading(view.record.merchant)}
<div class="figure">${amountFigure(view)}</div>
<dl class="facts">${factRows(view)}</dl>`;
}

function merchantHeading({ name, logoUrl }: Branding): Html {
  const [initial = ""] = name.trim();
  const logo =
    logoOrigin(logoUrl) === null
      ? null
      : html`<img data-logo src="${logoUrl}" alt="" width="44" height="44" decoding="async">`;
  return html`<div class="merchant"><span class="logo" aria-hidden="true"><span class="monogram">${initial.toUpperCase()}</span>${logo}</span><h1 class="merchant-name"><bdi>${name}</bdi></h1></div>`;
}

/**
 * The origin that a page may load the merchant's logo from; null for anything but an https address whose host is
 * plain enough to stand in a content security policy.
 */
export function logoOrigin(logoUrl: string | null): string | null {
  if (logoUrl === null || !URL.canParse(logoUrl)) return null;
  const { protocol, origin, username, password } = new URL(logoUrl);
  const isPlain = protocol === "https:" && username === "" && password === "";
  return isPlain && /^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin) ? origin : null;
}

function amountFigure(view: PageView): Html {
  const { charge, toSend, received, invitesPayment } = view;
  const { currency } = charge;
  const words = view.messages.summary;
  if (toSend !== null) {
    const amount = formatAmount(toSend);
    const button = copyButton({ id: "copy-amount", text: amount, label: words.copyAmount, tone: "quiet" });
    const label = received > zero ? words.stillToSend : words.amountToSend;
    return html`<p class="label">${label}</p><div class="amount-row">${bigAmount(amount, currency)}${button}</div>`;
  }
  if (invitesPayment)
    return html`<p class="label">${words.amountToSend}</p>${bigAmount(words.anyAmount, currency)}`;
  if (received > zero) {
    const label = charge.pending > zero ? words.amountSent : words.amountReceived;
    return html`<p class="label">${label}</p>${bigAmount(formatAmount(received), currency)}`;
  }
  const amount = formatAmountOrNull(askedOf(charge.terms.due)) ?? words.anyAmount;
  return html`<p class="label">${words.amount}</p>${bigAmount(amount, currency)}`;
}

function bigAmount(amount: string, currency: string): Html {
  const size = SIZES.find(({ upTo }) => amount.length <= upTo)?.size ?? "smallest";
  return html`<p class="amount ${size}"><span class="digits">${amount}</span> <span class="currency">${currency}</span></p>`;
}

function factRows(view: PageView): Html[] {
  const { charge, network, received, toSend, invitesPayment } = view;
  const due = askedOf(charge.terms.due);
  const isOtherThanDue = due !== null && received > zero && received !== due;
  const words = view.messages.summary;
  const testChip = network.testNetwork !== null && html` <span class="chip">${words.testNetwork}</span>`;
  return [
    charge.orderRef === null ? null : fact(words.order, html`<bdi>${charge.orderRef}</bdi>`),
    charge.fiatAmount === null ? null : fact(words.price, priceText(view)),
    feeFact(view),
    isOtherThanDue ? fact(words.totalDue, html`${money(due, charge.currency)}`) : null,
    isOtherThanDue && toSend !== null
      ? fact(words.received, html`${money(received, charge.currency)}`)
      : null,
    fact(words.network, html`${words.networkOf[charge.currency]}${testChip}`),
    invitesPayment && charge.expiresAt !== null
      ? fact(words.timeToPay, countdown(charge.expiresAt, words))
      : null,
  ].filter((row) => row !== null);
}

function fact(term: string, description: Html): Html {
  return html`<div><dt>${term}</dt><dd>${description}</dd></div>`;
}

/** The price in fiat as the shop gave it, with the rate and, while it is locked, how long for. */
function priceText({ charge, record, invitesPayment, messages: { summary } }: PageView): Html {
  const { fiatAmount, fiatCurrency, quote, currency } = charge;
  const rate = quote === null ? null : html`<small>1 ${fiatCurrency} = ${quote.rate} ${currency}</small>`;
  const isLocked = quote !== null && invitesPayment && quote.expiresAt > record.now;
  const lock = isLocked
    ? html`<small>${summary.rateLocked({ left: countdown(quote.expiresAt, summary) })}</small>`
    : null;
  return html`${fiatAmount} ${fiatCurrency}${rate}${lock}`;
}

function feeFact({ charge, messages }: PageView): Html | null {
  if (charge.payAmount === null || charge.expectedAmount === null) return null;
  const fee = subtract(charge.payAmount, charge.expectedAmount);
  return fact(messages.summary.feeIncluded, html`${money(fee, charge.currency)}`);
}

/** A moment that scripts turn into the time left; without them, the moment itself. */
function countdown(until: Date, words: Messages["summary"]): Html {
  const iso = until.toISOString();
  return html`<time class="countdown" datetime="${iso}" data-until="${until.getTime()}">${words.until({ time: iso.slice(11, 16) })}</time>`;
}
