export const chargeKinds = ["order", "receive", "open"] as const;
/** order: has an amount. receive: standing and reusable. open: any amount, for a time. */
export type ChargeKind = (typeof chargeKinds)[number];

export const chargeStatuses = ["ACTIVE", "EXPIRED", "ARCHIVED"] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

export const chargeEvents = ["expired", "paid", "archived", "quiet"] as const;
/** `archived`: by the merchant. `quiet`: expired long ago, and nothing has come since. */
export type ChargeEvent = (typeof chargeEvents)[number];

const transitions: Record<ChargeStatus, Partial<Record<ChargeEvent, ChargeStatus>>> = {
  ACTIVE: { expired: "EXPIRED", paid: "ARCHIVED", archived: "ARCHIVED" },
  EXPIRED: { paid: "ARCHIVED", archived: "ARCHIVED", quiet: "ARCHIVED" },
  ARCHIVED: {},
};

/** The status after an event, or undefined where the event changes nothing. There is no way back. */
export function nextChargeStatus(status: ChargeStatus, event: ChargeEvent): ChargeStatus | undefined {
  return transitions[status][event];
}

/**
 * Time is over by the chain's clock: `chainTime` is past `expiresAt` and no deposit that came on time is still on its
 * way to being final. By the time of the scanned chain nobody is invited to pay any more; the row itself becomes
 * EXPIRED by that of the solid chain, about a minute later.
 */
export function hasExpired(expiresAt: Date | null, chainTime: Date, hasOpenOnTimeDeposit: boolean): boolean {
  return expiresAt !== null && chainTime > expiresAt && !hasOpenOnTimeDeposit;
}
