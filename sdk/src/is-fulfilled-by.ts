import { canonicalDecimal } from "./decimal.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** An order as you keep it: what you asked for when you made it. */
export type ExpectedOrder = {
  readonly orderRef: string;
  /** the price as a decimal, `12.50` or `12.5`; never a number */
  readonly amount: string;
  /** `USD` where the order was made with `pricingCurrency: "USD"`, else the coin */
  readonly currency: string;
};

/**
 * Whether an event says that all of an order's money is there for good: `deposit.confirmed` of this order, at this price, with
 * a `paymentState` of `exact` or `over`. That you have not delivered it before is yours to know.
 *
 * @throws TypeError where `amount` is no decimal in a string, since no event could ever be equal to it.
 */
export function isFulfilledBy(event: WebhookEvent, order: ExpectedOrder): boolean {
  return reasonNotToDeliver(event, order) === undefined;
}

/**
 * Why an event is no reason to deliver an order, in words for your log; undefined where it is one.
 *
 * @throws TypeError where `amount` is no decimal in a string, since no event could ever be equal to it.
 */
export function reasonNotToDeliver(event: WebhookEvent, order: ExpectedOrder): string | undefined {
  const requested = canonicalDecimal(order.amount);
  if (requested === undefined)
    throw new TypeError(`amount must be a decimal like "12.50", not ${JSON.stringify(order.amount)}.`);
  if (event.event !== "deposit.confirmed") return `the event is ${event.event}`;
  const { orderRef, orderAmount, fiatAmount, fiatCurrency, paymentState, amountReceived } = event.data;
  // An event without a reference is of no order of yours, not even of one that you keep without one.
  if (orderRef === null || orderRef !== order.orderRef) return `the event is of ${JSON.stringify(orderRef)}`;
  // Of an order in USD the price is in fiatAmount: its orderAmount is in coins and moves with the rate.
  const amount = fiatAmount ?? orderAmount;
  const currency = fiatCurrency ?? event.data.currency;
  if (canonicalDecimal(amount) !== requested || currency !== order.currency)
    return `its price is ${amount} ${currency}, and ${order.amount} ${order.currency} was asked for`;
  if (paymentState !== "exact" && paymentState !== "over")
    return `only ${amountReceived} ${event.data.currency} has arrived`;
  return undefined;
}
