import { setTimeout as sleep } from "node:timers/promises";
import { decodeInfos, foreignInfos } from "../../chain/blocks/decode-infos.ts";
import { isMissingBlock, NodeError } from "../../chain/blocks/node-error.ts";
import type { TransactionInfo } from "../../chain/blocks/parse-transaction-info.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { WatcherContext } from "../context.ts";
import { matchable, matchBlocks } from "../record/match-transfers.ts";
import type { NodeAnswer } from "./agree.ts";
import type { AnswerCache, BlockAnswer } from "./state.ts";
import { hasInternals, noteInternals, rankOf } from "./stored-internals.ts";
import type { Verifier } from "./verifier.ts";
import type { SolidBlock } from "./verify-store.ts";

/** The longest wait of one step; later answers are kept for the next step. */
const MAX_WAIT_MS = 3_000;
/** After this many failures in a row a node rests for a while. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 15_000;
const CALLS_AT_ONCE = 6;

export type InfosOf = SolidBlock & { readonly infosDigest: string };

/**
 * Fetches the infos of these blocks from the needed number of nodes, within a few seconds. If a node fails, the next
 * one is called. Answers are kept until the block is verified.
 */
export async function fetchAnswers(
  context: WatcherContext,
  verifier: Verifier,
  { blocks, needed }: { blocks: readonly InfosOf[]; needed: number },
): Promise<void> {
  const { answers } = verifier.verifying;
  const deadline = sleep(MAX_WAIT_MS, undefined, { ref: false });
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
      const open = nodesToQuery(context, verifier, { block, tried: triedNodes });
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
          await fetchAnswer(context, verifier, { block, nodeIndex });
          busy.set(nodeIndex, (busy.get(nodeIndex) ?? 1) - 1);
        }),
      );
    }
  };
  await Promise.race([Promise.all(blocks.map(fill)), deadline]);
  noteSlow(answers, busy);
  await matchArrived(context, verifier);
}

/** A node's answer for a block, with the node's place in TRON_NODE_URLS. */
export type NumberedAnswer = NodeAnswer & BlockAnswer & { readonly nodeIndex: number };

/** The answers for a block. */
export function answersOf(verifier: Verifier, { blockId }: SolidBlock): NumberedAnswer[] {
  const { answers } = verifier.verifying;
  return [...(answers.receivedFrom.get(blockId) ?? [])].map(([nodeIndex, answer]) => ({
    ...answer,
    nodeIndex,
    node: labelOf(verifier, nodeIndex),
    contradicting: new Set<string>(),
  }));
}

export function forgetAnswers(verifier: Verifier, isNeeded: (blockId: string) => boolean): void {
  const { receivedFrom } = verifier.verifying.answers;
  for (const blockId of receivedFrom.keys()) if (!isNeeded(blockId)) receivedFrom.delete(blockId);
}

/** The label of a node, unique among several nodes of one host. */
export function labelOf({ client: { nodes } }: Pick<Verifier, "client">, nodeIndex: number): string {
  const label = nodes[nodeIndex]?.label ?? "";
  const isFirst = nodes.findIndex((node) => node.label === label) === nodeIndex;
  return isFirst ? label : `${label} (${nodeIndex + 1}. of TRON_NODE_URLS)`;
}

/** The last failure of a resting node; undefined for any other node. */
export function restingFault(
  context: Pick<WatcherContext, "clock">,
  verifier: Pick<Verifier, "verifying">,
  nodeIndex: number,
): string | undefined {
  const isOut = isResting(context, verifier, nodeIndex);
  return isOut ? verifier.verifying.answers.failures.get(nodeIndex)?.summary : undefined;
}

/** Records a call to a node; a node that fails repeatedly rests. */
export function noteAnswer(
  { clock }: Pick<WatcherContext, "clock">,
  { verifying }: Pick<Verifier, "verifying">,
  { nodeIndex, failure }: { nodeIndex: number; failure: NodeError | undefined },
): void {
  const { failures } = verifying.answers;
  if (failure === undefined) {
    failures.delete(nodeIndex);
    return;
  }
  const count = (failures.get(nodeIndex)?.count ?? 0) + 1;
  const restMs = failure.retryAfterMs ?? (count >= FAILURES_BEFORE_REST ? REST_MS : 0);
  failures.set(nodeIndex, { count, untilMs: clock.monotonicMs() + restMs, summary: failure.summary });
}

