import type { NetworkName } from "../chain/nodes/networks.ts";
import type { VerifiedTip } from "./context.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** How long after its reference block, a minute old by then, a transaction may land: the signer allows ten minutes. */
const LIFE_MS = 4 * MINUTE_MS;
/** The signer takes no block whose time is two minutes from its own clock. */
const MAX_BLOCK_AGE_MS = 100 * SECOND_MS;
/** The signer signs for an address again ten minutes after the expiry of what it signed before; half a minute for its clock. */
const SIGNER_MARGIN_MS = 10.5 * MINUTE_MS;

/** How soon what waits is looked at again. */
export const waits = {
  price: 10 * MINUTE_MS,
  gas: MINUTE_MS,
  /** as soon as a plan is made: energy that has recovered goes to what waits too */
  energy: 30 * SECOND_MS,
  uneconomic: 60 * MINUTE_MS,
  frozen: 24 * 60 * MINUTE_MS,
} as const;

/** How soon the same bytes are given to the nodes again. */
export function rebroadcastAfterMs(network: NetworkName): number {
  return network === "devnet" ? 0 : 10 * SECOND_MS;
}

/** When a transaction that refers to this block expires. */
export function expiryAfter({ time }: VerifiedTip): Date {
  return new Date(time.getTime() + LIFE_MS);
}

/** Whether the signer would take this block for its reference. The devnet's clock may be jumped. */
export function isFresh(network: NetworkName, { time }: VerifiedTip, now: Date): boolean {
  return network === "devnet" || Math.abs(now.getTime() - time.getTime()) <= MAX_BLOCK_AGE_MS;
}

/** The signer signs again for an address all of whose transactions expire before this time. */
export function signedUntil(network: NetworkName, { time }: VerifiedTip, now: Date): Date {
  return network === "devnet" ? time : new Date(now.getTime() - SIGNER_MARGIN_MS);
}

/** How long from now until the signer signs again for the address of a transaction that expires then. */
export function waitAfter(network: NetworkName, expiresAt: Date, now: Date): number {
  return network === "devnet" ? 0 : Math.max(0, expiresAt.getTime() + SIGNER_MARGIN_MS - now.getTime());
}
