import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import { assertLease } from "../runtime/lease.ts";
import type { Context } from "./context.ts";
import { type Halt, insertHalt } from "./halt-store.ts";
import type { Scanner } from "./scanner.ts";

/** A node that stands alone says so this often, one time after the other, before it is more than an answer gone wrong. */
const MAX_TOLD_ALONE = 4;

/**
 * Thrown when a node's chain leaves ours at or below a block that was solid: a healthy chain cannot do that. The
 * scanner writes nothing and asks again; what is confirmed stays so.
 */
export class SolidContradictionError extends Error {
  override readonly name = "SolidContradictionError";
}

/** Thrown while the scanner is halted: nothing is read before an operator says so. */
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

/**
 * To be called when a node has told of another block than ours where ours is solid: asks the nodes in turn until one agrees
 * with us, and puts those that do not into quarantine. Where none agrees, the scanner halts if two say the same or there is
 * no other node; a lone one must say so several times.
 *
 * @throws ScanHaltedError when it halts.
 * @throws SolidContradictionError when none agrees and it does not halt yet.
 * @throws NodeError when no node answers.
 */
export async function requireAgreement(
  context: Context,
  scanner: Scanner,
  { number, ourId, readId }: SolidQuestion,
): Promise<void> {
  const { client } = scanner;
  const told: { node: string; id: string }[] = [];
  const question = async (node: TronNode): Promise<void> => {
    const id = await readId(node);
    if (id === ourId) return;
    if (id === undefined)
      throw new NodeError(`does not have block ${number}`, { fault: "behind", node: node.label });
    client.quarantine(node);
    told.push({ node: node.label, id });
    const message = `block ${number} is final as ${ourId}, and it has ${id}`;
    throw new NodeError(message, { fault: "contradicts_ours", node: node.label });
  };
  try {
    await client.ask(question);
  } catch (error) {
    if (told.length === 0) throw error;
    await haltOrWait(context, scanner, { number, ourId, told });
  }
  if (told.length > 0) raise(context, { number, ourId, nodes: told.map(({ node }) => node).join(", ") });
}

async function haltOrWait(
  context: Context,
  scanner: Scanner,
  { number, ourId, told }: Pick<SolidQuestion, "number" | "ourId"> & { told: { node: string; id: string }[] },
): Promise<never> {
  const { client, memory, network, lease } = scanner;
  const voices = (id: string) => told.filter((one) => one.id === id).map(({ node }) => node);
  const [theirId = ""] = told.map(({ id }) => id).sort((a, b) => voices(b).length - voices(a).length);
  const nodes = voices(theirId).join(" and ");
  const count = (memory.contradictions ?? 0) + 1;
  memory.contradictions = count;
  if (count === 1) raise(context, { number, ourId, nodes });
  const isAlone = client.nodes.length === 1;
  if (voices(theirId).length < 2 && !(isAlone && count >= MAX_TOLD_ALONE)) {
    throw new SolidContradictionError(
      `block ${number} is final as ${ourId} and ${theirId} to ${nodes}; nothing is read until they agree`,
    );
  }
  const halt = { network: network.name, number, ourId, theirId, nodes };
  await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await insertHalt(tx, halt);
  });
  throw new ScanHaltedError({ ...halt, haltedAt: new Date() });
}

/** Somebody must look, whoever is right. */
function raise(context: Context, where: { number: number; ourId: string; nodes: string }): void {
  context.metrics.alarms.inc({ alarm: "solid_contradiction" });
  context.log.error(
    { block_number: where.number, block_id: where.ourId, nodes: where.nodes },
    "a node contradicts a block that is final; it is asked last for ten minutes",
  );
}
