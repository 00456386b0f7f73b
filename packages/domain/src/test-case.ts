import { type Currency, otherThan } from "./asset.ts";
import type { ChargeKind } from "./charge.ts";
import { type Amount, add, inEveryCurrency, larger, shareRoundedDown, zero } from "./money.ts";
import { amountRequested, announcedOutcomes, isSettled, orderOutcomes, type Terms } from "./order.ts";
import type { ConfirmedSums } from "./sums.ts";
import type { WebhookEventType } from "./webhook-event.ts";

/**
 * The cases that an integration has to handle. `late`: paid after the order has expired. `wrong_coin`: paid in the other
 * currency. `reorged`: the payment's block leaves the chain, and another block brings the payment again.
 */
export const testCases = ["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"] as const;
export type TestCase = (typeof testCases)[number];

/** The cases of a refund: its payer names an address; it is paid; it is paid short by the smallest part of the coin. */
export const refundTestCases = ["claim", "pay", "short"] as const;
export type RefundTestCase = (typeof refundTestCases)[number];

export type TestPayment = { readonly currency: Currency; readonly amount: Amount };

const WHERE_NOTHING_IS_DUE = inEveryCurrency(10_000_000n);
/** Twice the largest surplus that still counts as exact for the smallest dues. */
const MIN_SURPLUS = inEveryCurrency(20_000n);
const HALF = 5_000;

/**
 * The payments of a test case, in order. `under` sends half of the due and `over` half more; without a due they start from
 * 10. `wrong_coin` sends the same number in another coin. `under` sends nothing if the due cannot be halved.
 */
export function paymentsOf(
  testCase: TestCase,
  { currency, due }: { currency: Currency; due: Amount | null },
): readonly TestPayment[] {
  const amount = amountRequested(due) ?? WHERE_NOTHING_IS_DUE;
  const half = shareRoundedDown(amount, HALF);
  const exact = { currency, amount };
  switch (testCase) {
    case "under":
      return half > zero ? [{ currency, amount: half }] : [];
    case "over":
      return [{ currency, amount: add(amount, larger(half, MIN_SURPLUS)) }];
    case "twice":
      return [exact, exact];
    case "wrong_coin":
      return [{ currency: otherThan(currency), amount }];
    default:
      return [exact];
  }
}

export type PayableFacts = {
  readonly kind: ChargeKind;
  readonly currency: Currency;
  readonly terms: Terms;
  readonly confirmed: ConfirmedSums;
  readonly expiresAt: Date | null;
  readonly lateUntil: Date | null;
  /** when the merchant took the received amount as full payment */
  readonly acceptedAt: Date | null;
};

/**
 * The events of these payments if no other payment comes: one per payment, then those of the order. `at` is the chain's
 * time. `order.underpaid` follows at the order's expiry.
 */
export function expectedEvents(
  facts: PayableFacts,
  payments: readonly TestPayment[],
  at: Date,
): WebhookEventType[] {
  const matching = payments.filter(({ currency }) => currency === facts.currency);
  const reported: WebhookEventType[] = payments.map(({ currency }) =>
    currency === facts.currency ? "deposit.confirmed" : "deposit.unmatched",
  );
  if (facts.kind !== "order" || matching.length === 0) return reported;
  const after = sumsAfter(facts, matching, at);
  const known = orderOutcomes(facts.terms, facts.confirmed);
  const made = orderOutcomes(facts.terms, after).filter((outcome) => !known.includes(outcome));
  const outcomes = announcedOutcomes(made, facts);
  reported.push(...outcomes.map((outcome) => `order.${outcome}` as const));
  const isStillDue = isOnTime(facts, at) && !isSettled({ ...facts, confirmed: after });
  return isStillDue ? [...reported, "order.underpaid"] : reported;
}

function isOnTime({ expiresAt }: PayableFacts, at: Date): boolean {
  return expiresAt === null || at <= expiresAt;
}

function sumsAfter(facts: PayableFacts, payments: readonly TestPayment[], at: Date): ConfirmedSums {
  const { confirmed, lateUntil } = facts;
  const sent = payments.reduce<Amount>((sum, { amount }) => add(sum, amount), zero);
  const isInWindow = lateUntil === null || at <= lateUntil;
  return {
    onTime: isOnTime(facts, at) ? add(confirmed.onTime, sent) : confirmed.onTime,
    inWindow: isInWindow ? add(confirmed.inWindow, sent) : confirmed.inWindow,
    total: add(confirmed.total, sent),
  };
}