export function isResting(
  context: Pick<WatcherContext, "clock">,
  { verifying }: Pick<Verifier, "verifying">,
  nodeIndex: number,
): boolean {
  return (verifying.answers.failures.get(nodeIndex)?.untilMs ?? 0) > context.clock.monotonicMs();
}

function countReceived({ receivedFrom, arrived }: AnswerCache, { blockId }: SolidBlock): number {
  return (
    (receivedFrom.get(blockId)?.size ?? 0) + arrived.filter(({ block }) => block.blockId === blockId).length
  );
}

function nodesToQuery(
  context: WatcherContext,
  verifier: Verifier,
  { block: { blockId }, tried }: { block: SolidBlock; tried: ReadonlySet<number> },
): number[] {
  const { answers, excluded } = verifier.verifying;
  const open = verifier.client.nodes.flatMap((_, nodeIndex) => {
    const isAnswered =
      answers.receivedFrom.get(blockId)?.has(nodeIndex) ||
      answers.arrived.some((one) => one.block.blockId === blockId && one.nodeIndex === nodeIndex);
    const isOut = tried.has(nodeIndex) || excluded.has(nodeIndex) || isResting(context, verifier, nodeIndex);
    return isAnswered || isOut ? [] : [nodeIndex];
  });
  const slowness = (nodeIndex: number) => (answers.slow.has(nodeIndex) ? 1 : 0);
  return open.toSorted((a, b) => slowness(a) - slowness(b) || rankOf(answers, a) - rankOf(answers, b));
}

/** A node that delays a whole step is called last in the next ones. */
function noteSlow({ slow }: AnswerCache, busy: ReadonlyMap<number, number>): void {
  for (const [nodeIndex, calls] of busy) {
    if (calls > 0) slow.add(nodeIndex);
    else slow.delete(nodeIndex);
  }
}

/** The nodes that evidently do not store internal transactions. */
export function nodesWithoutInternals(verifier: Pick<Verifier, "client" | "verifying">): string[] {
  return verifier.client.nodes.flatMap((_, nodeIndex) =>
    rankOf(verifier.verifying.answers, nodeIndex) === 2 ? [labelOf(verifier, nodeIndex)] : [],
  );
}

function fetchAnswer(
  context: WatcherContext,
  verifier: Verifier,
  { block, nodeIndex }: { block: InfosOf; nodeIndex: number },
): Promise<void> {
  const { answers } = verifier.verifying;
  const node = verifier.client.nodes[nodeIndex];
  const key = `${nodeIndex}/${block.blockId}`;
  const known = answers.pending.get(key);
  if (known !== undefined || node === undefined) return known ?? Promise.resolve();
  const pending = readInfos(node, block)
    .then((infos) => {
      answers.arrived.push({ block, nodeIndex, infos });
      noteInternals(answers, { nodeIndex, number: block.number, infos });
      noteAnswer(context, verifier, { nodeIndex, failure: undefined });
    })
    .catch((error: unknown) => {
      // No caller waits for a late answer, so the error would be lost.
      if (!(error instanceof NodeError))
        context.log.error(
          { event: "second_reading_failed", err: error },
          "a block could not be read a second time",
        );
      else if (!isMissingBlock(error)) noteAnswer(context, verifier, { nodeIndex, failure: error });
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
async function matchArrived(context: WatcherContext, verifier: Verifier): Promise<void> {
  const { answers } = verifier.verifying;
  const arrived = answers.arrived.splice(0);
  if (arrived.length === 0) return;
  const { name: network, tokens } = verifier.network;
  const blocks = arrived.map(({ block, infos }) =>
    matchable({ ...decodeInfos({ number: block.number, infos }, tokens), network, block }),
  );
  const matched = await context.db.transaction((tx) => matchBlocks(tx, blocks, verifier.owners.find));
  for (const [at, { block, nodeIndex, infos }] of arrived.entries()) {
    const matches = matched[at]?.();
    if (matches === undefined) continue;
    const ours = new Set(
      [matches.observed, matches.outflows, matches.unattributed, matches.unsupported]
        .flat()
        .map(({ txId }) => txId),
    );
    const ofBlock = answers.receivedFrom.get(block.blockId) ?? new Map<number, BlockAnswer>();
    // A run that failed by its info pays no address of ours; the block's bytes will check that.
    const isKept = ({ txId, receiptResult }: TransactionInfo) =>
      ours.has(txId) || (receiptResult !== undefined && receiptResult !== "SUCCESS");
    ofBlock.set(nodeIndex, { matches, infos: infos.filter(isKept), storesInternals: hasInternals(infos) });
    answers.receivedFrom.set(block.blockId, ofBlock);
  }
}
