import { type CompleteBlock, needsInfos } from "./complete-block.ts";
import { decodeTransfers } from "./decode-transfers.ts";
import { type BlockContents, type BlockSummary, summaryOf } from "./lazy-block.ts";
import { parseBlock } from "./parse-block.ts";
import { parseJson, readExactly } from "./parse-json.ts";
import { parseTransactionInfos } from "./parse-transaction-info.ts";
import { requireComplete } from "./require-complete.ts";

/** What a node has answered of a block, as it came: the JSON of the block and that of its infos. */
export type RawBlockResponse = {
  readonly block: Uint8Array<ArrayBuffer>;
  readonly infos: Uint8Array<ArrayBuffer>;
  readonly usdtContractHex: string;
};

/** Answers that are judged: with what is asked of every block, where they are those of one that is whole. */
export type ValidatedResponse = {
  readonly answers: RawBlockResponse;
  readonly summary: BlockSummary | undefined;
};

/** The memory of answers, which one thread can hand to another. */
export function memoryOf({ block, infos }: RawBlockResponse): readonly ArrayBuffer[] {
  return [block.buffer, infos.buffer];
}

/** Judges a block by the same rules as one that is read in parts. What is wrong with it is for whoever reads it so to say. */
export function validateBlock(answers: RawBlockResponse): ValidatedResponse {
  return { answers, summary: summarize(answers) };
}

function summarize(answers: RawBlockResponse): BlockSummary | undefined {
  const { usdtContractHex } = answers;
  try {
    const parsed = read(answers);
    if (parsed === undefined) return undefined;
    const complete = requireComplete("a node", { ...parsed, usdtContractHex });
    return summaryOf(complete, decodeTransfers(complete, usdtContractHex));
  } catch {
    return undefined;
  }
}

/** Reads answers anew that were judged and found right. */
export function decodeContents(answers: RawBlockResponse): BlockContents {
  const parsed = read(answers);
  if (parsed === undefined) throw new TypeError("only what was judged can be opened");
  const { header, transactions } = parsed.block;
  const complete: CompleteBlock = { header, transactions, infos: parsed.infos };
  return { transactions, decoded: decodeTransfers(complete, answers.usdtContractHex) };
}

/** Undefined where there is no block. What is told of infos that are not needed nothing is held against: it is not read. */
function read(answers: RawBlockResponse) {
  const block = readExactly(parseJson(textOf(answers.block)), parseBlock);
  if (block === undefined) return undefined;
  if (!needsInfos(block)) return { block, infos: [] };
  return { block, infos: readExactly(parseJson(textOf(answers.infos)), parseTransactionInfos) };
}

/** The text of an answer's bytes. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}
