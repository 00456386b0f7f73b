import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "../../chain/blocks/node-error.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import { type Cursor, findBlockId, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { STORE_INTERNALS } from "./describe-votes.ts";
import { isResting, labelOf, nodesWithoutInternals, noteAnswer, restingFault } from "./node-answers.ts";
import { describeOutvoted } from "./report-verified.ts";
import { noteContradiction } from "./solid-contradiction.ts";
import type { Verifier } from "./verifier.ts";

const MAX_WAIT_MS = 3_000;

type Heights = { readonly cursor: Cursor; readonly solid: Pick<ReadBlock, "number"> };

/**
 * The height up to which `needed` nodes have our chain, at most the solid block. An id proves all blocks below it. So each node is
 * queried for our newest block, and again only when the solid block has passed it.
 *
 * @throws ScanHaltedError if nodes contradict a verified block repeatedly, and too few others remain.
 */
export async function findAgreedHeight(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, solid, needed }: Heights & { readonly needed: number },
): Promise<number> {
  // One node is enough, and one has given us the blocks.
  if (needed === 1) return solid.number;
  const { nodes } = verifier.client;
  const { agreedHeights, faults, excluded } = verifier.verifying;
  const contradicting: { node: TronNode; id: string }[] = [];
  let isAnyQueried = false;
  await Promise.all(
    nodes.map(async (node, nodeIndex) => {
      if ((agreedHeights.get(nodeIndex) ?? 0) >= solid.number || isResting(context, verifier, nodeIndex))
        return;
      isAnyQueried = true;
      const pending = heightOfNode(context, verifier, { node, cursor, solid });
      const answer = await Promise.race([pending, sleep(MAX_WAIT_MS, "slow" as const, { ref: false })]);
      if (answer === "slow") {
        pending.catch(() => {});
        faults.set(nodeIndex, "does not answer in time");
        return;
      }
      const failure = answer instanceof NodeError ? answer : undefined;
      noteAnswer(context, verifier, { nodeIndex, failure });
      if (answer instanceof NodeError) {
        faults.set(nodeIndex, answer.summary);
        return;
      }
      if (answer.otherId === undefined) excluded.delete(nodeIndex);
      else contradicting.push({ node, id: answer.otherId });
      if (answer.height === undefined) faults.set(nodeIndex, answer.fault);
      else {
        agreedHeights.set(nodeIndex, answer.height);
        faults.delete(nodeIndex);
      }
    }),
  );
  for (const [nodeIndex, node] of nodes.entries())
    context.metrics.quorumShort.set(
      { node: labelOf(verifier, nodeIndex) },
      faults.has(nodeIndex) && node ? 1 : 0,
    );
  if (isAnyQueried) {
    const ourId = (await idOf(context, verifier, cursor.solidNumber)) ?? "";
    await noteContradiction(context, verifier, {
      number: cursor.solidNumber,
      ourId,
      contradicting: contradicting.toSorted(
        (one, other) => nodes.indexOf(one.node) - nodes.indexOf(other.node),
      ),
      needed,
    });
  }
  const heights = nodes.map((_, nodeIndex) =>
    excluded.has(nodeIndex) ? 0 : (agreedHeights.get(nodeIndex) ?? 0),
  );
  return Math.min(solid.number, heights.toSorted((a, b) => b - a)[needed - 1] ?? 0);
}

/** The height of our chain at a node, or its fault. `otherId` is set if it contradicts a verified block. */
type NodeHeight = { readonly height: number | undefined; readonly fault: string; readonly otherId?: string };

async function heightOfNode(
  context: WatcherContext,
  verifier: Verifier,
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

function idOf({ db }: WatcherContext, { network }: Verifier, number: number): Promise<string | undefined> {
  return findBlockId(db, { network: network.name, number });
}

/** The faults of nodes that lack our chain, that fail repeatedly, that store no internal transfers, or that were outvoted. */
export function faultsOf(
  context: Pick<WatcherContext, "clock">,
  verifier: Pick<Verifier, "client" | "verifying">,
): string[] {
  const faults = verifier.client.nodes.flatMap((_, nodeIndex) => {
    const reasons = [verifier.verifying.faults.get(nodeIndex), restingFault(context, verifier, nodeIndex)];
    const said = [...new Set(reasons)].filter((reason) => reason !== undefined);
    return said.length === 0 ? [] : [`${labelOf(verifier, nodeIndex)}: ${said.join(", ")}`];
  });
  const without = nodesWithoutInternals(verifier).map(
    (node) => `${node} does not store internal transactions, so it has no vote on them: ${STORE_INTERNALS}`,
  );
  const outvoted = [...verifier.verifying.outvoted.values()].map(describeOutvoted);
  return [...faults, ...without, ...outvoted];
}
