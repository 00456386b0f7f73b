import type { Currency } from "./asset.ts";
import type { ChargeStatus } from "./charge.ts";
import type { DepositStatus } from "./deposit.ts";
import { type Amount, add, subtract } from "./money.ts";
import type { ReceivedSums } from "./sums.ts";

/** The languages of the page by their tags, in the order in which they are shown. */
export const checkoutLanguages = [
  "en",
  "zh-Hans",
  "ru",
  "es",
  "pt-BR",
  "tr",
  "vi",
  "id",
  "ar",
  "fa",
] as const;

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

/**
 * Whether the time to pay is over for good. The row leaves ACTIVE by a solid block. Until then a fork may still bring a
 * payment that is on time.
 */
export function hasEnded({
  status,
  isExpired,
}: {
  readonly status: ChargeStatus;
  readonly isExpired: boolean;
}): boolean {
  return isExpired && status !== "ACTIVE";
}

/** Whether the page has stopped inviting payment, although a payment in the last blocks may still be on time. */
export function isInLastBlocks(charge: {
  readonly status: ChargeStatus;
  readonly isTimeOver: boolean;
}): boolean {
  return charge.isTimeOver && charge.status === "ACTIVE";
}

export type Branding = {
  readonly name: string;
  readonly logoId: string | null;
  readonly accentColor: string;
  readonly supportEmail: string | null;
  /** https */
  readonly supportUrl: string | null;
  /** the tags that the merchant chose; null for all that the operator offers */
  readonly languages: readonly string[] | null;
  /** the origins whose pages may show the payment page in a frame */
  readonly embedOrigins: readonly string[];
};

export type CheckoutDeposit = {
  readonly txId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly status: DepositStatus;
  readonly blockNumber: number;
  /** the newest block read from the deposit's network */
  readonly headNumber: number;
  readonly requiredConfirmations: number;
  readonly finalConfirmations: number | null;
  readonly late: boolean;
  /** the sender; null if the chain does not name one */
  readonly from: string | null;
  /** the block's time, or the time of first sight if the chain's clock is ahead of ours */
  readonly sentAt: Date;
  readonly confirmedAt: Date | null;
};

/**
 * The page of another order of the family. It takes the place of a page that asks for nothing more. Beside a page of an accepted order it
 * shows the payment of the rest.
 */
export type OtherPage = {
  readonly token: string;
  readonly takesPlace: boolean;
  /** what came to all rests of an accepted order, without dust */
  readonly received: Amount;
};

export type CheckoutRecord = {
  readonly merchant: Branding;
  readonly createdAt: Date;
  /** the payment link that made the order, if any: what it sells, and its text for a payer who has paid */
  readonly link: { readonly title: string; readonly thanks: string | null } | null;
  /** in the charge's currency, without dust, at most 10: open ones first, then newest first */
  readonly deposits: readonly CheckoutDeposit[];
  /** of other coins, without dust, at most 10, newest first */
  readonly unmatchedDeposits: readonly CheckoutDeposit[];
  /** received in other coins than the charge's, the sum of each, without dust */
  readonly unmatched: readonly { readonly currency: Currency; readonly amount: Amount }[];
  /** how many tiny transfers came, in any coin */
  readonly dustDeposits: number;
  /** another page of the same order */
  readonly otherPage: OtherPage | null;
  /** the later of the database's time and the newest scanned block's; expiry is never decided by an earlier clock */
  readonly now: Date;
  /** the database's time, which decides when a quote ends */
  readonly databaseNow: Date;
};

/** The amount sent so far as it moved on the chain: confirmed and pending, in the charge's currency. */
export function receivedOf({ received }: { received: ReceivedSums }): Amount {
  return add(received.total, received.pending);
}

/** The same without dust: what the payer's page names. */
export function countedOf(charge: { received: ReceivedSums }): Amount {
  return subtract(receivedOf(charge), add(charge.received.dust, charge.received.dustPending));
}

/** The confirmed part of it. */
export function finalOf({ received }: { received: ReceivedSums }): Amount {
  return subtract(received.total, received.dust);
}
