import { EMPTY_ROOT } from "@daric/tron/merkle";
import type { Amount } from "../domain/money.ts";
import { headerHashOf, idOfHash, isIdOfNumber } from "./block-id.ts";
import {
  AnswerError,
  type JsonObject,
  readAddressHex,
  readHash,
  readHeight,
  readHexBytes,
  readList,
  readObject,
  readOptionalTime,
  readSun,
  readText,
  readTime,
} from "./read-json.ts";

/** A block's place in the chain. Hashes are 64 lower-case hex digits, times ms since 1970 by the chain's clock. */
export type BlockHeader = {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  /** who made the block by its own word, an address in hex; "" of block 0, which nobody made */
  readonly witnessHex: string;
  /** what the witness signs: the hash of the header, which the id ends with; "" of block 0 */
  readonly hashHex: string;
  /** as told: nothing covers it; "" where there is none */
  readonly signatureHex: string;
};

/**
 * What a transaction asks for, as far as money can move: a native TRX transfer, a run of the virtual machine (only
 * its info tells what it did), anything else, or `unknown` where the node could not unpack the contract.
 */
export type Contract =
  | {
      readonly kind: "transfer";
      readonly fromHex: string;
      readonly toHex: string;
      readonly units: Amount<"TRX">;
    }
  | { readonly kind: "vm" }
  | { readonly kind: "other" }
  | { readonly kind: "unknown" };

/** A transaction as its block shows it. */
export type ChainTransaction = {
  readonly txId: string;
  /** `SUCCESS`, a failure's name, or undefined where the node printed none, which no complete block has. */
  readonly contractRet: string | undefined;
  /** Chain time in ms after which the transaction cannot enter a block any more; undefined where it is not told. */
  readonly expirationMs: number | undefined;
  readonly contract: Contract;
};

/** A block as one node tells it: well formed, but not yet known to be complete. */
export type Block = { readonly header: BlockHeader; readonly transactions: readonly ChainTransaction[] };

/** Names of protocol.Transaction.Result.contractResult, also those of java-tron's later releases. */
const VERDICT = /^[A-Z][A-Z_]+$/;
const MESSAGE_PREFIX = "/protocol.";
/** The contracts that can move TRX or USDT, by the names of their messages. */
const MONEY_KINDS = new Map<unknown, "transfer" | "vm">([
  ["TransferContract", "transfer"],
  ["TriggerSmartContract", "vm"],
  ["CreateSmartContract", "vm"],
]);

/**
 * Reads a Block answer; undefined when the node says `{}`, which is "not there". An empty block has no list of
 * transactions, and neither has an answer without details: only the former has a root of zeros.
 *
 * @throws AnswerError for anything that is no honest block.
 */
export function parseBlock(answer: unknown): Block | undefined {
  const header = parseBlockHeader(answer);
  if (header === undefined) return undefined;
  const block = answer as JsonObject;
  const transactions = readList(block.transactions, "transactions").map(parseTransaction);
  if ((transactions.length === 0) !== (rawHeader(block).txTrieRoot === EMPTY_ROOT)) {
    throw new AnswerError(`${transactions.length} transactions do not fit the txTrieRoot`);
  }
  return { header, transactions };
}

/**
 * Reads the header of a Block answer; undefined for `{}`. Number, parent, time and witness are those that the id was made of:
 * a header whose hash is not its id is refused. Block 0, whose header is prose on some networks, has no time and is
 * known by its id alone.
 *
 * @throws AnswerError for anything that is no honest header.
 */
export function parseBlockHeader(answer: unknown): BlockHeader | undefined {
  const block = readObject(answer, "block");
  if (Object.keys(block).length === 0) return undefined;
  const raw = rawHeader(block);
  const number = readHeight(raw.number, "number");
  const id = readHash(block.blockID, "blockID");
  const parentId = readHash(raw.parentHash, "parentHash");
  if (!isIdOfNumber(id, number)) throw new AnswerError("blockID is of another number");
  if (number === 0) return { number, id, parentId, timeMs: 0, witnessHex: "", hashHex: "", signatureHex: "" };
  if (!isIdOfNumber(parentId, number - 1)) throw new AnswerError("parentHash is of another number");
  const timeMs = readTime(raw.timestamp, "timestamp");
  const hashHex = headerHashOf(raw);
  if (idOfHash(number, hashHex) !== id) throw new AnswerError("blockID is not the hash of its header");
  const witnessHex = readAddressHex(raw.witness_address, "witness_address");
  const signatureHex = readHexBytes(blockHeader(block).witness_signature, "witness_signature");
  return { number, id, parentId, timeMs, witnessHex, hashHex, signatureHex };
}

function blockHeader(block: JsonObject): JsonObject {
  return readObject(block.block_header, "block_header");
}

function rawHeader(block: JsonObject): JsonObject {
  return readObject(blockHeader(block).raw_data, "block_header.raw_data");
}

function parseTransaction(value: unknown): ChainTransaction {
  const transaction = readObject(value, "transaction");
  const raw = readObject(transaction.raw_data, "raw_data");
  return {
    txId: readHash(transaction.txID, "txID"),
    contractRet: parseContractRet(transaction.ret),
    expirationMs: readOptionalTime(raw.expiration, "expiration"),
    contract: parseContract(raw.contract),
  };
}

function parseContractRet(value: unknown): string | undefined {
  const [first] = readList(value, "ret");
  const verdict =
    first === undefined ? undefined : readText(readObject(first, "ret").contractRet, "contractRet");
  if (verdict === undefined || VERDICT.test(verdict)) return verdict;
  throw new AnswerError("contractRet is no verdict");
}

/**
 * The node leaves out a contract of a type it cannot unpack. More than one contract in a transaction does not exist
 * ("only support size = 1", Tron.proto), so a second one is refused instead of overlooked. The type is said twice,
 * because a node unpacks only what the URL names: a contract that says two things is refused.
 */
function parseContract(value: unknown): Contract {
  const [first, second] = readList(value, "contract");
  if (second !== undefined) throw new AnswerError("a transaction has two contracts");
  if (first === undefined) return { kind: "unknown" };
  const contract = readObject(first, "contract");
  const parameter = readObject(contract.parameter, "parameter");
  const kind = MONEY_KINDS.get(contract.type);
  if (kind !== MONEY_KINDS.get(messageOf(parameter.type_url))) {
    throw new AnswerError("a contract's type is not that of its parameter");
  }
  if (kind === "transfer") return parseTransfer(readObject(parameter.value, "parameter.value"));
  return { kind: kind ?? "other" };
}

/** `type.googleapis.com/protocol.TransferContract`; what precedes the slash is the sender's choice. */
function messageOf(typeUrl: unknown): string {
  const text = readText(typeUrl, "type_url") ?? "";
  return text.slice(text.lastIndexOf(MESSAGE_PREFIX) + MESSAGE_PREFIX.length);
}

/** Consensus lets no transfer of nothing into a block (java-tron TransferActuator), so an absent amount is no zero. */
function parseTransfer(value: JsonObject): Contract {
  const units = readSun(value.amount, "amount");
  if (units === 0n) throw new AnswerError("a transfer has no amount");
  return {
    kind: "transfer",
    fromHex: readAddressHex(value.owner_address, "owner_address"),
    toHex: readAddressHex(value.to_address, "to_address"),
    units,
  };
}
