import { setTimeout as sleep } from "node:timers/promises";
import { decodeInfos, foreignInfos } from "@daric/chain/blocks/decode-infos";
import { isMissingBlock, NodeError } from "@daric/chain/blocks/node-error";
import type { TransactionInfo } from "@daric/chain/blocks/parse-transaction-info";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { WatcherContext } from "../context.ts";
import { matchable, matchBlocks } from "../record/match-transfers.ts";
import {
  type AnswerCache,
  type BlockAnswer,
  dropAnswersOf,
  recordCall,
  restingFault,
} from "./answer-cache.ts";
import { hasInternals, rankOf, recordInternals } from "./stored-internals.ts";
import type { Reader } from "./verifier.ts";
import type { SolidBlock } from "./verify-store.ts";

/** The longest wait of one step; later answers are kept for the next step. */
const MAX_WAIT_MS = 3_000;
const CALLS_AT_ONCE = 6;

export type InfosOf = SolidBlock & { readonly infosDigest: string };

type Clocked = Pick<WatcherContext, "clock">;
/** The context of reading, which needs no setting. */
export type ReadingContext = Clocked & Pick<WatcherContext, "db" | "log">;

export type InfosWanted = {
  readonly answers: AnswerCache;
  /** nodes that have no vote, by their index */
  readonly excluded?: ReadonlySet<number>;
  readonly blocks: readonly InfosOf[];
  readonly needed: number;
  /** a few seconds, unless no other work waits */
  readonly maxWaitMs?: number;
};

/**
 * Fetches the infos of these blocks from the needed number of nodes into `answers`. If a node fails, the next one is called. Answers of
 * excluded nodes are dropped, also those that came before they were excluded, or during this call.
 */
export async function fetchAnswers(
  context: ReadingContext,
  reader: Reader,
  { answers, excluded = new Set(), blocks, needed, maxWaitMs = MAX_WAIT_MS }: InfosWanted,
): Promise<void> {
  dropAnswersOf(answers, excluded);
  const deadline = sleep(maxWaitMs, undefined, { ref: false });
  const busy = new Map<number, number>();
  const tried = new Map<string, Set<number>>();
  const isRoom = (nodeIndex: number) => (busy.get(nodeIndex) ?? 0) < CALLS_AT_ONCE;
  let isOver = false;
  void deadline.then(() => {
    isOver = true;
  });
  const fill = async (block: InfosOf): Promise<void> => {
    const triedNodes = tried.get(block.blockId) ?? new Set<number>();
    tried.set(block.blockId, triedNodes);
    while (!isOver && countReceived(answers, block) < needed) {
      const open = nodesToQuery(context, reader, { answers, excluded, block, tried: triedNodes });
      const missing = needed - countReceived(answers, block);
      const next = open.filter(isRoom).slice(0, missing);
      if (open.length === 0) return;
      if (next.length === 0) {
        await Promise.race([...answers.pending.values(), deadline]);
        continue;
      }
      await Promise.all(
        next.map(async (nodeIndex) => {
          triedNodes.add(nodeIndex);
          busy.set(nodeIndex, (busy.get(nodeIndex) ?? 0) + 1);
          await fetchAnswer(context, reader, { answers, block, nodeIndex });
          busy.set(nodeIndex, (busy.get(nodeIndex) ?? 1) - 1);
        }),
      );
    }
  };
  await Promise.race([Promise.all(blocks.map(fill)), deadline]);
  recordSlow(answers, busy);
  dropAnswersOf(answers, excluded);
  await matchArrived(context, reader, answers);
}

function countReceived({ receivedFrom, arrived }: AnswerCache, { blockId }: SolidBlock): number {
  return (
    (receivedFrom.get(blockId)?.size ?? 0) + arrived.filter(({ block }) => block.blockId === blockId).length
  );
}

type Question = {
  readonly excluded: ReadonlySet<number>;
  readonly answers: AnswerCache;
  readonly block: SolidBlock;
  readonly tried: ReadonlySet<number>;
};

