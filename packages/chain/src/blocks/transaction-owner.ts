import { type Amount, amountIn } from "@daric/domain/money";
import type { RawTransaction } from "@daric/tron/read-raw-data";

/** The sender of a transaction, and the facts that limit its fees; the block's root covers all of them. */
export type TransactionOwner = {
  readonly addressHex: string;
  /** the contract type; undefined for transfers and runs, whose fees do not depend on it */
  readonly type: number | undefined;
  /** sun that a run may burn for energy */
  readonly feeLimit: number | bigint;
  readonly bytes: number;
};

const ADDRESS_CHARS = 42;
/** Bytes per signature and for the verdict, besides the signed bytes (java-tron, Constant.MAX_RESULT_SIZE_IN_TX). */
const SIGNATURE_BYTES = 67;
const VERDICT_BYTES = 64;

/** Twice the price of a byte on TRON's networks, in sun. */
const PER_BYTE = 2_000n;
/** An activation (1.1 TRX), a memo and a second signature (1 TRX each), with room for changes by vote. */
const FLAT = 5_000_000n;
/** Fees by contract type: WitnessCreate, AssetIssue, ExchangeCreate, AccountPermissionUpdate. */
const FIXED: ReadonlyMap<number, bigint> = new Map([
  [5, 9_999_000_000n],
  [6, 1_024_000_000n],
  [41, 1_024_000_000n],
  [46, 100_000_000n],
]);

/** UnfreezeBalance, WithdrawBalance, UnfreezeBalanceV2, WithdrawExpireUnfreeze, CancelAllUnfreezeV2. */
const RETURNING = new Set([12, 13, 55, 56, 59]);

/** Whether a transaction may return TRX to its sender without a transfer. */
export function mayReturn({ type }: TransactionOwner): boolean {
  return type !== undefined && RETURNING.has(type);
}

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

/** The most TRX that the fees of a transaction burn, success or failure: bandwidth, energy limit, and the fee of its type. */
export function maxBurntBy({ type, feeLimit, bytes }: TransactionOwner): Amount<"TRX"> {
  const energy = BigInt(feeLimit);
  const typeFee = type === undefined ? 0n : (FIXED.get(type) ?? 0n);
  return amountIn("TRX", FLAT + BigInt(bytes) * PER_BYTE + (energy > 0n ? energy : 0n) + typeFee);
}
