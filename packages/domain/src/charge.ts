import { machine } from "./machine.ts";

export const chargeKinds = ["order", "receive", "open"] as const;
/** order: has an amount. receive: standing and reusable. open: any amount, valid for a time. */
export type ChargeKind = (typeof chargeKinds)[number];

/**
 * The life of a charge, in one direction. `archived`: by the merchant. `accepted`: the merchant takes the received amount as
 * full payment, also after the order has ended. `quiet`: expired long ago, without a payment since.
 */
export const chargeMachine = machine({
  ACTIVE: { expired: "EXPIRED", paid: "ARCHIVED", archived: "ARCHIVED", accepted: "ARCHIVED" },
  EXPIRED: { paid: "ARCHIVED", archived: "ARCHIVED", accepted: "ARCHIVED", quiet: "ARCHIVED" },
  ARCHIVED: { accepted: "ARCHIVED" },
});
export const chargeStatuses = chargeMachine.states;
export type ChargeStatus = (typeof chargeStatuses)[number];
export type ChargeEvent = (typeof chargeMachine.events)[number];

/** A charge ends at most this many days after its creation, however often its merchant extends it. */
export const MAX_LIFE_DAYS = 90;
export const MAX_LIFE_SECONDS = MAX_LIFE_DAYS * 86_400;

export function isTooLong({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date | null }): boolean {
  return expiresAt !== null && expiresAt.getTime() - createdAt.getTime() > MAX_LIFE_SECONDS * 1_000;
}

/**
 * Whether the chain's time is past `expiresAt` and no deposit that came on time is still open. The newest
 * scanned block's time ends the invitation to pay. The solid block's time, about a minute later, makes the row EXPIRED.
 */
export function hasExpired(expiresAt: Date | null, chainTime: Date, hasOpenOnTimeDeposit: boolean): boolean {
  return expiresAt !== null && chainTime > expiresAt && !hasOpenOnTimeDeposit;
}
