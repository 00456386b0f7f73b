import type { Token } from "@daric/domain/asset";
import { type CompleteBlock, needsInfos } from "./complete-block.ts";
import { decodeTransfers } from "./decode-transfers.ts";
import { type BlockContents, type BlockSummary, summaryOf } from "./lazy-block.ts";
import { parseBlock } from "./parse-block.ts";
import { parseJson, readExactly } from "./parse-json.ts";
import { parseTransactionInfos } from "./parse-transaction-info.ts";
import { requireComplete } from "./require-complete.ts";

/** A node's answers for a block as received: the JSON of the block and of its infos. */
export type RawBlockResponse = {
  readonly block: Uint8Array<ArrayBuffer>;
  readonly infos: Uint8Array<ArrayBuffer>;
  readonly tokens: readonly Token[];
};

/** Answers after validation. Without a summary the block is not complete. */
export type ValidatedResponse = {
  readonly answers: RawBlockResponse;
  readonly summary: BlockSummary | undefined;
};

/** The buffers of answers, which one thread can transfer to another. */
export function memoryOf({ block, infos }: RawBlockResponse): readonly ArrayBuffer[] {
  return [block.buffer, infos.buffer];
}

/** Validates by the rules of `requireComplete`. The caller reads a faulty block again to report its fault. */
export function validateBlock(answers: RawBlockResponse): ValidatedResponse {
  return { answers, summary: summarize(answers) };
}

function summarize(answers: RawBlockResponse): BlockSummary | undefined {
  const { tokens } = answers;
  try {
    const parsed = read(answers);
    if (parsed === undefined) return undefined;
    const complete = requireComplete("a node", { ...parsed, tokens });
    return summaryOf(complete, decodeTransfers(complete, tokens));
  } catch {
    return undefined;
  }
}

export function decodeContents(answers: RawBlockResponse): BlockContents {
  const parsed = read(answers);
  if (parsed === undefined) throw new TypeError("only validated answers can be decoded");
  const { header, transactions } = parsed.block;
  const complete: CompleteBlock = { header, transactions, infos: parsed.infos };
  return { transactions, decoded: decodeTransfers(complete, answers.tokens) };
}

/** Undefined for a missing block. Infos are read only if the block needs them. */
function read(answers: RawBlockResponse) {
  const block = readExactly(parseJson(textOf(answers.block)), parseBlock);
  if (block === undefined) return undefined;
  if (!needsInfos(block)) return { block, infos: [] };
  return { block, infos: readExactly(parseJson(textOf(answers.infos)), parseTransactionInfos) };
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}
