import type { Queryable } from "@daric/postgres/sql";
import { InvalidBlockError, NodeError } from "../chain/blocks/node-error.ts";
import { fewestChecksFirst } from "../chain/nodes/block-overrides.ts";
import type { NodeGroup, TronNode } from "../chain/nodes/chain-reader.ts";
import { type AcceptedBlock, findAccepted, insertAccepted } from "./override-store.ts";

/** Blocks above the named one that one word may cover: a day of them. */
export const MAX_BLOCKS_ABOVE = 28_800;

/** A block that is not to be taken, with what each node says of it. */
export class NotAcceptableError extends Error {
  override readonly name = "NotAcceptableError";
  readonly reasons: readonly string[];

  constructor(message: string, reasons: readonly string[]) {
    super(message);
    this.reasons = reasons;
  }
}

/** Which block, how many above it, and who says why. */
export type AcceptRequest = {
  readonly network: string;
  readonly blockId: string;
  readonly blocksAbove: number;
  readonly reason: string;
  readonly acceptedBy: string;
};

/**
 * Keeps an operator's word that a block is to be taken as it is told although checks of it fail: those that fail now, at the
 * node that tells the block of this very id with the fewest of them, and no others: no lie of another node adds to them. What is recorded of it no root covers, so that each deposit must
 * be shown by balance or quorum. Its id and its parent are proven as of any block.
 *
 * @throws NotAcceptableError when a node shows it whole, or none tells it in a way that could be taken.
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
  const whole = answers.find(({ isWhole }) => isWhole);
  if (whole !== undefined) throw new NotAcceptableError("there is nothing to accept", [whole.description]);
  const [best] = fewestChecksFirst(answers.filter((answer) => answer.checks.length > 0));
  if (best === undefined)
    throw new NotAcceptableError("no node tells this block in a way that could be accepted", reasons);
  const { reason, acceptedBy } = request;
  const until = blockNumber + Math.min(blocksAbove, MAX_BLOCKS_ABOVE);
  const nodeFaults = reasons.join("; ");
  const { checks } = best;
  const accepted = { blockId, blockNumber, until, checks, nodeFaults, reason, acceptedBy };
  await insertAccepted(db, network, accepted);
  return { ...accepted, acceptedAt: new Date() };
}

/** What a watcher does not read on its own account, from now on. */
export async function loadOverrides(
  db: Queryable,
  { client, network }: { client: NodeGroup; network: { name: string } },
): Promise<void> {
  client.overrides.replace(await findAccepted(db, network.name));
}

/** The first eight bytes of a block's id. */
function numberOf(blockId: string): number {
  return Number.parseInt(blockId.slice(0, 16), 16);
}

type Answer = {
  readonly description: string;
  readonly isWhole: boolean;
  readonly checks: InvalidBlockError["checks"];
};

async function checkNode(node: TronNode, blockId: string): Promise<Answer> {
  const answer = (description: string): Answer => ({
    description: `${node.label}: ${description}`,
    isWhole: false,
    checks: [],
  });
  try {
    const { header } = await node.fetchCompleteBlock(numberOf(blockId));
    if (header.id !== blockId) return answer(`has another block of this height, ${header.id}`);
    return { ...answer("shows the block whole, and it is read from there"), isWhole: true };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (!(error instanceof InvalidBlockError)) return { ...answer(""), description: error.safeMessage };
    const { id } = error.block.header;
    if (id !== blockId) return answer(`has another block of this height, ${id}`);
    return { description: error.safeMessage, isWhole: false, checks: error.checks };
  }
}
