import type { RawTransaction } from "@daric/tron/read-raw-data";
import { type Amount, amountIn } from "../../domain/money.ts";
import { AnswerError, MAX_UNITS } from "./read-json.ts";

const ADDRESS_CHARS = 42;

/** TRX that leaves an account by no transfer, if its transaction succeeds: to a contract, into a stake, for a token. */
export type CallValue = {
  readonly fromHex: string;
  /** undefined: to the contract that is made; a stake stays its owner's */
  readonly toHex: string | undefined;
  readonly units: Amount<"TRX">;
};

/** What a transaction of another type takes with it. */
export function callValueOfOther({
  ownerAddress,
  toAddress,
  amount,
}: RawTransaction["contract"] & { kind: "other" }): CallValue {
  const fromHex = callAddress(ownerAddress);
  return {
    fromHex,
    toHex: toAddress === "" ? fromHex : callAddress(toAddress),
    units: amountIn("TRX", callAmount(amount)),
  };
}

/** What a run carries; to the contract that it makes where it is told no other. */
export function callValueOf({
  ownerAddress,
  callValue,
}: {
  ownerAddress: string;
  callValue: number | bigint;
}): CallValue {
  return {
    fromHex: callAddress(ownerAddress),
    toHex: undefined,
    units: amountIn("TRX", callAmount(callValue)),
  };
}

/** @throws AnswerError for what is no address of TRON. */
export function callAddress(hex: string): string {
  if (hex.length === ADDRESS_CHARS && hex.startsWith("41")) return hex;
  throw new AnswerError("a transfer is not between two addresses");
}

/**
 * Consensus lets no transfer of nothing, or of less, into a block (java-tron TransferActuator).
 *
 * @throws AnswerError for either, and beyond int64.
 */
export function callAmount(amount: number | bigint): bigint {
  // Bigints are slow to compare, and nearly all amounts are numbers, which are exact and below the bound.
  if (typeof amount === "number" && amount > 0) return BigInt(amount);
  const units = BigInt(amount);
  if (units > 0n && units <= MAX_UNITS) return units;
  throw new AnswerError("a transfer has no amount");
}
