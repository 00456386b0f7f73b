import type { Currency } from "./asset.ts";
import type { ChargeStatus } from "./charge.ts";
import {
  type Amount,
  add,
  grossUpRoundedUp,
  inEveryCurrency,
  larger,
  shareRoundedDown,
  smaller,
  subtract,
  zero,
} from "./money.ts";
import type { ConfirmedSums } from "./sums.ts";

/** Who pays the service's fee: the merchant out of what arrives, or the client on top of the price. */
export const feeModes = ["merchant", "client"] as const;
export type FeeMode = (typeof feeModes)[number];

/** The fee of a charge, frozen when it is created. */
export type Fee<C extends Currency = Currency> = {
  readonly basisPoints: number;
  readonly fixed: Amount<C>;
};

/** What a payer of one charge owes. `due` is null where any amount is welcome (receive and open addresses). */
export type Terms<C extends Currency = Currency> = {
  readonly due: Amount<C> | null;
  readonly toleranceBasisPoints: number;
};

export const paymentStates = ["none", "under", "exact", "over"] as const;
/** The verdict on an amount, an axis of its own beside a deposit's progress. */
export type PaymentState = (typeof paymentStates)[number];

const ONE_PERCENT = 100;
const SMALLEST = inEveryCurrency(1n);
const ONE_HUNDREDTH = inEveryCurrency(10_000n);
const ONE = inEveryCurrency(1_000_000n);

/** What the payer must send in client fee mode: (expected + fixed) / (1 − basis points), rounded up to 6 decimals. */
export function priceForClient<C extends Currency>(expected: Amount<C>, fee: Fee<NoInfer<C>>): Amount<C> {
  return grossUpRoundedUp(add(expected, fee.fixed), fee.basisPoints);
}

/** What an order costs: the merchant's price, and in client fee mode what the payer must send for it. */
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

/** What pays a charge that is priced like this: with the fee on top where the client pays it. Null where any amount will do. */
export function dueOf<C extends Currency>(priced: {
  expectedAmount: Amount<C> | null;
  payAmount: Amount<C> | null;
}): Amount<C> | null {
  return priced.payAmount ?? priced.expectedAmount;
}

/** The due where a certain amount is asked for. Null where any amount will do, as for an order of zero: it owes nothing. */
export function amountRequested<C extends Currency>(due: Amount<C> | null): Amount<C> | null {
  return due === zero ? null : due;
}

/** How far below the due a payment may end and still pay: max(min(0.01, 1 % of due), the merchant's share of due). */
export function tolerance<C extends Currency>(due: Amount<C>, basisPoints: number): Amount<C> {
  const general = smaller(shareRoundedDown(due, ONE_PERCENT), ONE_HUNDREDTH);
  return larger(general, shareRoundedDown(due, basisPoints));
}

/** The least amount that pays: the due less the tolerance, and never nothing. Null where nothing can be "paid". */
export function leastThatPays<C extends Currency>(terms: Terms<C>): Amount<C> | null {
  if (terms.due === null) return null;
  return larger(subtract(terms.due, tolerance(terms.due, terms.toleranceBasisPoints)), SMALLEST);
}

/** The one predicate of "paid": something arrived, and at least the due less the tolerance. */
export function isPaid<C extends Currency>(terms: Terms<C>, received: Amount<NoInfer<C>>): boolean {
  const least = leastThatPays(terms);
  return least !== null && received >= least;
}

/** Overpaid: the surplus is above max(0.01, min(1 % of due, 1)). An order of zero is never overpaid. */
export function isOverpaid<C extends Currency>(terms: Terms<C>, received: Amount<NoInfer<C>>): boolean {
  const requested = amountRequested(terms.due);
  if (requested === null) return false;
  const slack = larger(smaller(shareRoundedDown(requested, ONE_PERCENT), ONE), ONE_HUNDREDTH);
  return subtract(received, requested) > slack;
}

/** Paid only thanks to money that came after `expires_at`, be it inside the late window or later still. */
export function isPaidLate<C extends Currency>(
  terms: Terms<C>,
  confirmed: ConfirmedSums<NoInfer<C>>,
): boolean {
  return isPaid(terms, confirmed.total) && !isPaid(terms, confirmed.onTime);
}

/** What confirmed money can make of an order, each at most once in its life. */
export type OrderOutcome = "paid" | "overpaid" | "paid_late";

/**
 * What the confirmed money of an order has made of it, in the order to announce it. `overpaid` and `paid_late` come
 * beside `paid`; money after the late window makes `paid_late` alone, since the order stays expired.
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
 * Those outcomes of an order that are told: of one that its merchant has accepted only that it is overpaid. What it did
 * then was to call the order paid; a second word to fulfil on would be one too many.
 */
export function announcedOutcomes(
  outcomes: readonly OrderOutcome[],
  order: { acceptedAt: Date | null },
): readonly OrderOutcome[] {
  return order.acceptedAt === null ? outcomes : outcomes.filter((outcome) => outcome === "overpaid");
}

/** The amount verdict. Within tolerance is `exact`; where nothing is due, any money is `exact`. */
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

/** The facts an order's `payment_status` follows from. */
export type OrderFacts = {
  readonly terms: Terms;
  readonly status: ChargeStatus;
  /** when its merchant took what had arrived for the whole */
  readonly acceptedAt: Date | null;
  readonly confirmed: ConfirmedSums;
  readonly hasConfirming: boolean;
  readonly hasDetected: boolean;
  readonly isExpired: boolean;
};

/** Paid for good: accepted, or by its confirmed money inside the late window. */
export function isSettled(order: Pick<OrderFacts, "terms" | "acceptedAt" | "confirmed">): boolean {
  return order.acceptedAt !== null || isPaid(order.terms, order.confirmed.inWindow);
}

/**
 * The derived status of an order, first line that fits. Matching deposits only; never stored. An order that was
 * archived unpaid is over, whatever still comes.
 */
export function orderPaymentStatus(order: OrderFacts): OrderPaymentStatus {
  if (isSettled(order)) return "paid";
  if (order.status === "ARCHIVED") return "expired";
  if (order.hasConfirming) return "confirming";
  if (order.hasDetected) return "detected";
  return order.isExpired ? "expired" : "awaiting";
}
