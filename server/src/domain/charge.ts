export const depositAddressKinds = ["order", "receive", "open"] as const;
/** order: has an amount. receive: standing and reusable. open: any amount, for a time. */
export type DepositAddressKind = (typeof depositAddressKinds)[number];

export const depositAddressStatuses = ["ACTIVE", "EXPIRED", "ARCHIVED"] as const;
export type DepositAddressStatus = (typeof depositAddressStatuses)[number];

export const depositAddressEvents = ["expired", "paid", "archived", "quiet"] as const;
/** `archived`: by the merchant. `quiet`: expired long ago, and nothing has come since. */
export type DepositAddressEvent = (typeof depositAddressEvents)[number];

const transitions: Record<
  DepositAddressStatus,
  Partial<Record<DepositAddressEvent, DepositAddressStatus>>
> = {
  ACTIVE: { expired: "EXPIRED", paid: "ARCHIVED", archived: "ARCHIVED" },
  EXPIRED: { paid: "ARCHIVED", archived: "ARCHIVED", quiet: "ARCHIVED" },
  ARCHIVED: {},
};

/** The status after an event, or undefined where the event changes nothing. There is no way back. */
export function nextDepositAddressStatus(
  status: DepositAddressStatus,
  event: DepositAddressEvent,
): DepositAddressStatus | undefined {
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
