import { canonicalDecimal } from "./decimal.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Your own record of an order, from the time when you made it. */
export type ExpectedOrder = {
  readonly orderRef: string;
  /** the `id` of the answer when you made it. Several charges may have one reference; an event of another one counts for none */
  readonly depositAddressId?: string | undefined;
  /** the price as a decimal, `12.50` or `12.5`; never a number */
  readonly amount: string;
  /** `EUR` if the order was made with `pricingCurrency: "EUR"`, else the coin */
  readonly currency: string;
};

/**
 * Whether an event proves that an order may be delivered. That is `deposit.confirmed` of this charge, at this
 * price, with a `paymentState` of `exact` or `over`; `order.accepted` of it; or the payment of its rest
 * (`restCompletes`). You must check that you have not delivered it before.
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
  if (event.event !== "deposit.confirmed" && event.event !== "order.accepted" && !isPaidRest(event))
    return `the event is ${event.event}`;
  const { orderRef, orderAmount, fiatAmount, fiatCurrency, paymentState, amountReceived } = event.data;
  // An event without a reference belongs to no order, not even to one that is stored without a reference.
  if (orderRef === null || orderRef !== order.orderRef) return `the event is of ${JSON.stringify(orderRef)}`;
  const isRest = isPaidRest(event);
  const charge = isRest ? event.data.restOf : event.data.depositAddressId;
  if (order.depositAddressId !== undefined && charge !== order.depositAddressId)
    return `the event is of the charge ${charge}`;
  // The price of a rest is what was missing.
  if (isRest) return undefined;
  // The price of an order in a currency is fiatAmount: its orderAmount is in coins and moves with the rate.
  const amount = fiatAmount ?? orderAmount;
  const currency = fiatCurrency ?? event.data.currency;
  if (canonicalDecimal(amount) !== requested || currency !== order.currency)
    return `its price is ${amount} ${currency}, and ${order.amount} ${order.currency} was asked for`;
  if (event.event === "deposit.confirmed" && paymentState !== "exact" && paymentState !== "over")
    return `only ${amountReceived} ${event.data.currency} has arrived`;
  return undefined;
}

/** Whether the payment or the acceptance of a rest completes the order of its `restOf`. */
function isPaidRest(
  event: WebhookEvent,
): event is Extract<WebhookEvent, { event: "order.paid" | "order.accepted" }> {
  return (
    (event.event === "order.paid" || event.event === "order.accepted") && event.data.restCompletes === true
  );
}
