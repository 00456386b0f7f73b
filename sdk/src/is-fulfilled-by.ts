import { canonicalDecimal } from "./decimal.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Your own record of an order, from the time when you made it. */
export type ExpectedOrder = {
  readonly orderRef: string;
  /** the price as a decimal, `12.50` or `12.5`; never a number */
  readonly amount: string;
  /** `USD` if the order was made with `pricingCurrency: "USD"`, else the coin */
  readonly currency: string;
};

/**
 * Whether an event proves that all of an order's money is final. That is `deposit.confirmed` of this order,
 * at this price, with a `paymentState` of `exact` or `over`. You must check that you have not delivered it
 * before.
 *
 * @throws TypeError if `amount` is no decimal string, since no event could equal it.
 */
export function isFulfilledBy(event: WebhookEvent, order: ExpectedOrder): boolean {
  return reasonNotToDeliver(event, order) === undefined;
}

/**
 * The reason why an event is not enough to deliver an order, for your log; undefined if it is.
 *
 * @throws TypeError if `amount` is no decimal string, since no event could equal it.
 */
export function reasonNotToDeliver(event: WebhookEvent, order: ExpectedOrder): string | undefined {
  const requested = canonicalDecimal(order.amount);
  if (requested === undefined)
    throw new TypeError(`amount must be a decimal like "12.50", not ${JSON.stringify(order.amount)}.`);
  if (event.event !== "deposit.confirmed") return `the event is ${event.event}`;
  const { orderRef, orderAmount, fiatAmount, fiatCurrency, paymentState, amountReceived } = event.data;
  // An event without a reference belongs to no order, not even to one that is stored without a reference.
  if (orderRef === null || orderRef !== order.orderRef) return `the event is of ${JSON.stringify(orderRef)}`;
  // The price of an order in USD is fiatAmount: its orderAmount is in coins and moves with the rate.
  const amount = fiatAmount ?? orderAmount;
  const currency = fiatCurrency ?? event.data.currency;
  if (canonicalDecimal(amount) !== requested || currency !== order.currency)
    return `its price is ${amount} ${currency}, and ${order.amount} ${order.currency} was asked for`;
  if (paymentState !== "exact" && paymentState !== "over")
    return `only ${amountReceived} ${event.data.currency} has arrived`;
  return undefined;
}
