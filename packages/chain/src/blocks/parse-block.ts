import { EMPTY_ROOT } from "@daric/tron/merkle";
import { headerHashOf, idOfHash, isIdOfNumber } from "./block-id.ts";
import { type ChainTransaction, type ProvableTransaction, parseTransaction } from "./parse-transaction.ts";
import {
  AnswerError,
  type JsonObject,
  readAddressHex,
  readHash,
  readHeight,
  readList,
  readObject,
  readText,
  readTime,
} from "./read-json.ts";

/** Hashes are 64 lower-case hex digits, times ms since 1970 by the chain's clock. */
export type BlockHeader = {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  /** the witness named in the header, an address in hex; "" for block 0 */
  readonly witnessHex: string;
};

/** A well-formed block of one node, not yet checked for completeness. */
export type Block = { readonly header: BlockHeader; readonly transactions: readonly ChainTransaction[] };

/** A block with its txTrieRoot and the parts that the root covers. */
export type ProvableBlock = Block & {
  readonly transactions: readonly ProvableTransaction[];
  readonly txTrieRoot: string;
};

/**
 * Reads a block answer; undefined for `{}`, a missing block. An answer without details looks like an empty block, but only the
 * latter has a root of zeros. @throws AnswerError for a malformed block.
 */
export function parseBlock(answer: unknown): ProvableBlock | undefined {
  const header = parseBlockHeader(answer);
  if (header === undefined) return undefined;
  const block = answer as JsonObject;
  const txTrieRoot = readText(rawHeader(block).txTrieRoot, "txTrieRoot") ?? "";
  if (header.number === 0) return { header, transactions: [], txTrieRoot };
  const transactions = readList(block.transactions, "transactions").map(parseTransaction);
  if ((transactions.length === 0) !== (txTrieRoot === EMPTY_ROOT)) {
    throw new AnswerError(`${transactions.length} transactions do not fit the txTrieRoot`);
  }
  return { header, transactions, txTrieRoot };
}

/**
 * Reads a header, whose hash must be its id; undefined for `{}`. Block 0 has no time, and its witness is prose on some networks.
 * @throws AnswerError for a malformed header.
 */
export function parseBlockHeader(answer: unknown): BlockHeader | undefined {
  const block = readObject(answer, "block");
  if (Object.keys(block).length === 0) return undefined;
  const raw = rawHeader(block);
  const number = readHeight(raw.number, "number");
  const id = readHash(block.blockID, "blockID");
  const parentId = readHash(raw.parentHash, "parentHash");
  if (!isIdOfNumber(id, number)) throw new AnswerError("blockID is of another number");
  if (number === 0) return { number, id, parentId, timeMs: 0, witnessHex: "" };
  if (!isIdOfNumber(parentId, number - 1)) throw new AnswerError("parentHash is of another number");
  const timeMs = readTime(raw.timestamp, "timestamp");
  if (idOfHash(number, headerHashOf(raw)) !== id)
    throw new AnswerError("blockID is not the hash of its header");
  const witnessHex = readAddressHex(raw.witness_address, "witness_address");
  return { number, id, parentId, timeMs, witnessHex };
}

function rawHeader(block: JsonObject): JsonObject {
  return readObject(readObject(block.block_header, "block_header").raw_data, "block_header.raw_data");
}
