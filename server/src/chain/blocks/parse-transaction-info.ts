import { type InternalTransfer, parseInternals } from "./parse-internal.ts";
import {
  AnswerError,
  isHex,
  isRounded,
  type JsonObject,
  readHeight,
  readInt64,
  readList,
  readObject,
  readText,
  readTime,
  readVerdict,
} from "./read-json.ts";

/**
 * One event of a contract, in lower-case hex: a block has thousands of such digits, so of topics and data those are looked at that
 * become money (`readTransferEvent`).
 */
export type EventLog = {
  /** 20 bytes without the leading 41, as nodes print it in logs. */
  readonly addressHex: string;
  /** 32 bytes each. */
  readonly topics: readonly string[];
  readonly data: string;
};

/** What running a transaction did. Nodes keep infos by block number only: which block they are of must be checked. */
export type TransactionInfo = {
  readonly txId: string;
  readonly blockNumber: number;
  readonly blockTimeMs: number;
  /** The verdict of the virtual machine; undefined for a transaction that did not run in it. */
  readonly receiptResult: string | undefined;
  /** `FAILED`, or undefined. Not a verdict by itself. */
  readonly result: "FAILED" | undefined;
  readonly logs: readonly EventLog[];
  /** what the run moved of its own; none where the node does not save them */
  readonly internals: readonly InternalTransfer[];
  /** how many internal transactions the node told of, of any kind */
  readonly internalCount: number;
  /** sun that came back into its owner's balance by no transfer: what was staked, and rewards */
  readonly returned?: bigint | undefined;
};

const NONE: readonly never[] = [];

const HASH_CHARS = 64;
const ADDRESS_CHARS = 40;

/**
 * Reads the bare list that `gettransactioninfobyblocknum` answers.
 *
 * @throws AnswerError for anything else; it names the transaction where one is being read.
 */
export function parseTransactionInfos(answer: unknown): TransactionInfo[] {
  if (!Array.isArray(answer)) throw new AnswerError("transaction infos are not a list");
  return answer.map(parseInfo);
}

function parseInfo(value: unknown): TransactionInfo {
  const info = readObject(value, "transaction info");
  const { id } = info;
  if (typeof id !== "string" || id.length !== HASH_CHARS) throw new AnswerError("an info's id is no hash");
  try {
    return parseRun(id, info);
  } catch (error) {
    const isFault = error instanceof AnswerError && !isRounded(error);
    throw isFault ? new AnswerError(`info of transaction ${id}: ${error.message}`) : error;
  }
}

function parseRun(txId: string, info: JsonObject): TransactionInfo {
  const { receipt, log, internal_transactions: internal } = info;
  const internals = internal === undefined ? NONE : readList(internal, "internal_transactions");
  return {
    txId,
    blockNumber: readHeight(info.blockNumber, "blockNumber"),
    blockTimeMs: readTime(info.blockTimeStamp, "blockTimeStamp"),
    receiptResult: receipt === undefined ? undefined : parseReceipt(receipt),
    result: parseResult(info.result),
    logs: log === undefined ? NONE : readList(log, "log").map(parseLog),
    internals: internals.length === 0 ? NONE : parseInternals(internals),
    internalCount: internals.length,
    returned: returnedBy(info),
  };
}

/** Of a stake of the second kind only what has expired is told, in `withdraw_expire_amount` (java-tron's actuators). */
function returnedBy(info: JsonObject): bigint | undefined {
  const { unfreeze_amount, withdraw_amount, withdraw_expire_amount } = info;
  if ((unfreeze_amount ?? withdraw_amount ?? withdraw_expire_amount) === undefined) return undefined;
  return (
    readInt64(unfreeze_amount, "unfreeze_amount") +
    readInt64(withdraw_amount, "withdraw_amount") +
    readInt64(withdraw_expire_amount, "withdraw_expire_amount")
  );
}

function parseReceipt(receipt: unknown): string | undefined {
  return readVerdict(readObject(receipt, "receipt").result, "receipt.result");
}

/** `SUCESS`, spelled so, is java-tron's default, which it does not print. */
function parseResult(value: unknown): "FAILED" | undefined {
  if (value === undefined || value === "SUCESS") return undefined;
  if (value === "FAILED") return value;
  throw new AnswerError("result is neither FAILED nor SUCESS");
}

function parseLog(value: unknown): EventLog {
  const { address, topics, data } = readObject(value, "log");
  // Of a token that is no money it is stored as it is told.
  if (typeof address !== "string" || address.length !== ADDRESS_CHARS || !isHex(address)) {
    throw new AnswerError("log.address is not 20 bytes in hex");
  }
  const topicsHex = readList(topics, "topics");
  for (const word of topicsHex) {
    if (typeof word !== "string" || word.length !== HASH_CHARS) throw new AnswerError("a topic is no word");
  }
  return {
    addressHex: address,
    topics: topicsHex as readonly string[],
    data: readText(data, "log.data") ?? "",
  };
}
