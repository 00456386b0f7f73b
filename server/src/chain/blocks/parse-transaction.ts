import { type RawTransaction, readRawData } from "@daric/tron/read-raw-data";
import { type Amount, amountIn } from "../../domain/money.ts";
import { type CallValue, callAddress, callAmount, callValueOf, callValueOfOther } from "./call-amount.ts";
import { encodeResults } from "./encode-results.ts";
import { AnswerError, isRounded, MAX_TIME_MS, readList, readObject, readVerdict } from "./read-json.ts";
import { ownerOf, type TransactionOwner } from "./transaction-owner.ts";

/** A call of a contract as the transaction asks for it. Addresses are 21-byte hex, the data is hex of any length. */
export type RawCall = {
  readonly ownerHex: string;
  readonly contractHex: string;
  readonly dataHex: string;
};

/**
 * What a transaction asks for, as far as money can move: a native TRX transfer, one of a TRC-10 asset, a run of the
 * virtual machine (only its info tells what it did), anything else, or `unknown` where its type is one we do not know.
 */
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
      /** the text that names the asset, in hex */
      readonly assetHex: string;
    }
  /** a run, with what is called; without where it makes a contract. With the TRX that goes to either, where any does */
  | { readonly kind: "vm"; readonly call?: RawCall; readonly callValue?: CallValue }
  /** with the TRX that it stakes or pays for a token */
  | { readonly kind: "other"; readonly callValue?: CallValue }
  | { readonly kind: "unknown" };

/** A transaction as its block shows it. */
export type ChainTransaction = {
  readonly txId: string;
  /** `SUCCESS`, a failure's name, or undefined where the node printed none, which no complete block has. */
  readonly contractRet: string | undefined;
  /** Chain time in ms after which the transaction cannot enter a block any more; undefined where it is not told. */
  readonly expirationMs: number | undefined;
  readonly contract: Contract;
  /** undefined where it has none that we know */
  readonly owner?: TransactionOwner | undefined;
};

/** A transaction with what the root of its block is made of, told by the node and not yet held against that root. */
export type ProvableTransaction = ChainTransaction & {
  /** raw_data as it was signed: what `expirationMs` and `contract` were read from */
  readonly rawHex: string;
  readonly signatures: readonly string[];
  /** encoded; undefined where a verdict has no number that we know */
  readonly results: readonly Uint8Array[] | undefined;
};

const ID_CHARS = 64;
const OTHER = { kind: "other" } as const;

/**
 * Reads a transaction of a block. What it asks for is read from its bytes alone: the same in JSON is for people, and
 * a node may print it as it likes. That the id and the bytes are the block's own, and hex at all, is for whoever holds
 * them against the root of the block (`findUnproven`).
 *
 * @throws AnswerError for anything that no honest block has; it names the transaction.
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

/** Undefined as well where it lies beyond all dates: it decides about no money, so the block is not refused for it. */
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
