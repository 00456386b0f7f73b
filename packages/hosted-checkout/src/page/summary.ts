import { assets } from "@daric/domain/asset";
import { finalOf } from "@daric/domain/checkout";
import { formatAmount, subtract, zero } from "@daric/domain/money";
import { amountRequested } from "@daric/domain/order";
import { GRACE_AFTER_QUOTE_MS } from "@daric/domain/quote";
import { type Html, html } from "@daric/runtime/html";
import { around, copyButton, factRow, isolated } from "./elements.ts";
import { isLockOver, moneyText, type PageView } from "./view.ts";

/** The font size of an amount by its length, so that it fits one line. */
const SIZES = [
  { upTo: 6, size: "large" },
  { upTo: 8, size: "medium" },
  { upTo: 15, size: "small" },
];
/** A payment is in a block within this time, as a rule. */
const TWO_BLOCKS_MS = 6_000;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

type MerchantView = Pick<PageView, "isReceipt" | "messages"> & {
  readonly record: Pick<PageView["record"], "merchant">;
};

/** The merchant; on paper, the word for a receipt too. */
export function merchantPart({ record, isReceipt, messages: { receipt } }: MerchantView): Html {
  const { name, logoId } = record.merchant;
  const logo =
    logoId === null
      ? null
      : html`<img data-logo src="../checkout/logos/${logoId}" alt="" width="44" height="44" decoding="async">`;
  return html`<div class="merchant"><span class="logo" aria-hidden="true"><span class="monogram">${monogram(name)}</span>${logo}</span><h1 class="merchant-name"><bdi>${name}</bdi></h1>${isReceipt && html`<p class="paper">${receipt.title}</p>`}</div>`;
}

/** The first grapheme of a name: a family or a flag is one. */
function monogram(name: string): string {
  const [first] = graphemes.segment(name.trim());
  return first?.segment.toUpperCase() ?? "";
}

/** The amount to send with a copy button, or the amount received. */
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
    return html`<div class="amount-row"><p class="label">${label}</p>${button}</div>${amount}${exactHint(view)}${fiatPrice(view)}`;
  }
  const due = amountRequested(charge.terms.due);
  if (invitesPayment || (received === zero && due === null)) return choice(view);
  if (received === zero && due !== null)
    return html`<p class="label">${texts.amount}</p>${bigAmount(shown(due), currency)}`;
  const label = finalOf(charge) < received ? texts.amountSent : texts.amountReceived;
  return html`<p class="label">${label}</p>${bigAmount(shown(received), currency)}`;
}

/** Why the amount is not the one that the shop knows. None about an amount that is no longer asked. */
function exactHint(view: PageView): Html | null {
  const { charge, exactDue, toSend, hasLapsed, figures, messages } = view;
  if (exactDue === null || toSend === null || hasLapsed) return null;
  const amount = figures.amount(formatAmount(toSend), charge.currency);
  return html`<p class="hint">${isolated(view, messages.summary.exactDue({ due: moneyText(view, exactDue), amount }))}</p>`;
}

function choice({ charge, messages: { summary } }: PageView): Html {
  return html`<p class="amount small">${summary.youChoose}</p><p class="label">${summary.inCurrency({ currency: charge.currency })}</p>`;
}

function bigAmount(amount: string, currency: string, style = ""): Html {
  const size = SIZES.find(({ upTo }) => amount.length <= upTo)?.size ?? "smallest";
  return html`<p class="amount ${size}${style}"><bdi><span class="whole">${amount}</span> <span class="currency whole">${currency}</span></bdi></p>`;
}

/** The fiat price and how long it is held; after that, the way to today's amount. */
function fiatPrice(view: PageView): Html | null {
  const { charge, figures, messages, hasLapsed } = view;
  const { fiatAmount, fiatCurrency, quote } = charge;
  if (fiatAmount === null || fiatCurrency === null || quote === null) return null;
  const isOver = isLockOver(view);
  const held = isOver ? messages.summary.heldNoLonger : priceHeld(view, quote.expiresAt);
  const price = html`<p class="price"><strong>${isolated(view, figures.money(fiatAmount, fiatCurrency))}</strong> · <span class="lock">${held}</span></p>`;
  return html`${price}${hasLapsed && requoteForm(view)}${isOver && alreadySent(view, quote.expiresAt)}`;
}

/** Posts to the page's own address for today's amount. */
function requoteForm({ messages: { summary } }: PageView): Html {
  return html`<form class="requote" method="post" data-requote><input type="hidden" name="requote" value="now"><button class="button" type="submit">${summary.todaysAmount}</button></form>`;
}

