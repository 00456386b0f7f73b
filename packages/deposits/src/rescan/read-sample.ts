import { decodeTransfers } from "@daric/chain/blocks/decode-transfers";
import { NodeError } from "@daric/chain/blocks/node-error";
import { matchBlock, nativeOf } from "../record/match-transfers.ts";
import type { ObservedTransfer } from "../store.ts";
import {
  type AnswerCache,
  answersOf,
  forgetAnswers,
  lastFault,
  type NumberedAnswer,
  recordCall,
  restingFault,
} from "../verify/answer-cache.ts";
import { readWithBytes } from "../verify/block-bytes.ts";
import type { ReadingContext } from "../verify/fetch-answers.ts";
import { asSolidBlock } from "../verify/verified-block.ts";
import type { Reader } from "../verify/verifier.ts";
import { type FetchedIds, fetchBody, fetchIds } from "./fetch-again.ts";

/** No other work waits for a sample, and a call ends earlier by itself. */
const MAX_WAIT_MS = 60_000;

/** A block of ours as the nodes have it now, without its bytes, since samples are many. */
export type BlockSample = FetchedIds & {
  /** undefined if no node shows our block */
  readonly header: { readonly parentId: string; readonly transactionCount: number } | undefined;
  /** the transfers to us that the block's root proves */
  readonly natives: readonly ObservedTransfer[];
  /** the answers about contract runs, of nodes that have our block */
  readonly runs: readonly NumberedAnswer[];
  /** the nodes that did not answer, and why */
  readonly unanswered: readonly string[];
};

/** Reads a block as a rescan does, but from every node, and writes nothing. A node that fails repeatedly rests for some blocks. */
export async function readSample(
  context: ReadingContext,
  reader: Reader,
  { number, answers: cache }: { readonly number: number; readonly answers: AnswerCache },
): Promise<BlockSample> {
  const { nodes } = reader.client;
  const resting = [...nodes.keys()].filter((at) => restingFault(cache, context, at) !== undefined);
  const excluded = new Set(resting);
  const ids = await fetchIds(context, reader, { number, excluded });
  const infos = { answers: cache, needed: nodes.length, excluded, maxWaitMs: MAX_WAIT_MS };
  const fetched = await fetchBody(context, reader, { ...infos, ids }).catch((error: unknown) => {
    if (!(error instanceof NodeError)) throw error;
    return error;
  });
  const body = fetched instanceof NodeError ? undefined : fetched;
  for (const { nodeIndex, failure } of ids.answers)
    if (failure !== undefined) recordCall(cache, context, { nodeIndex, failure });
  const block = body && asSolidBlock(body);
  const given = block === undefined ? [] : answersOf(cache, reader, block);
  forgetAnswers(cache, () => false);
  const faultOf = ({ nodeIndex, reason, otherId }: FetchedIds["answers"][number]) => {
    if (reason !== undefined) return otherId === undefined ? reason : undefined;
    if (block?.infosDigest === undefined || given.some((answer) => answer.nodeIndex === nodeIndex))
      return undefined;
    return lastFault(cache, nodeIndex) ?? "has no infos of it";
  };
  const faults = ids.answers.flatMap((answer) => {
    const fault = faultOf(answer);
    return fault === undefined ? [] : `${answer.node}: ${fault}`;
  });
  const unanswered = [fetched instanceof NodeError ? fetched.message : [], faults]
    .flat()
    .map((fault) => `block ${number}: ${fault}`);
  if (body === undefined || block === undefined)
    return { ...ids, header: undefined, natives: [], runs: [], unanswered };
  const { name, tokens } = reader.network;
  const all = await matchBlock(context.db, { ...decodeTransfers(body, tokens), network: name, block });
  const hasOurs = new Set(
    ids.answers.flatMap(({ nodeIndex, reason }) => (reason === undefined ? nodeIndex : [])),
  );
  const runs = given
    .filter(({ nodeIndex }) => hasOurs.has(nodeIndex))
    .map((answer) => readWithBytes(context, reader, { block, body, answer }));
  return {
    ...ids,
    header: { parentId: body.header.parentId, transactionCount: body.transactions.length },
    natives: nativeOf(all).observed,
    runs: await Promise.all(runs),
    unanswered,
  };
}
