import { subtract, zero } from "../../domain/money.ts";
import { amountRequested } from "../../domain/order.ts";
import { type Html, html } from "./html.ts";
import { isolated } from "./isolated.ts";
import { moneyText, type PageView } from "./view.ts";

/** What the payment is for and what it is made of, for a payer who compares it with the shop. */
export function factsPart(view: PageView): Html {
  return html`<dl class="facts">${[orderFact(view), ...moneyFacts(view), ...momentFacts(view)]}</dl>`;
}

/** A row of a list of facts. */
export function factRow(term: string, description: Html): Html {
  return html`<div><dt>${term}</dt><dd>${description}</dd></div>`;
}

/** A moment as people write it, with its zone. */
export function momentText({ figures }: Pick<PageView, "figures">, moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${figures.dateTime(moment)}</time>`;
}

function orderFact({ charge, messages }: PageView): Html | null {
  if (charge.orderRef === null) return null;
  return factRow(messages.summary.order, html`<bdi>${charge.orderRef}</bdi>`);
}

/**
 * Price, fee and total as they add up; what of it has arrived, from when on the total is not what is to be sent. A price alone is
 * the amount above, so it is not said twice.
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
    due !== null && (isPart || hasFee)
      ? row(view.invitesPayment && received === zero ? texts.totalDue : texts.amount, due)
      : null,
    isPart && toSend !== null ? row(texts.received, received) : null,
  ];
}

/** The price in fiat, as the shop gave it, with its rate; what it comes to, where a fee is added to that. */
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
    factRow(texts.network, html`<bdi>${texts.networkOf[charge.currency]}</bdi>${testChip}`),
    invitesPayment && charge.expiresAt !== null
      ? factRow(texts.timeToPay, countdown(view, charge.expiresAt, { from: record.createdAt }))
      : null,
  ];
}

/** A moment that scripts turn into the time left, told from the last quarter of the time since `from` on; without scripts, the moment itself. */
function countdown(view: PageView, until: Date, { from }: { readonly from: Date }): Html {
  const time = view.messages.summary.until({ time: view.figures.dateTime(until) });
  return html`<time class="countdown" datetime="${until.toISOString()}" data-until="${until.getTime()}" data-from="${from.getTime()}">${time}</time>`;
}

/**
 * How long a price is held, which scripts turn into the time left. They count by the page's clock: the end, which the database's
 * clock decides, is put where the page's will be then.
 */
export function priceHeld({ record, figures, messages: { summary } }: PageView, until: Date): Html {
  const untilMs = until.getTime() + record.now.getTime() - record.databaseNow.getTime();
  return html`<time class="countdown held" datetime="${until.toISOString()}" data-until="${untilMs}" data-phrase="${summary.heldFor({ left: "{left}" })}">${summary.heldUntil({ time: figures.dateTime(until) })}</time>`;
}
