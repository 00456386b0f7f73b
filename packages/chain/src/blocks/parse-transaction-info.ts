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

/** An event of a contract in hex. `readTransferEvent` checks the digits of the few topics and data that become money. */
export type EventLog = {
  /** 20 bytes without the leading 41, as nodes print it in logs */
  readonly addressHex: string;
  readonly topics: readonly string[];
  readonly data: string;
};

/** The effects of a transaction. Nodes keep infos by block number only, so the caller checks the block. */
export type TransactionInfo = {
  readonly txId: string;
  readonly blockNumber: number;
  readonly blockTimeMs: number;
  /** the verdict of the virtual machine; undefined if the transaction did not run in it */
  readonly receiptResult: string | undefined;
  /** not a verdict by itself */
  readonly result: "FAILED" | undefined;
  readonly logs: readonly EventLog[];
  /** empty if the node does not save internal transactions */
  readonly internals: readonly InternalTransfer[];
  readonly internalCount: number;
  /** sun returned to the sender's balance without a transfer: stakes and rewards */
  readonly returned?: bigint | undefined;
};

const NONE: readonly never[] = [];

const HASH_CHARS = 64;
const ADDRESS_CHARS = 40;

/** @throws AnswerError unless it is a list of `gettransactioninfobyblocknum`; the message names the transaction if known. */
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

/** Of a second-generation stake only the expired part is listed, in `withdraw_expire_amount` (java-tron's actuators). */
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

/** `SUCESS`, as java-tron spells it, is the default, which it does not print. */
function parseResult(value: unknown): "FAILED" | undefined {
  if (value === undefined || value === "SUCESS") return undefined;
  if (value === "FAILED") return value;
  throw new AnswerError("result is neither FAILED nor SUCESS");
}

function parseLog(value: unknown): EventLog {
  const { address, topics, data } = readObject(value, "log");
  // The address is checked here, because unsupported tokens are stored by it.
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
