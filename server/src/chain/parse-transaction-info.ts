import { type InternalTransfer, parseInternals } from "./parse-internal.ts";
import {
  AnswerError,
  readHash,
  readHeight,
  readHexBytes,
  readList,
  readObject,
  readText,
  readTime,
} from "./read-json.ts";

/** One event of a contract, all in lower-case hex. */
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
};

const NO_LOGS: readonly EventLog[] = [];
const NO_INTERNALS: readonly InternalTransfer[] = [];

const LOG_ADDRESS = /^[0-9a-f]{40}$/;

/**
 * Reads the bare list that `gettransactioninfobyblocknum` answers.
 *
 * @throws AnswerError for anything else.
 */
export function parseTransactionInfos(answer: unknown): TransactionInfo[] {
  if (!Array.isArray(answer)) throw new AnswerError("transaction infos are not a list");
  return answer.map(parseInfo);
}

function parseInfo(value: unknown): TransactionInfo {
  const info = readObject(value, "transaction info");
  const receipt = readObject(info.receipt ?? {}, "receipt");
  const internals = readList(info.internal_transactions, "internal_transactions");
  return {
    txId: readHash(info.id, "id"),
    blockNumber: readHeight(info.blockNumber, "blockNumber"),
    blockTimeMs: readTime(info.blockTimeStamp, "blockTimeStamp"),
    receiptResult: readText(receipt.result, "receipt.result"),
    result: parseResult(info.result),
    logs: info.log === undefined ? NO_LOGS : readList(info.log, "log").map(parseLog),
    internals: internals.length === 0 ? NO_INTERNALS : parseInternals(internals),
    internalCount: internals.length,
  };
}

/** `SUCESS`, spelled so, is java-tron's default, which it does not print. */
function parseResult(value: unknown): "FAILED" | undefined {
  if (value === undefined || value === "SUCESS") return undefined;
  if (value === "FAILED") return value;
  throw new AnswerError("result is neither FAILED nor SUCESS");
}

function parseLog(value: unknown): EventLog {
  const log = readObject(value, "log");
  const addressHex = log.address;
  if (typeof addressHex !== "string" || !LOG_ADDRESS.test(addressHex)) {
    throw new AnswerError("log.address is not 20 bytes in hex");
  }
  const topics = readList(log.topics, "topics").map((topic) => readHash(topic, "a topic"));
  return { addressHex, topics, data: readHexBytes(log.data, "log.data") };
}