function nodesToQuery(
  context: Clocked,
  { client }: Reader,
  { answers, excluded, block: { blockId }, tried }: Question,
): number[] {
  const open = client.nodes.flatMap((_, nodeIndex) => {
    const isAnswered =
      answers.receivedFrom.get(blockId)?.has(nodeIndex) ||
      answers.arrived.some((answer) => answer.block.blockId === blockId && answer.nodeIndex === nodeIndex);
    const isResting = restingFault(answers, context, nodeIndex) !== undefined;
    const isOut = tried.has(nodeIndex) || excluded.has(nodeIndex) || isResting;
    return isAnswered || isOut ? [] : [nodeIndex];
  });
  const slowness = (nodeIndex: number) => (answers.slow.has(nodeIndex) ? 1 : 0);
  return open.toSorted((a, b) => slowness(a) - slowness(b) || rankOf(answers, a) - rankOf(answers, b));
}

/** A node that delays a whole step is called last in the next ones. */
function recordSlow({ slow }: AnswerCache, busy: ReadonlyMap<number, number>): void {
  for (const [nodeIndex, calls] of busy) {
    if (calls > 0) slow.add(nodeIndex);
    else slow.delete(nodeIndex);
  }
}

function fetchAnswer(
  context: ReadingContext,
  { client }: Reader,
  { answers, block, nodeIndex }: { answers: AnswerCache; block: InfosOf; nodeIndex: number },
): Promise<void> {
  const node = client.nodes[nodeIndex];
  const key = `${nodeIndex}/${block.blockId}`;
  const known = answers.pending.get(key);
  if (known !== undefined || node === undefined) return known ?? Promise.resolve();
  const pending = readInfos(node, block)
    .then((infos) => {
      answers.arrived.push({ block, nodeIndex, infos });
      recordInternals(answers, { nodeIndex, number: block.number, infos });
      recordCall(answers, context, { nodeIndex, failure: undefined });
    })
    .catch((error: unknown) => {
      // No caller waits for a late answer, so the error would be lost.
      if (!(error instanceof NodeError))
        context.log.error(
          { event: "second_reading_failed", err: error },
          "a block could not be read a second time",
        );
      else if (!isMissingBlock(error)) recordCall(answers, context, { nodeIndex, failure: error });
    })
    .finally(() => answers.pending.delete(key));
  answers.pending.set(key, pending);
  return pending;
}

/** @throws NodeError if the node has no infos of our block, or foreign ones. */
async function readInfos(node: TronNode, block: InfosOf): Promise<readonly TransactionInfo[]> {
  const { number, time, infosDigest } = block;
  const infos = await node.getTransactionInfos(number);
  const fault = foreignInfos(infos, { number, timeMs: time.getTime(), infosDigest });
  if (fault === undefined) return infos;
  const isMissing = infos.length === 0;
  throw new NodeError(isMissing ? `has no infos of block ${number}` : `block ${number}: ${fault}`, {
    fault: isMissing ? "behind" : "unexpected_answer",
    node: node.label,
  });
}

/** Matches arrived answers with our addresses, in one look-up. */
async function matchArrived(context: ReadingContext, reader: Reader, answers: AnswerCache): Promise<void> {
  const arrived = answers.arrived.splice(0);
  if (arrived.length === 0) return;
  const { name: network, tokens } = reader.network;
  const blocks = arrived.map(({ block, infos }) =>
    matchable({ ...decodeInfos({ number: block.number, infos }, tokens), network, block }),
  );
  const matched = await context.db.transaction((tx) => matchBlocks(tx, blocks, reader.owners?.find));
  for (const [at, { block, nodeIndex, infos }] of arrived.entries()) {
    const matches = matched[at]?.();
    if (matches === undefined) continue;
    const ours = new Set(
      [matches.observed, matches.outflows, matches.unattributed, matches.unsupported]
        .flat()
        .map(({ txId }) => txId),
    );
    const blockAnswers = answers.receivedFrom.get(block.blockId) ?? new Map<number, BlockAnswer>();
    // A run that failed by its info pays no address of ours; the block's bytes will check that.
    const isKept = ({ txId, receiptResult }: TransactionInfo) =>
      ours.has(txId) || (receiptResult !== undefined && receiptResult !== "SUCCESS");
    blockAnswers.set(nodeIndex, {
      matches,
      infos: infos.filter(isKept),
      storesInternals: hasInternals(infos),
    });
    answers.receivedFrom.set(block.blockId, blockAnswers);
  }
}
