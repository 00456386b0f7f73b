import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { assertLease } from "@daric/runtime/lease";
import { raiseNodeAlarm } from "@daric/runtime/metrics";
import type { Context, WatcherContext } from "../context.ts";
import { answersNeeded } from "../settings.ts";
import { type Halt, insertHalt } from "./halt-store.ts";
import type { NodeStanding } from "./state.ts";
import type { Verifier } from "./verifier.ts";

/** Reading halts after this many reads in a row, over at least this time, in which too few nodes remain. */
const READS_BEFORE_HALT = 4;
const MIN_HALT_MS = 60_000;

/** A node's chain leaves ours at or below a verified block, which a healthy chain cannot do. Nothing is written; the step is retried. */
export class SolidContradictionError extends Error {
  override readonly name = "SolidContradictionError";
}

/** Reading is halted until an operator resumes it. */
export class ScanHaltedError extends Error {
  override readonly name = "ScanHaltedError";

  constructor({ number, ourId, theirId, nodes, haltedAt }: Omit<Halt, "resumedAt">) {
    super(
      `reading is halted since ${haltedAt.toISOString()}: block ${number}, which was final as ${ourId}, is ${theirId} to ` +
        `${nodes}. Nothing is read or confirmed, and what is confirmed stays. Find out which of the two the network has ` +
        "(a block explorer, another node); if the nodes are wrong, correct TRON_NODE_URLS; then `daric scan resume` " +
        "continues on the nodes' chain",
    );
  }
}

/** A verified block of ours, and the call that reads a node's id at its height. */
type SolidCheck = {
  readonly number: number;
  readonly ourId: string;
  readonly readId: (node: TronNode) => Promise<string | undefined>;
};

type Contradiction = { readonly node: TronNode; readonly id: string };

/** `failure`: set if no node agrees, and the scan is not halted yet. */
export type Agreement = {
  readonly standing: NodeStanding;
  readonly failure: SolidContradictionError | undefined;
};

/**
 * Queries the nodes in turn until one agrees with our verified block, and excludes those that contradict it.
 *
 * @throws ScanHaltedError if the scan is halted now.
 * @throws NodeError if no node answers.
 */
export async function checkAgreement(
  context: WatcherContext,
  verifier: Verifier,
  { number, ourId, readId, standing }: SolidCheck & { readonly standing: NodeStanding },
): Promise<Agreement> {
  const { client } = verifier;
  const contradicting: Contradiction[] = [];
  const compare = async (node: TronNode): Promise<void> => {
    const id = await readId(node);
    if (id === ourId) return;
    if (id === undefined)
      throw new NodeError(`does not have block ${number}`, { fault: "behind", node: node.label });
    contradicting.push({ node, id });
    const message = `block ${number} is final as ${ourId}, and it has ${id}`;
    throw new NodeError(message, { fault: "contradicts_ours", node: node.label });
  };
  const needed = answersNeeded(context.config.deposits, client.nodes.length);
  const failure = await client.query(compare).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure !== undefined && contradicting.length === 0) throw failure;
  const judged = await judgeContradictions(context, verifier, {
    number,
    ourId,
    contradicting,
    needed,
    standing,
  });
  if (failure === undefined) return { standing: judged, failure };
  const nodes = contradicting.map(({ node }) => node.label).join(" and ");
  const message = `block ${number} is final as ${ourId} and ${contradicting[0]?.id} to ${nodes}; nothing is read until they agree`;
  return { standing: judged, failure: new SolidContradictionError(message) };
}

type Judged = {
  readonly number: number;
  readonly ourId: string;
  readonly contradicting: readonly Contradiction[];
  readonly needed: number;
  readonly standing: NodeStanding;
};

/**
 * Excludes nodes that contradict a verified block. Reading halts if fewer than `needed` nodes remain in four reads in a row, over at
 * least a minute.
 *
 * @throws ScanHaltedError if the scan is halted now.
 */
export async function judgeContradictions(
  context: WatcherContext,
  { client, network, lease }: Pick<Verifier, "client" | "network" | "lease">,
  { number, ourId, contradicting, needed, standing }: Judged,
): Promise<NodeStanding> {
  const excluded = new Set(standing.excluded);
  for (const { node } of contradicting) {
    client.quarantine(node);
    const nodeIndex = client.nodes.indexOf(node);
    const isKnown = needed > 1 ? excluded.has(nodeIndex) : standing.contradictions !== undefined;
    // With a quorum of one the node stays in use: excluding the only one would stop reading.
    if (needed > 1) excluded.add(nodeIndex);
    if (!isKnown) raise(context, { number, ourId, nodes: node.label });
  }
  if (client.nodes.length - contradicting.length >= needed)
    return { ...standing, excluded, contradictions: undefined };
  const nowMs = context.clock.monotonicMs();
  const { count, sinceMs } = standing.contradictions ?? { count: 0, sinceMs: nowMs };
  if (count + 1 < READS_BEFORE_HALT || nowMs - sinceMs < MIN_HALT_MS)
    return { ...standing, excluded, contradictions: { count: count + 1, sinceMs } };
  const labels = (id: string) =>
    contradicting.filter((block) => block.id === id).map(({ node }) => node.label);
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

function raise(context: Context, where: { number: number; ourId: string; nodes: string }): void {
  const words = `${where.nodes}: another block than the final block ${where.number}`;
  raiseNodeAlarm(context.metrics, { alarm: "solid_contradiction", words });
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
