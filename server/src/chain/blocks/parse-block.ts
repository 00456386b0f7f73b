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

/** A block's place in the chain. Hashes are 64 lower-case hex digits, times ms since 1970 by the chain's clock. */
export type BlockHeader = {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  /** who made the block by its own word, an address in hex; "" of block 0, which nobody made */
  readonly witnessHex: string;
};

/** A block as one node tells it: well formed, but not yet known to be complete. */
export type Block = { readonly header: BlockHeader; readonly transactions: readonly ChainTransaction[] };

/** A block with the root of its transactions, which its id covers, and with what that root is made of. */
export type ProvableBlock = Block & {
  readonly transactions: readonly ProvableTransaction[];
  readonly txTrieRoot: string;
};

/**
 * Reads a Block answer; undefined when the node says `{}`, which is "not there". An empty block has no list of
 * transactions, and neither has an answer without details: only the former has a root of zeros.
 *
 * @throws AnswerError for anything that is no honest block.
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
