import { InvalidBlockError, NodeError } from "@daric/chain/blocks/node-error";
import { fewestChecksFirst } from "@daric/chain/nodes/block-overrides";
import type { NodeGroup, TronNode } from "@daric/chain/nodes/chain-reader";
import type { Queryable } from "@daric/postgres/sql";
import { type AcceptedBlock, findOverrides, insertOverride } from "./override-store.ts";

/** The most blocks above the named one that one override may cover: a day. */
export const MAX_BLOCKS_ABOVE = 28_800;

/** A block that cannot be overridden, with each node's answer. */
export class NotAcceptableError extends Error {
  override readonly name = "NotAcceptableError";
  readonly reasons: readonly string[];

  constructor(message: string, reasons: readonly string[]) {
    super(message);
    this.reasons = reasons;
  }
}

export type AcceptRequest = {
  readonly network: string;
  readonly blockId: string;
  readonly blocksAbove: number;
  readonly reason: string;
  readonly acceptedBy: string;
};

/**
 * Stores an operator's override of a block for the checks that fail now. They are those of the node whose answer fails the fewest,
 * so that no lie of another node adds to them. None of the block's transfers is Merkle-proven afterwards.
 *
 * @throws NotAcceptableError if a node has the complete block, or no node has one that an override could cover.
 */
export async function acceptBlock(
  db: Queryable,
  { nodes }: Pick<NodeGroup, "nodes">,
  request: AcceptRequest,
): Promise<AcceptedBlock> {
  const { blockId, blocksAbove, network } = request;
  const blockNumber = numberOf(blockId);
  const answers = await Promise.all(nodes.map((node) => checkNode(node, blockId)));
  const reasons = answers.map(({ description }) => description);
  const complete = answers.find(({ isComplete }) => isComplete);
  if (complete !== undefined)
    throw new NotAcceptableError("the block needs no override", [complete.description]);
  const [best] = fewestChecksFirst(answers.filter((answer) => answer.checks.length > 0));
  if (best === undefined)
    throw new NotAcceptableError("no node has this block with faults that can be overridden", reasons);
  const { reason, acceptedBy } = request;
  const until = blockNumber + Math.min(blocksAbove, MAX_BLOCKS_ABOVE);
  const nodeFaults = reasons.join("; ");
  const { checks } = best;
  const accepted = { blockId, blockNumber, until, checks, nodeFaults, reason, acceptedBy };
  await insertOverride(db, network, accepted);
  return { ...accepted, acceptedAt: new Date() };
}

export async function loadOverrides(
  db: Queryable,
  { client, network }: { client: NodeGroup; network: { name: string } },
): Promise<void> {
  client.overrides.replace(await findOverrides(db, network.name));
}

function numberOf(blockId: string): number {
  return Number.parseInt(blockId.slice(0, 16), 16);
}

type Answer = {
  readonly description: string;
  readonly isComplete: boolean;
  readonly checks: InvalidBlockError["checks"];
};

async function checkNode(node: TronNode, blockId: string): Promise<Answer> {
  const answer = (description: string): Answer => ({
    description: `${node.label}: ${description}`,
    isComplete: false,
    checks: [],
  });
  try {
    const { header } = await node.fetchCompleteBlock(numberOf(blockId));
    if (header.id !== blockId) return answer(`has another block of this height, ${header.id}`);
    return { ...answer("has the complete block, which the watcher reads from it"), isComplete: true };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (!(error instanceof InvalidBlockError)) return { ...answer(""), description: error.safeMessage };
    const { id } = error.block.header;
    if (id !== blockId) return answer(`has another block of this height, ${id}`);
    return { description: error.safeMessage, isComplete: false, checks: error.checks };
  }
}
