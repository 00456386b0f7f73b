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
 * A row expires by the chain's clock: the scanned chain time is past `expiresAt` and no deposit that came on time is
 * still on its way to being final.
 */
export function hasExpired(expiresAt: Date | null, chainTime: Date, hasOpenOnTimeDeposit: boolean): boolean {
  return expiresAt !== null && chainTime > expiresAt && !hasOpenOnTimeDeposit;
}
