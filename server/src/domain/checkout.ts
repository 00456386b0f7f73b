import type { ChargeStatus } from "./charge.ts";
import type { DepositStatus } from "./deposit.ts";
import { type Amount, add, zero } from "./money.ts";
import { isOverpaid, isPaid, type Terms } from "./order.ts";
import type { ReceivedSums } from "./sums.ts";

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
  /** its merchant took what had arrived for the whole */
  readonly isAccepted: boolean;
  /** credited, and confirmed in blocks up to the end of the late window */
  readonly confirmedInWindow: Amount;
  /** as the chain moved it */
  readonly receivedTotal: Amount;
  readonly hasOpenDeposit: boolean;
  /** expired by the clock of the scanned chain, whether or not a solid block has said so yet */
  readonly isExpired: boolean;
};

/** What the payer is shown, first line that fits. Where nothing is due, any confirmed money pays. */
export function checkoutState(facts: CheckoutFacts): CheckoutState {
  if (isOverpaid(facts.terms, facts.confirmedInWindow)) return "overpaid";
  if (facts.isAccepted || isPaid(facts.terms, facts.confirmedInWindow)) return "paid";
  if (facts.hasOpenDeposit) return "confirming";
  if (facts.terms.due === null && facts.receivedTotal > zero) return "paid";
  if (facts.receivedTotal > zero) return "underpaid";
  if (hasEnded(facts)) return "expired";
  return facts.status === "ARCHIVED" ? "error" : "awaiting";
}

/**
 * Whether the time to pay is over for good. The row leaves ACTIVE when a solid block says so; until then the last blocks may
 * still be replaced by others, with a payment that is on time.
 */
export function hasEnded({ status, isExpired }: Pick<CheckoutFacts, "status" | "isExpired">): boolean {
  return isExpired && status !== "ACTIVE";
}

/** Whether nobody is invited to pay any more, though a payment in the last blocks may still turn out to be on time. */
export function isInLastBlocks(charge: {
  readonly status: ChargeStatus;
  readonly isTimeOver: boolean;
}): boolean {
  return charge.isTimeOver && charge.status === "ACTIVE";
}

/** How the merchant shows itself to its payers. */
export type Branding = {
  readonly name: string;
  /** names the picture that we serve ourselves */
  readonly logoId: string | null;
  readonly accentColor: string;
  readonly supportEmail: string | null;
  /** https */
  readonly supportUrl: string | null;
};

/** A deposit as a payer may see it. */
export type CheckoutDeposit = {
  readonly txId: string;
  readonly amount: Amount;
  readonly status: DepositStatus;
  readonly blockNumber: number;
  /** the last block that was read of the deposit's network */
  readonly headNumber: number;
  readonly requiredConfirmations: number;
  readonly finalConfirmations: number | null;
  readonly late: boolean;
  /** who sent it; null where the chain does not say so */
  readonly from: string | null;
  /** the time of its block, or that at which it was first seen where the chain's clock runs ahead of ours */
  readonly sentAt: Date;
  readonly confirmedAt: Date | null;
};

/** What a checkout shows beside the charge itself. */
export type CheckoutRecord = {
  readonly merchant: Branding;
  readonly createdAt: Date;
  /** of the charge's own currency, at most 10: those that can still change first, each group newest first */
  readonly deposits: readonly CheckoutDeposit[];
  /** of the other currency, at most 10, newest first */
  readonly unmatchedDeposits: readonly CheckoutDeposit[];
  /** money of the other currency that is at this address, in that currency */
  readonly unmatched: Amount;
  /** the later of the database's time and that of the last scanned block: no expiry is decided by an earlier clock */
  readonly now: Date;
  /** the database's time, by which the lock of a rate ends */
  readonly databaseNow: Date;
};

/** What has been sent so far, as the chain moved it: confirmed whenever, and pending. Matching deposits only. */
export function receivedOf({ received }: { received: ReceivedSums }): Amount {
  return add(received.total, received.pending);
}
