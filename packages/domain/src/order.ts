import { assets, type Currency } from "./asset.ts";
import {
  type Amount,
  add,
  amountIn,
  centsRoundedUp,
  grossUpRoundedUp,
  inEveryCurrency,
  larger,
  shareRoundedDown,
  smaller,
  subtract,
  zero,
} from "./money.ts";
import type { ConfirmedSums } from "./sums.ts";

/** The payer of the service's fee: the merchant out of the received money, or the client on top of the price. */
export const feeModes = ["merchant", "client"] as const;
export type FeeMode = (typeof feeModes)[number];

export type Fee<C extends Currency = Currency> = {
  readonly basisPoints: number;
  readonly fixed: Amount<C>;
};

/** The terms of a payment. `due` is null if any amount is welcome (receive and open addresses). */
export type Terms<C extends Currency = Currency> = {
  readonly due: Amount<C> | null;
  readonly toleranceBasisPoints: number;
};

export const paymentStates = ["none", "under", "exact", "over"] as const;
/** The verdict on the received amount. It is independent of the progress of the deposits. */
export type PaymentState = (typeof paymentStates)[number];

const ONE_PERCENT = 100;
const SMALLEST = inEveryCurrency(1n);
const ONE_HUNDREDTH = inEveryCurrency(10_000n);
const ONE = inEveryCurrency(1_000_000n);

/** The amount that the payer sends in client fee mode: (expected + fixed) / (1 − basis points), rounded up to 6 decimals. */
export function priceForClient<C extends Currency>(expected: Amount<C>, fee: Fee<NoInfer<C>>): Amount<C> {
  return grossUpRoundedUp(add(expected, fee.fixed), fee.basisPoints);
}

export type Price<C extends Currency = Currency> = {
  readonly expected: Amount<C>;
  readonly pay: Amount<C> | null;
};

export function priceOrder<C extends Currency>(
  expected: Amount<C>,
  feeMode: FeeMode,
  fee: Fee<NoInfer<C>>,
): Price<C> {
  return { expected, pay: feeMode === "client" ? priceForClient(expected, fee) : null };
}

/** The amount that pays a charge, with the fee on top if the client pays it. Null if any amount will do. */
export function dueOf<C extends Currency>(priced: {
  expectedAmount: Amount<C> | null;
  payAmount: Amount<C> | null;
}): Amount<C> | null {
  return priced.payAmount ?? priced.expectedAmount;
}

/** The due if a certain amount is requested. Null if any amount will do, as for an order of zero. */
export function amountRequested<C extends Currency>(due: Amount<C> | null): Amount<C> | null {
  return due === zero ? null : due;
}

/** The rest that the payer is asked for; null without a fixed amount. It is never less than the least amount that counts. */
export function amountToSend<C extends Currency>(
  currency: C,
  due: Amount<C> | null,
  credited: Amount<C>,
): Amount<C> | null {
  const requested = amountRequested(due);
  if (requested === null) return null;
  const rest = subtract(requested, credited);
  const min = amountIn(currency, assets[currency].dust);
  return rest > zero && rest < min && requested >= min ? min : rest;
}

/** The shortfall at which an order still counts as paid: max(min(0.01, 1 % of due), the merchant's share of due). */
export function tolerance<C extends Currency>(due: Amount<C>, basisPoints: number): Amount<C> {
  const general = smaller(shareRoundedDown(due, ONE_PERCENT), ONE_HUNDREDTH);
  return larger(general, shareRoundedDown(due, basisPoints));
}

/** The least amount that pays an order: the due less the tolerance, at least one unit. Null without a due. */
export function minPayingUnits<C extends Currency>(terms: Terms<C>): Amount<C> | null {
  if (terms.due === null) return null;
  return larger(subtract(terms.due, tolerance(terms.due, terms.toleranceBasisPoints)), SMALLEST);
}

/** The one definition of "paid": the received amount is at least {@link minPayingUnits}. */
export function isPaid<C extends Currency>(terms: Terms<C>, received: Amount<NoInfer<C>>): boolean {
  const min = minPayingUnits(terms);
  return min !== null && received >= min;
}

/** Overpaid: the surplus is above max(0.01, min(1 % of due, 1)). An order of zero is never overpaid. */
export function isOverpaid<C extends Currency>(terms: Terms<C>, received: Amount<NoInfer<C>>): boolean {
  const requested = amountRequested(terms.due);
  if (requested === null) return false;
  const slack = larger(smaller(shareRoundedDown(requested, ONE_PERCENT), ONE), ONE_HUNDREDTH);
  return subtract(received, requested) > slack;
}

/** Whether an order is paid only thanks to money after `expires_at`, inside the late window or after it. */
export function isPaidLate<C extends Currency>(
  terms: Terms<C>,
  confirmed: ConfirmedSums<NoInfer<C>>,
): boolean {
  return isPaid(terms, confirmed.total) && !isPaid(terms, confirmed.onTime);
}

export type OrderOutcome = "paid" | "overpaid" | "paid_late";

/**
 * The outcomes of an order in the order of their events. `overpaid` and `paid_late` come besides `paid`. Money after the
 * late window gives `paid_late` alone, because the order stays expired.
 */
export function orderOutcomes<C extends Currency>(
  terms: Terms<C>,
  confirmed: ConfirmedSums<NoInfer<C>>,
): readonly OrderOutcome[] {
  const outcomes: OrderOutcome[] = [];
  if (isPaid(terms, confirmed.inWindow)) outcomes.push("paid");
  if (isOverpaid(terms, confirmed.inWindow)) outcomes.push("overpaid");
  if (isPaidLate(terms, confirmed)) outcomes.push("paid_late");
  return outcomes;
}

/**
 * The outcomes that become events. An accepted order announces only `overpaid`: its acceptance already announced that it is
 * paid, and the merchant could fulfil a second such event again.
 */
export function announcedOutcomes(
  outcomes: readonly OrderOutcome[],
  order: { acceptedAt: Date | null },
): readonly OrderOutcome[] {
  return order.acceptedAt === null ? outcomes : outcomes.filter((outcome) => outcome === "overpaid");
}

/**
 * The amount that the payer types to send `toSend`. Exchanges and wallets take two decimals, so it is rounded up to them: the
 * merchant gains less than 0.01. It stays as it is if the order would then not be paid exactly.
 */
export function amountToType<C extends Currency>(
  terms: Terms<C>,
  credited: Amount<NoInfer<C>>,
  toSend: Amount<NoInfer<C>>,
): Amount<C> {
  const rounded = centsRoundedUp(toSend);
  return paymentState(terms, add(credited, rounded)) === "exact" ? rounded : toSend;
}

/** The verdict on an amount. Within tolerance it is `exact`; without a due any money is `exact`. */
export function paymentState<C extends Currency>(
  terms: Terms<C>,
  received: Amount<NoInfer<C>>,
): PaymentState {
  if (received <= zero) return "none";
  if (terms.due === null) return "exact";
  if (isOverpaid(terms, received)) return "over";
  return isPaid(terms, received) ? "exact" : "under";
}

export const orderPaymentStatuses = ["paid", "confirming", "detected", "awaiting", "expired"] as const;
export type OrderPaymentStatus = (typeof orderPaymentStatuses)[number];

/** Paid for good: accepted by the merchant, or paid by confirmed money inside the late window. */
export function isSettled(order: {
  readonly terms: Terms;
  readonly acceptedAt: Date | null;
  readonly confirmed: ConfirmedSums;
}): boolean {
  return order.acceptedAt !== null || isPaid(order.terms, order.confirmed.inWindow);
}
