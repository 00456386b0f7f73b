import { machine } from "./machine.ts";

export const chargeKinds = ["order", "receive", "open"] as const;
/** order: has an amount. receive: standing and reusable. open: any amount, for a time. */
export type ChargeKind = (typeof chargeKinds)[number];

/**
 * The life of a charge; there is no way back. `archived`: by the merchant. `accepted`: the merchant takes what has
 * arrived for the whole of an order, also of one that is off its active ones. `quiet`: expired long ago, and nothing
 * has come since.
 */
export const chargeMachine = machine({
  ACTIVE: { expired: "EXPIRED", paid: "ARCHIVED", archived: "ARCHIVED", accepted: "ARCHIVED" },
  EXPIRED: { paid: "ARCHIVED", archived: "ARCHIVED", accepted: "ARCHIVED", quiet: "ARCHIVED" },
  ARCHIVED: { accepted: "ARCHIVED" },
});
export const chargeStatuses = chargeMachine.states;
export type ChargeStatus = (typeof chargeStatuses)[number];
export type ChargeEvent = (typeof chargeMachine.events)[number];

/** However often its merchant extends it, a charge ends within so many days of its creation. */
export const MAX_LIFE_DAYS = 90;
export const MAX_LIFE_SECONDS = MAX_LIFE_DAYS * 86_400;

/** Whether a charge would live longer than it may be extended to. */
export function isTooLong({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date | null }): boolean {
  return expiresAt !== null && expiresAt.getTime() - createdAt.getTime() > MAX_LIFE_SECONDS * 1_000;
}

/**
 * Time is over by the chain's clock: `chainTime` is past `expiresAt` and no deposit that came on time is still on its
 * way to being final. By the time of the scanned chain nobody is invited to pay any more; the row itself becomes
 * EXPIRED by that of the solid chain, about a minute later.
 */
export function hasExpired(expiresAt: Date | null, chainTime: Date, hasOpenOnTimeDeposit: boolean): boolean {
  return expiresAt !== null && chainTime > expiresAt && !hasOpenOnTimeDeposit;
}
