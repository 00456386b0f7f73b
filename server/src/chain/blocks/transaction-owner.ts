import type { RawTransaction } from "@daric/tron/read-raw-data";
import { type Amount, amountIn } from "../../domain/money.ts";

/** Whose account a transaction is of, and what the fees follow from that it takes there; the root of its block covers all of it. */
export type TransactionOwner = {
  readonly addressHex: string;
  /** its type; undefined of those that pay or run: their fees are as those of any other */
  readonly type: number | undefined;
  /** sun that a run may burn for energy */
  readonly feeLimit: number | bigint;
  /** how long it is, in a block */
  readonly bytes: number;
};

const ADDRESS_CHARS = 42;
/** What counts for each signature and for the verdict beside the signed bytes (java-tron, Constant.MAX_RESULT_SIZE_IN_TX). */
const SIGNATURE_BYTES = 67;
const VERDICT_BYTES = 64;

/** Twice the price of a byte on TRON's networks, in sun. */
const PER_BYTE = 2_000n;
/** Whom it activates (1.1 TRX), a memo and more than one signature (1 TRX each), with room for what a vote may change. */
const FLAT = 5_000_000n;
/** By contract type: to become a witness, to issue an asset, to make an exchange, and to change who may sign. */
const FIXED: ReadonlyMap<number, bigint> = new Map([
  [5, 9_999_000_000n],
  [6, 1_024_000_000n],
  [41, 1_024_000_000n],
  [46, 100_000_000n],
]);

/** To unfreeze of the first kind, to take rewards, to unfreeze of the second, to take what has expired, to cancel that. */
const RETURNING = new Set([12, 13, 55, 56, 59]);

/** Whether a transaction may bring TRX back into its owner's balance by no transfer: of all others no node can say so. */
export function mayReturn({ type }: TransactionOwner): boolean {
  return type !== undefined && RETURNING.has(type);
}

/** The owner of a transaction of so many signatures; undefined where it has none that we know. */
export function ownerOf(
  { contract, feeLimit }: RawTransaction,
  { rawHex, signatures }: { rawHex: string; signatures: readonly string[] },
): TransactionOwner | undefined {
  if (contract.kind === "unknown") return undefined;
  const { ownerAddress: addressHex } = contract;
  if (addressHex.length !== ADDRESS_CHARS || !addressHex.startsWith("41")) return undefined;
  return {
    addressHex,
    type: contract.kind === "other" ? contract.type : undefined,
    feeLimit,
    bytes: rawHex.length / 2 + SIGNATURE_BYTES * signatures.length + VERDICT_BYTES,
  };
}

/**
 * The TRX that its fees take from its owner at most, whether it succeeds or fails: bandwidth, energy up to its limit, and
 * what its type costs. What it pays, carries or stakes is none of it.
 */
export function mostBurntBy({ type, feeLimit, bytes }: TransactionOwner): Amount<"TRX"> {
  const energy = BigInt(feeLimit);
  const ofType = type === undefined ? 0n : (FIXED.get(type) ?? 0n);
  return amountIn("TRX", FLAT + BigInt(bytes) * PER_BYTE + (energy > 0n ? energy : 0n) + ofType);
}
