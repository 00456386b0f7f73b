import type { NetworkName } from "@daric/chain/nodes/networks";
import type { VerifiedTip } from "./context.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * The life of a transaction after its reference block, which is a minute old by then. The signer allows ten minutes.
 */
const LIFE_MS = 4 * MINUTE_MS;
/** The signer refuses a block whose time differs from its clock by two minutes. */
const MAX_BLOCK_AGE_MS = 100 * SECOND_MS;
/**
 * The signer signs for an address again ten minutes after its last transaction there expired. Half a minute is for
 * the difference of the clocks.
 */
const SIGNER_MARGIN_MS = 10.5 * MINUTE_MS;

/** The time until a waiting sweep is tried again, by the reason of its wait. */
export const RETRY_AFTER_MS = {
  price: 10 * MINUTE_MS,
  gas: MINUTE_MS,
  /** also at the next plan, so that recovered energy serves waiting sweeps too */
  energy: 30 * SECOND_MS,
  uneconomic: 60 * MINUTE_MS,
  /** also at once, by `daric sweep run` */
  unconfirmed: MINUTE_MS,
  /** the nodes' solid block is older than the money of the sweep */
  behind: 10 * SECOND_MS,
  frozen: 24 * 60 * MINUTE_MS,
} as const;

/** How often the same bytes are sent to the nodes again. */
export function rebroadcastAfterMs(network: NetworkName): number {
  return network === "devnet" ? 0 : 10 * SECOND_MS;
}

/** The expiry of a transaction with this reference block. */
export function expiryAfter({ time }: VerifiedTip): Date {
  return new Date(time.getTime() + LIFE_MS);
}

/** Whether the signer would accept this reference block. The devnet's clock may jump. */
export function isFresh(network: NetworkName, { time }: VerifiedTip, now: Date): boolean {
  return network === "devnet" || Math.abs(now.getTime() - time.getTime()) <= MAX_BLOCK_AGE_MS;
}

/** The signer signs for an address again if all of its transactions expire before this time. */
export function signedUntil(network: NetworkName, { time }: VerifiedTip, now: Date): Date {
  return network === "devnet" ? time : new Date(now.getTime() - SIGNER_MARGIN_MS);
}

/** The time until the signer signs again for the address of a transaction with this expiry. */
export function waitAfter(network: NetworkName, expiresAt: Date, now: Date): number {
  return network === "devnet" ? 0 : Math.max(0, expiresAt.getTime() + SIGNER_MARGIN_MS - now.getTime());
}
