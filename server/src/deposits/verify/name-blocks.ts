import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "../../chain/blocks/node-error.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import { type Cursor, findBlockId, type ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { noteContradiction } from "./solid-contradiction.ts";
import type { Verifier } from "./verifier.ts";
import { isResting, labelOf, nodesWithoutInternals, noteAnswer, wordsOfResting } from "./voices.ts";

const MAX_WAIT_MS = 3_000;

/** Heights of our chain that a node is asked about. */
type Heights = { readonly cursor: Cursor; readonly solid: Pick<ReadBlock, "number"> };

/**
 * The height up to which `needed` nodes name our chain, the solid block at most. A block names all below it, so that a node is
 * asked for the id of our newest block, and not again before the solid block is above that. A node that names another block there
 * is asked for our solid block.
 *
 * @throws ScanHaltedError where nodes name another block than ours below what is verified, again and again, and too few others remain.
 */
export async function findNamed(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, solid, needed }: Heights & { readonly needed: number },
): Promise<number> {
  // One voice is that of the node that told the blocks.
  if (needed === 1) return solid.number;
  const { nodes } = verifier.client;
  const { named, faults, outcasts } = verifier.verifying;
  const contradicting: { node: TronNode; id: string }[] = [];
  let isAnyAsked = false;
  await Promise.all(
    nodes.map(async (node, place) => {
      if ((named.get(place) ?? 0) >= solid.number || isResting(context, verifier, place)) return;
      isAnyAsked = true;
      const asking = nameFrom(context, verifier, { node, cursor, solid });
      const answer = await Promise.race([asking, sleep(MAX_WAIT_MS, "slow" as const, { ref: false })]);
      if (answer === "slow") {
        asking.catch(() => {});
        faults.set(place, "does not answer in time");
        return;
      }
      const failure = answer instanceof NodeError ? answer : undefined;
      noteAnswer(context, verifier, { place, failure });
      if (answer instanceof NodeError) {
        faults.set(place, answer.message);
        return;
      }
      if (answer.otherId === undefined) outcasts.delete(place);
      else contradicting.push({ node, id: answer.otherId });
      if (answer.height === undefined) faults.set(place, answer.fault);
      else {
        named.set(place, answer.height);
        faults.delete(place);
      }
    }),
  );
  for (const [place, node] of nodes.entries())
    context.metrics.quorumShort.set({ node: labelOf(verifier, place) }, faults.has(place) && node ? 1 : 0);
  if (isAnyAsked) {
    const ourId = (await idOf(context, verifier, cursor.solidNumber)) ?? "";
    await noteContradiction(context, verifier, {
      number: cursor.solidNumber,
      ourId,
      told: contradicting.toSorted((one, other) => nodes.indexOf(one.node) - nodes.indexOf(other.node)),
      needed,
    });
  }
  const heights = nodes.map((_, place) => (outcasts.has(place) ? 0 : (named.get(place) ?? 0)));
  return Math.min(solid.number, heights.toSorted((a, b) => b - a)[needed - 1] ?? 0);
}

/** The height that a node names, or what is wrong; `otherId` where it contradicts a verified block. */
type Named = { readonly height: number | undefined; readonly fault: string; readonly otherId?: string };

async function nameFrom(
  context: WatcherContext,
  verifier: Verifier,
  { node, cursor, solid }: Heights & { node: TronNode },
): Promise<Named | NodeError> {
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

/** What is wrong with nodes that do not name our chain, that fail again and again, or that store no internal transfers, in words. */
export function faultsOf(
  context: Pick<WatcherContext, "clock">,
  verifier: Pick<Verifier, "client" | "verifying">,
): string[] {
  const faults = [...verifier.verifying.faults].map(
    ([place, words]) => `${labelOf(verifier, place)} ${words}`,
  );
  const without = nodesWithoutInternals(verifier).map((node) => `${node} does not store internal transfers`);
  return [...faults, ...wordsOfResting(context, verifier), ...without];
}
