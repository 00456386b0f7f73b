import type { Amount } from "../domain/money.ts";
import {
  AnswerError,
  type JsonObject,
  readAddressHex,
  readHash,
  readList,
  readNumber,
  readObject,
  readText,
  readUnits,
} from "./read-json.ts";

/** A block's place in the chain. Hashes are 64 lower-case hex digits, times ms since 1970 by the chain's clock. */
export type BlockHeader = {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
};

/**
 * What a transaction asks for, as far as money can move: a native TRX transfer, a run of the virtual machine (only
 * its info tells what it did), anything else, or `unknown` where the node could not unpack the contract.
 */
export type Contract =
  | { readonly kind: "transfer"; readonly fromHex: string; readonly toHex: string; readonly units: Amount }
  | { readonly kind: "vm" }
  | { readonly kind: "other" }
  | { readonly kind: "unknown" };

/** A transaction as its block shows it. */
export type ChainTransaction = {
  readonly txId: string;
  /** `SUCCESS`, a failure's name, or undefined where the node printed none. */
  readonly contractRet: string | undefined;
  /** Chain time in ms after which the transaction cannot enter a block any more. */
  readonly expirationMs: number | undefined;
  readonly contract: Contract;
};

/** A block as one node tells it: well formed, but not yet known to be complete. */
export type Block = { readonly header: BlockHeader; readonly transactions: readonly ChainTransaction[] };

const EMPTY_TRIE_ROOT = "0".repeat(64);
const VM_TYPES = new Set<unknown>(["TriggerSmartContract", "CreateSmartContract"]);
const VM: Contract = { kind: "vm" };
const OTHER: Contract = { kind: "other" };
const UNKNOWN: Contract = { kind: "unknown" };

/**
 * Reads a Block answer; undefined when the node says `{}`, which is "not there". Throws an AnswerError. An empty block
 * has no list of transactions, and neither has an answer without details: only the former has a root of zeros.
 */
export function parseBlock(answer: unknown): Block | undefined {
  const header = parseBlockHeader(answer);
  if (header === undefined) return undefined;
  const block = answer as JsonObject;
  const transactions = readList(block.transactions, "transactions").map(parseTransaction);
  if ((transactions.length === 0) !== (rawHeader(block).txTrieRoot === EMPTY_TRIE_ROOT)) {
    throw new AnswerError(`${transactions.length} transactions do not fit the txTrieRoot`);
  }
  return { header, transactions };
}

/**
 * Reads the header of a Block answer; undefined for `{}`. An id begins with its block's number in 16 hex digits,
 * so a header whose number, id and parent id contradict each other is refused here.
 */
export function parseBlockHeader(answer: unknown): BlockHeader | undefined {
  const block = readObject(answer, "block");
  if (Object.keys(block).length === 0) return undefined;
  const raw = rawHeader(block);
  const header = {
    number: readNumber(raw.number, "number"),
    id: readHash(block.blockID, "blockID"),
    parentId: readHash(raw.parentHash, "parentHash"),
    timeMs: readNumber(raw.timestamp, "timestamp"),
  };
  if (!isIdOf(header.id, header.number)) throw new AnswerError("blockID is of another number");
  if (header.number > 0 && !isIdOf(header.parentId, header.number - 1)) {
    throw new AnswerError("parentHash is of another number");
  }
  return header;
}

function rawHeader(block: JsonObject): JsonObject {
  return readObject(readObject(block.block_header, "block_header").raw_data, "block_header.raw_data");
}

function isIdOf(id: string, number: number): boolean {
  return id.startsWith(number.toString(16).padStart(16, "0"));
}

function parseTransaction(value: unknown): ChainTransaction {
  const transaction = readObject(value, "transaction");
  const raw = readObject(transaction.raw_data, "raw_data");
  return {
    txId: readHash(transaction.txID, "txID"),
    contractRet: parseContractRet(transaction.ret),
    expirationMs: raw.expiration === undefined ? undefined : readNumber(raw.expiration, "expiration"),
    contract: parseContract(raw.contract),
  };
}

/** Absent in the chain's first year. */
function parseContractRet(value: unknown): string | undefined {
  const [first] = readList(value, "ret");
  return first === undefined ? undefined : readText(readObject(first, "ret").contractRet, "contractRet");
}

/**
 * The node leaves out a contract of a type it cannot unpack. More than one contract in a transaction does not exist
 * ("only support size = 1", Tron.proto), so a second one is refused instead of overlooked.
 */
function parseContract(value: unknown): Contract {
  const [first, second] = readList(value, "contract");
  if (second !== undefined) throw new AnswerError("a transaction has two contracts");
  if (first === undefined) return UNKNOWN;
  const contract = readObject(first, "contract");
  if (contract.type === "TransferContract") return parseTransferContract(contract);
  if (VM_TYPES.has(contract.type)) return VM;
  return typeof contract.type === "string" ? OTHER : UNKNOWN;
}

function parseTransferContract(contract: JsonObject): Contract {
  const value = readObject(readObject(contract.parameter, "parameter").value, "parameter.value");
  return {
    kind: "transfer",
    fromHex: readAddressHex(value.owner_address, "owner_address"),
    toHex: readAddressHex(value.to_address, "to_address"),
    units: readUnits(value.amount, "amount"),
  };
}
