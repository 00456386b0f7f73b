import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { type Cursor, findBlockId, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import {
  type AnswerCache,
  labelOf,
  nodesWithoutInternals,
  recordCall,
  restingFault,
} from "./answer-cache.ts";
import { STORE_INTERNALS } from "./describe-votes.ts";
import { describeOutvoted } from "./report-verified.ts";
import { judgeContradictions } from "./solid-contradiction.ts";
import type { NodeStanding, VerifyState } from "./state.ts";
import type { Reader, Verifier } from "./verifier.ts";

const MAX_WAIT_MS = 3_000;

type Heights = { readonly cursor: Cursor; readonly solid: Pick<ReadBlock, "number"> };
type Known = { readonly needed: number; readonly answers: AnswerCache; readonly standing: NodeStanding };

/**
 * The height up to which `needed` nodes have our chain, at most the solid block, and the nodes' new standing. An id proves all blocks
 * below it. So each node is queried for our newest block, and again only when the solid block has passed it.
 *
 * @throws ScanHaltedError if nodes contradict a verified block repeatedly, and too few others remain.
 */
export async function findAgreedHeight(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, solid, needed, answers, standing }: Heights & Known,
): Promise<{ readonly height: number; readonly standing: NodeStanding }> {
  // One node is enough, and one has given us the blocks.
  if (needed === 1) return { height: solid.number, standing };
  const { nodes } = verifier.client;
  const asked = await Promise.all(
    nodes.map(async (node, nodeIndex) => {
      const isAgreed = (standing.agreedHeights.get(nodeIndex) ?? 0) >= solid.number;
      if (isAgreed || restingFault(answers, context, nodeIndex) !== undefined) return [];
      const pending = heightOfNode(context, verifier, { node, cursor, solid });
      const answer = await Promise.race([pending, sleep(MAX_WAIT_MS, "slow" as const, { ref: false })]);
      if (answer === "slow") pending.catch(() => {});
      else {
        const failure = answer instanceof NodeError ? answer : undefined;
        recordCall(answers, context, { nodeIndex, failure });
      }
      return [{ node, nodeIndex, answer }];
    }),
  );
  const queried = asked.flat();
  const next = queried.reduce(withAnswer, standing);
  for (const nodeIndex of nodes.keys())
    context.metrics.quorumShort.set(
      { node: labelOf(verifier, nodeIndex) },
      next.faults.has(nodeIndex) ? 1 : 0,
    );
  const contradicting = queried.flatMap(({ node, answer }) =>
    answer === "slow" || answer instanceof NodeError || answer.otherId === undefined
      ? []
      : [{ node, id: answer.otherId }],
  );
  const { solidNumber: number } = cursor;
  const judged =
    queried.length === 0
      ? next
      : await judgeContradictions(context, verifier, {
          number,
          ourId: (await idOf(context, verifier, number)) ?? "",
          contradicting,
          needed,
          standing: next,
        });
  const heights = nodes.map((_, nodeIndex) =>
    judged.excluded.has(nodeIndex) ? 0 : (judged.agreedHeights.get(nodeIndex) ?? 0),
  );
  const height = heights.toSorted((a, b) => b - a)[needed - 1] ?? 0;
  return { height: Math.min(solid.number, height), standing: judged };
}

/** The height of our chain at a node, or its fault. `otherId` is set if it contradicts a verified block. */
type NodeHeight = { readonly height: number | undefined; readonly fault: string; readonly otherId?: string };

function withAnswer(
  standing: NodeStanding,
  { nodeIndex, answer }: { nodeIndex: number; answer: NodeHeight | NodeError | "slow" },
): NodeStanding {
  const withFault = (fault: string) => new Map(standing.faults).set(nodeIndex, fault);
  if (answer === "slow") return { ...standing, faults: withFault("does not answer in time") };
  if (answer instanceof NodeError) return { ...standing, faults: withFault(answer.summary) };
  const { height, fault, otherId } = answer;
  const excluded = new Set(standing.excluded);
  if (otherId === undefined) excluded.delete(nodeIndex);
  if (height === undefined) return { ...standing, excluded, faults: withFault(fault) };
  const faults = new Map(standing.faults);
  faults.delete(nodeIndex);
  return {
    ...standing,
    excluded,
    faults,
    agreedHeights: new Map(standing.agreedHeights).set(nodeIndex, height),
  };
}

async function heightOfNode(
  context: WatcherContext,
  verifier: Reader,
  { node, cursor, solid }: Heights & { node: TronNode },
): Promise<NodeHeight | NodeError> {
  try {
    const head = await node.getHeader(cursor.number);
    if (head?.id === cursor.blockId) return { height: cursor.number, fault: "" };
    const ours = await idOf(context, verifier, solid.number);
    const theirs = await node.getHeader(solid.number);
    if (theirs === undefined) return { height: undefined, fault: "does not have our solid block yet" };
    if (theirs.id === ours) return { height: solid.number, fault: "" };
    const verified = await node.getHeader(cursor.solidNumber);
    const isOurs =
      verified === undefined || verified.id === (await idOf(context, verifier, cursor.solidNumber));
    const fault = "has another block than ours where ours is solid";
    return { height: undefined, fault, ...(!isOurs && { otherId: verified.id }) };
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
}

function idOf({ db }: WatcherContext, { network }: Reader, number: number): Promise<string | undefined> {
  return findBlockId(db, { network: network.name, number });
}

/** The faults of nodes that lack our chain, that fail repeatedly, that store no internal transfers, or that were outvoted. */
export function faultsOf(
  context: Pick<WatcherContext, "clock">,
  reader: Pick<Reader, "client">,
  { answers, standing, reported }: Pick<VerifyState, "answers" | "standing" | "reported">,
): string[] {
  const faults = reader.client.nodes.flatMap((_, nodeIndex) => {
    const reasons = [standing.faults.get(nodeIndex), restingFault(answers, context, nodeIndex)];
    const said = [...new Set(reasons)].filter((reason) => reason !== undefined);
    return said.length === 0 ? [] : [`${labelOf(reader, nodeIndex)}: ${said.join(", ")}`];
  });
  const without = nodesWithoutInternals(answers, reader).map(
    (node) => `${node} does not store internal transactions, so it has no vote on them: ${STORE_INTERNALS}`,
  );
  const outvoted = [...reported.outvoted.values()].map(describeOutvoted);
  return [...faults, ...without, ...outvoted];
}
