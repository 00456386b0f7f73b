import { type Currency, otherThan } from "./asset.ts";
import type { ChargeKind } from "./charge.ts";
import { type Amount, add, inEveryCurrency, larger, shareRoundedDown, zero } from "./money.ts";
import { amountRequested, announcedOutcomes, isSettled, orderOutcomes, type Terms } from "./order.ts";
import type { ConfirmedSums } from "./sums.ts";
import type { WebhookEventType } from "./webhook-event.ts";

/**
 * What an integration has to cope with. `late`: after the order has expired. `wrong_coin`: in another currency.
 * `reorged`: in a block that leaves the chain; the payment comes again in another one.
 */
export const testCases = ["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"] as const;
export type TestCase = (typeof testCases)[number];

/** One transfer of a test case. */
export type TestPayment = { readonly currency: Currency; readonly amount: Amount };

/** What is sent where nothing is due: 10 USDT or 10 TRX. */
const WHERE_NOTHING_IS_DUE = inEveryCurrency(10_000_000n);
/** Twice as much as any due takes for exact. */
const LEAST_SURPLUS = inEveryCurrency(20_000n);
const HALF = 5_000;

/**
 * What a payer sends in this case, in this order. `under` is half of the due, `over` half as much again; where nothing is due,
 * they are of 10. `wrong_coin` is as many of another currency. No payment at all where the due has no half.
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
      return [{ currency, amount: add(amount, larger(half, LEAST_SURPLUS)) }];
    case "twice":
      return [exact, exact];
    case "wrong_coin":
      return [{ currency: otherThan(currency), amount }];
    default:
      return [exact];
  }
}

/** What decides what is told of a payment. */
export type PayableFacts = {
  readonly kind: ChargeKind;
  readonly currency: Currency;
  readonly terms: Terms;
  readonly confirmed: ConfirmedSums;
  readonly expiresAt: Date | null;
  readonly lateUntil: Date | null;
  /** when its merchant took what had arrived for the whole */
  readonly acceptedAt: Date | null;
};

/**
 * The events that these payments cause, if nothing else comes: one for each payment, then what becomes of the order.
 * `at` is the time of the chain. `order.underpaid` comes when the order expires.
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
