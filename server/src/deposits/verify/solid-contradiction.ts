import { NodeError } from "../../chain/blocks/node-error.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import { assertLease } from "../../runtime/lease.ts";
import type { Context, WatcherContext } from "../context.ts";
import { answersNeeded } from "../settings.ts";
import { type Halt, insertHalt } from "./halt-store.ts";
import type { Verifier } from "./verifier.ts";

/** Reading halts after so many reads in a row over at least this long in which too few nodes remain. */
const READS_BEFORE_HALT = 4;
const MIN_HALT_MS = 60_000;

/**
 * Thrown when a node's chain leaves ours at or below a block that was solid: a healthy chain cannot do that. The
 * verifier writes nothing and asks again; what is confirmed stays so.
 */
export class SolidContradictionError extends Error {
  override readonly name = "SolidContradictionError";
}

/** Thrown while the verifier is halted: nothing is read before an operator says so. */
export class ScanHaltedError extends Error {
  override readonly name = "ScanHaltedError";

  constructor({ number, ourId, theirId, nodes, haltedAt }: Omit<Halt, "resumedAt">) {
    super(
      `reading is halted since ${haltedAt.toISOString()}: block ${number}, which was final as ${ourId}, is ${theirId} to ` +
        `${nodes}. Nothing is read or confirmed, and what is confirmed stays. Find out which of the two the network has ` +
        "(a block explorer, another node); put right TRON_NODE_URLS where the nodes are wrong; then `daric scan resume` " +
        "goes on along the chain of the nodes",
    );
  }
}

/** A block of ours that is solid, and how a node is asked for the id of its own at that height. */
type SolidQuestion = {
  readonly number: number;
  readonly ourId: string;
  readonly readId: (node: TronNode) => Promise<string | undefined>;
};

/** A node's word on a verified block that is another one than ours. */
export type Contradiction = { readonly node: TronNode; readonly id: string };

/**
 * To be called when a node has told of another block than ours where ours is verified: asks the nodes in turn until one agrees
 * with us, and leaves those out that do not.
 *
 * @throws ScanHaltedError when it halts.
 * @throws SolidContradictionError when none agrees and it does not halt yet.
 * @throws NodeError when no node answers.
 */
export async function requireAgreement(
  context: WatcherContext,
  verifier: Verifier,
  { number, ourId, readId }: SolidQuestion,
): Promise<void> {
  const { client } = verifier;
  const contradicting: Contradiction[] = [];
  const question = async (node: TronNode): Promise<void> => {
    const id = await readId(node);
    if (id === ourId) return;
    if (id === undefined)
      throw new NodeError(`does not have block ${number}`, { fault: "behind", node: node.label });
    contradicting.push({ node, id });
    const message = `block ${number} is final as ${ourId}, and it has ${id}`;
    throw new NodeError(message, { fault: "contradicts_ours", node: node.label });
  };
  const needed = answersNeeded(context.config.deposits, client.nodes.length);
  const failure = await client.query(question).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure !== undefined && contradicting.length === 0) throw failure;
  await noteContradiction(context, verifier, { number, ourId, contradicting, needed });
  if (failure === undefined) return;
  const nodes = contradicting.map(({ node }) => node.label).join(" and ");
  throw new SolidContradictionError(
    `block ${number} is final as ${ourId} and ${contradicting[0]?.id} to ${nodes}; nothing is read until they agree`,
  );
}

type Noted = {
  readonly number: number;
  readonly ourId: string;
  readonly contradicting: readonly Contradiction[];
  readonly needed: number;
};

/**
 * Leaves nodes out that contradict a verified block, and names them. Where fewer than `needed` of all nodes remain, in four reads in
 * a row over at least a minute, reading halts.
 *
 * @throws ScanHaltedError when it halts.
 */
export async function noteContradiction(
  context: WatcherContext,
  verifier: Verifier,
  { number, ourId, contradicting, needed }: Noted,
): Promise<void> {
  const { client, network, lease, verifying } = verifier;
  for (const { node } of contradicting) {
    client.quarantine(node);
    const nodeIndex = client.nodes.indexOf(node);
    const isKnown = needed > 1 ? verifying.excluded.has(nodeIndex) : verifying.contradictions !== undefined;
    // One node is that of the node that leads.
    if (needed > 1) verifying.excluded.add(nodeIndex);
    if (!isKnown) raise(context, { number, ourId, nodes: node.label });
  }
  if (client.nodes.length - contradicting.length >= needed) {
    verifying.contradictions = undefined;
    return;
  }
  const nowMs = context.clock.monotonicMs();
  const { count, sinceMs } = verifying.contradictions ?? { count: 0, sinceMs: nowMs };
  verifying.contradictions = { count: count + 1, sinceMs };
  if (count + 1 < READS_BEFORE_HALT || nowMs - sinceMs < MIN_HALT_MS) return;
  const labels = (id: string) => contradicting.filter((one) => one.id === id).map(({ node }) => node.label);
  const [theirId = ""] = contradicting
    .map(({ id }) => id)
    .sort((a, b) => labels(b).length - labels(a).length);
  const halt = { network: network.name, number, ourId, theirId, nodes: labels(theirId).join(" and ") };
  await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await insertHalt(tx, halt);
  });
  throw new ScanHaltedError({ ...halt, haltedAt: new Date() });
}

/** An operator must look, whichever side is right. */
function raise(context: Context, where: { number: number; ourId: string; nodes: string }): void {
  context.metrics.alarms.inc({ alarm: "solid_contradiction" });
  context.log.error(
    {
      event: "solid_contradiction",
      block_number: where.number,
      block_id: where.ourId,
      nodes: where.nodes,
    },
    "nodes contradict a final block; they are used last",
  );
}
