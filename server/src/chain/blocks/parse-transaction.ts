import { type RawTransaction, readRawData } from "@daric/tron/read-raw-data";
import { type Amount, amountIn } from "../../domain/money.ts";
import { type CallValue, callAddress, callAmount, callValueOf, callValueOfOther } from "./call-amount.ts";
import { encodeResults } from "./encode-results.ts";
import { AnswerError, isRounded, MAX_TIME_MS, readList, readObject, readVerdict } from "./read-json.ts";
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