/** The last minute to send by the old rate, early enough to be in a block by its end. */
function alreadySent({ record, figures, messages: { summary } }: PageView, lockEnd: Date): Html | null {
  const end = new Date(lockEnd.getTime() + GRACE_AFTER_QUOTE_MS - TWO_BLOCKS_MS);
  if (end <= record.databaseNow) return null;
  const time = html`<time datetime="${end.toISOString()}" data-local dir="ltr">${figures.time(end)}</time>`;
  return html`<p class="hint">${around(summary.alreadySent, { time })}</p>`;
}

/** The purpose and the parts of the sum, for comparison with the shop. */
export function factsPart(view: PageView): Html {
  return html`<dl class="facts">${[orderFact(view), ...moneyFacts(view), ...momentFacts(view)]}</dl>`;
}

function orderFact({ charge, record, messages }: PageView): Html | null {
  if (charge.orderRef === null) return null;
  const { link } = record;
  const sold = link && html`<bdi>${link.title}</bdi>`;
  const ref = html`<bdi>${charge.orderRef}</bdi>`;
  return factRow(messages.summary.order, html`${sold}${sold === null ? ref : html`<small>${ref}</small>`}`);
}

/**
 * Price, fee and total as they add up; after a payment also the received part instead of the amount to send.
 * A price alone is already the amount above.
 */
function moneyFacts(view: PageView): (Html | null)[] {
  const { charge, received, toSend, messages } = view;
  const texts = messages.summary;
  const due = amountRequested(charge.terms.due);
  const isPart = due !== null && received > zero && received !== due;
  const hasFee = charge.payAmount !== null && charge.expectedAmount !== null;
  const row = (term: string, amount: typeof received) =>
    factRow(term, html`${isolated(view, moneyText(view, amount))}`);
  return [
    charge.fiatAmount === null ? null : fiatFact(view),
    hasFee && charge.fiatAmount === null ? row(texts.price, charge.expectedAmount) : null,
    hasFee ? row(texts.fee, subtract(charge.payAmount, charge.expectedAmount)) : null,
    due !== null && (isPart || hasFee) ? row(toSend === due ? texts.totalDue : texts.amount, due) : null,
    isPart && toSend !== null ? row(texts.received, received) : null,
  ];
}

/** The shop's fiat price with its rate; with a fee on top also its amount in the currency. */
function fiatFact(view: PageView): Html {
  const { charge, figures } = view;
  const { summary } = view.messages;
  const { fiatAmount, fiatCurrency, quote, currency, payAmount, expectedAmount } = charge;
  const price =
    payAmount !== null &&
    expectedAmount !== null &&
    html`<small>${isolated(view, moneyText(view, expectedAmount))}</small>`;
  const fiat = fiatCurrency ?? "";
  const rate =
    quote &&
    html`<small>${isolated(view, summary.rateOf({ fiat, amount: `${figures.decimal(quote.rate)} ${currency}` }))}</small>`;
  return factRow(
    summary.price,
    html`${isolated(view, figures.money(fiatAmount ?? "", fiat))}${price}${rate}`,
  );
}

function momentFacts(view: PageView): (Html | null)[] {
  const { charge, network, invitesPayment, record } = view;
  const texts = view.messages.summary;
  const testChip = network.testNetwork !== null && html` <span class="chip">${texts.testNetwork}</span>`;
  return [
    factRow(texts.network, html`<bdi>${assets[charge.currency].networkLabel}</bdi>${testChip}`),
    invitesPayment && charge.expiresAt !== null
      ? factRow(texts.timeToPay, countdown(view, charge.expiresAt, { from: record.createdAt }))
      : null,
  ];
}

/**
 * A time that scripts turn into a countdown, announced in the last quarter of the time since `from`; without
 * scripts, the time itself.
 */
function countdown(view: PageView, until: Date, { from }: { readonly from: Date }): Html {
  const time = view.messages.summary.until({ time: view.figures.dateTime(until) });
  return html`<time class="countdown" datetime="${until.toISOString()}" data-until="${until.getTime()}" data-from="${from.getTime()}">${time}</time>`;
}

/**
 * The end of a held price, which scripts turn into a countdown. They count by the page's clock, so the end by
 * the database's clock is converted to it.
 */
function priceHeld({ record, figures, messages: { summary } }: PageView, until: Date): Html {
  const untilMs = until.getTime() + record.now.getTime() - record.databaseNow.getTime();
  return html`<time class="countdown held" datetime="${until.toISOString()}" data-until="${untilMs}" data-phrase="${summary.heldFor({ left: "{left}" })}">${summary.heldUntil({ time: figures.dateTime(until) })}</time>`;
}
