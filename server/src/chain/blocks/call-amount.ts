import type { RawTransaction } from "@daric/tron/read-raw-data";
import { type Amount, amountIn } from "../../domain/money.ts";
import { AnswerError, MAX_UNITS } from "./read-json.ts";

const ADDRESS_CHARS = 42;

/** TRX that leaves an account without a transfer if the transaction succeeds: into a contract, a stake or a token sale. */
export type CallValue = {
  readonly fromHex: string;
  /** undefined: the contract that the transaction creates. A stake stays with its owner. */
  readonly toHex: string | undefined;
  readonly units: Amount<"TRX">;
};

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

/** The TRX that a transaction carries to the contract that it creates. */
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

/** @throws AnswerError for a malformed TRON address. */
export function callAddress(hex: string): string {
  if (hex.length === ADDRESS_CHARS && hex.startsWith("41")) return hex;
  throw new AnswerError("a transfer is not between two addresses");
}

/** @throws AnswerError beyond int64, and for zero or less, which consensus excludes (java-tron TransferActuator). */
export function callAmount(amount: number | bigint): bigint {
  // Comparing bigints is slow. Nearly all amounts are numbers, which are exact and below the bound.
  if (typeof amount === "number" && amount > 0) return BigInt(amount);
  const units = BigInt(amount);
  if (units > 0n && units <= MAX_UNITS) return units;
  throw new AnswerError("a transfer has no amount");
}
