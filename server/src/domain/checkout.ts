import type { ChargeStatus } from "./charge.ts";
import { type Amount, zero } from "./money.ts";
import { isOverpaid, isPaid, type Terms } from "./order.ts";

export const checkoutStates = [
  "awaiting",
  "confirming",
  "paid",
  "underpaid",
  "overpaid",
  "expired",
  "error",
] as const;
export type CheckoutState = (typeof checkoutStates)[number];

/** The facts a checkout's state follows from. Matching deposits only. */
export type CheckoutFacts = {
  readonly terms: Terms;
  readonly status: ChargeStatus;
  /** confirmed in blocks up to the end of the late window */
  readonly confirmedInWindow: Amount;
  readonly confirmedTotal: Amount;
  readonly hasOpenDeposit: boolean;
  /** expired with the clock of the scanned chain, whether or not the row has been swept yet */
  readonly isExpired: boolean;
};

/** What the payer is shown, first line that fits. Where nothing is due, any confirmed money pays. */
export function checkoutState(facts: CheckoutFacts): CheckoutState {
  if (isOverpaid(facts.terms, facts.confirmedInWindow)) return "overpaid";
  if (isPaid(facts.terms, facts.confirmedInWindow)) return "paid";
  if (facts.hasOpenDeposit) return "confirming";
  if (facts.terms.due === null && facts.confirmedTotal > zero) return "paid";
  if (facts.confirmedTotal > zero) return "underpaid";
  if (facts.isExpired) return "expired";
  return facts.status === "ARCHIVED" ? "error" : "awaiting";
}
