import { type Amount, amountIn } from "@daric/domain/money";
import { type RawTransaction, readRawData } from "@daric/tron/read-raw-data";
import { encodeResults } from "./encode-results.ts";
import {
  AnswerError,
  isRounded,
  MAX_TIME_MS,
  MAX_UNITS,
  readList,
  readObject,
  readVerdict,
} from "./read-json.ts";
import { ownerOf, type TransactionOwner } from "./transaction-owner.ts";

/** A contract call as the transaction states it. Addresses are 21-byte hex, the data is hex of any length. */
export type RawCall = {
  readonly ownerHex: string;
  readonly contractHex: string;
  readonly dataHex: string;
};

/** The effects of a run of the virtual machine are in its info alone. */
export type Contract =
  | {
      readonly kind: "transfer";
      readonly fromHex: string;
      readonly toHex: string;
      readonly units: Amount<"TRX">;
    }
  | {
      readonly kind: "asset";
      readonly fromHex: string;
      readonly toHex: string;
      readonly rawValue: bigint;
      readonly assetHex: string;
    }
  /** without `call` it creates a contract; `callValue` is the TRX that goes to the contract, if any */
  | { readonly kind: "vm"; readonly call?: RawCall; readonly callValue?: CallValue }
  | { readonly kind: "other"; readonly callValue?: CallValue }
  | { readonly kind: "unknown" };

export type ChainTransaction = {
  readonly txId: string;
  /** `SUCCESS`, the name of a failure, or undefined if the node printed none, which makes the block incomplete */
  readonly contractRet: string | undefined;
  /** chain time in ms after which no block can include the transaction, if known */
  readonly expirationMs: number | undefined;
  readonly contract: Contract;
  readonly owner?: TransactionOwner | undefined;
};

/** A transaction with the bytes that its block's root covers, not yet checked against that root. */
export type ProvableTransaction = ChainTransaction & {
  /** raw_data as signed, the source of `expirationMs` and `contract` */
  readonly rawHex: string;
  readonly signatures: readonly string[];
  /** encoded; undefined if a verdict is unknown */
  readonly results: readonly Uint8Array[] | undefined;
};

const ID_CHARS = 64;
const OTHER = { kind: "other" } as const;

/**
 * Reads a transaction from its bytes; the JSON beside them is for people and proves nothing. `findUnproven` checks the bytes
 * against the root later. @throws AnswerError for a malformed transaction; the message names it.
 */
export function parseTransaction(value: unknown): ProvableTransaction {
  const { txID: txId, raw_data_hex: rawHex, signature, ret } = readObject(value, "transaction");
  if (typeof txId !== "string" || txId.length !== ID_CHARS) throw new AnswerError("a txID is no hash");
  try {
    if (typeof rawHex !== "string") throw new AnswerError("raw_data_hex is not a text");
    const rawData = readRawData(rawHex);
    const results = readList(ret, "ret");
    const signatures = readTexts(signature, "signature");
    return {
      txId,
      contractRet: parseContractRet(results[0]),
      expirationMs: timeOf(rawData.expiration),
      contract: parseContract(rawData.contract),
      owner: ownerOf(rawData, { rawHex, signatures }),
      rawHex,
      signatures,
      results: encodeResults(results),
    };
  } catch (error) {
    const isFault = error instanceof RangeError || (error instanceof AnswerError && !isRounded(error));
    throw isFault ? new AnswerError(`transaction ${txId}: ${error.message}`) : error;
  }
}

function readTexts(value: unknown, what: string): readonly string[] {
  const texts = readList(value, what);
  for (const text of texts) if (typeof text !== "string") throw new AnswerError(`${what} is not texts`);
  return texts as readonly string[];
}

function parseContractRet(first: unknown): string | undefined {
  if (first === undefined) return undefined;
  return readVerdict(readObject(first, "ret").contractRet, "contractRet");
}

/** Undefined beyond all dates too: the expiry decides about no money, so the block is not refused for it. */
function timeOf(int: number | bigint): number | undefined {
  return typeof int === "number" && int > 0 && int <= MAX_TIME_MS ? int : undefined;
}

function parseContract(rawData: RawTransaction["contract"]): Contract {
  switch (rawData.kind) {
    case "transfer":
      return {
        kind: "transfer",
        fromHex: callAddress(rawData.ownerAddress),
        toHex: callAddress(rawData.toAddress),
        units: amountIn("TRX", callAmount(rawData.amount)),
      };
    case "asset":
      return {
        kind: "asset",
        fromHex: callAddress(rawData.ownerAddress),
        toHex: callAddress(rawData.toAddress),
        rawValue: callAmount(rawData.amount),
        assetHex: rawData.assetName,
      };
    case "trigger": {
      const { ownerAddress: ownerHex, contractAddress: contractHex, data: dataHex, callValue } = rawData;
      const call = { ownerHex, contractHex, dataHex };
      if (callValue <= 0) return { kind: "vm", call };
      return { kind: "vm", call, callValue: { ...callValueOf(rawData), toHex: callAddress(contractHex) } };
    }
    case "create":
      return rawData.callValue <= 0 ? { kind: "vm" } : { kind: "vm", callValue: callValueOf(rawData) };
    case "other":
      return rawData.amount > 0 ? { kind: "other", callValue: callValueOfOther(rawData) } : OTHER;
    default:
      return rawData;
  }
}

const ADDRESS_CHARS = 42;

/** TRX that leaves an account without a transfer if the transaction succeeds: into a contract, a stake or a token sale. */
type CallValue = {
  readonly fromHex: string;
  /** undefined: the contract that the transaction creates. A stake stays with its owner. */
  readonly toHex: string | undefined;
  readonly units: Amount<"TRX">;
};

function callValueOfOther({
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
function callValueOf({
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
function callAddress(hex: string): string {
  if (hex.length === ADDRESS_CHARS && hex.startsWith("41")) return hex;
  throw new AnswerError("a transfer is not between two addresses");
}

/** @throws AnswerError beyond int64, and for zero or less, which consensus excludes (java-tron TransferActuator). */
function callAmount(amount: number | bigint): bigint {
  // Comparing bigints is slow. Nearly all amounts are numbers, which are exact and below the bound.
  if (typeof amount === "number" && amount > 0) return BigInt(amount);
  const units = BigInt(amount);
  if (units > 0n && units <= MAX_UNITS) return units;
  throw new AnswerError("a transfer has no amount");
}
