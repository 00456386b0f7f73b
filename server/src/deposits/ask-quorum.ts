import type { NodeGroup, TronNode } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { decodeTransfers } from "../chain/decode-transfers.ts";
import { askInTime } from "./ask-in-time.ts";
import type { ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";
import { NEVER, noteAsked, rememberShown } from "./shown-transfers.ts";

/** Blocks that one step asks each node for at most, whole. */
const MAX_BLOCKS = 4;
/** A node is asked for the same block again once a minute of blocks. */
const BLOCKS_BETWEEN_ASKING = 20;
/** One that it has not told of is asked for sooner while it is young: after this part of the blocks that lie above it. */
const ASKED_SOONER = 10;

/** A block of ours. */
export type OurBlock = Pick<ReadBlock, "number" | "blockId">;

/** What the nodes are asked: whether they have these blocks of ours, and what they show in those. */
export type QuorumQuestion = {
  readonly solid: OurBlock;
  /** asked for instead where a node does not have the solid one yet */
  readonly oldest: OurBlock;
  readonly blocks: readonly OurBlock[];
};

/** What became of asking a node whether it has our solid block. */
export type Agreement = "agrees" | "lags" | "differs" | "failed";

/**
 * Asks every node, side by side and for 3 s at most, and remembers what they say. One that fails is left alone for a while.
 */
export async function askQuorum(
  context: Pick<WatcherContext, "clock">,
  { client, network }: Pick<Scanner, "client" | "network">,
  question: QuorumQuestion & { readonly memory: ClearingMemory },
): Promise<Agreement[]> {
  const { usdtContractHex } = network;
  const { memory } = question;
  return Promise.all(
    client.nodes.map(async (node, place) => {
      const answer = await askInTime(context, { node, place, memory }, async () => {
        const step = { ...question, client, place, usdtContractHex };
        const verdict = await askForName(node, step);
        await askForTransfers(node, { ...step, left: blocksToAskFor(question.blocks, step) });
        return verdict;
      });
      return answer ?? "failed";
    }),
  );
}

type Step = QuorumQuestion & {
  readonly client: Pick<NodeGroup, "acceptances">;
  readonly memory: ClearingMemory;
  readonly place: number;
  readonly usdtContractHex: string;
};

async function askForName(node: TronNode, { memory, solid, oldest, place }: Step): Promise<Agreement> {
  const known = memory.named.get(place) ?? 0;
  if (known >= solid.number) return "agrees";
  const atSolid = await node.getHeader(solid.number);
  const asked = atSolid === undefined ? oldest : solid;
  const header = atSolid ?? (await node.getHeader(oldest.number));
  if (header?.id === asked.blockId) memory.named.set(place, Math.max(known, asked.number));
  else if (header !== undefined) return "differs";
  return atSolid === undefined ? "lags" : "agrees";
}

/** Which node is asked, by its place, and at which solid block. */
export type BlockStep = Pick<Step, "memory" | "place"> & { readonly solid: Pick<OurBlock, "number"> };

/**
 * Whether a node, by its place, is to be asked for this block of ours: of what it has told once a minute of blocks, and of what
 * it has not told after a tenth of the time since the block was made; with the next solid block at the soonest and after a
 * minute of blocks at the latest. So it is found by then at which a node tells it again.
 */
export function isToAskFor({ blockId, number }: OurBlock, { memory, solid, place }: BlockStep): boolean {
  const shown = memory.shown.get(blockId)?.get(place);
  if (shown === undefined) return true;
  const sooner = Math.max(1, Math.floor((solid.number - number) / ASKED_SOONER));
  const wait =
    shown.transfers === undefined ? Math.min(sooner, BLOCKS_BETWEEN_ASKING) : BLOCKS_BETWEEN_ASKING;
  return solid.number - shown.askedAt >= wait;
}

/**
 * Those of the blocks that a node is asked for in this step: a few. First come those that it was never asked for, then those that
 * it was asked for longest ago, so that every one has its turn.
 */
export function blocksToAskFor(blocks: readonly OurBlock[], step: BlockStep): Set<OurBlock> {
  const { memory, place } = step;
  const askedAt = ({ blockId }: OurBlock) => memory.shown.get(blockId)?.get(place)?.askedAt ?? NEVER;
  const due = blocks.filter((block) => isToAskFor(block, step)).toSorted((a, b) => askedAt(a) - askedAt(b));
  return new Set(due.slice(0, MAX_BLOCKS));
}

/** Asks a node for blocks of ours, remembers what it shows in them, and takes those that it has told out of `left`. */
export async function askForTransfers(
  node: TronNode,
  { client, left, usdtContractHex, ...step }: Omit<Step, "oldest" | "blocks"> & { left: Set<OurBlock> },
): Promise<void> {
  const { memory, place } = step;
  for (const block of [...left]) {
    const asking = { blockId: block.blockId, place, askedAt: step.solid.number };
    noteAsked(memory, asking);
    const told = await fetchOurs(node, client, block);
    if (told === undefined) {
      noteAsked(memory, { ...asking, isOther: true });
      continue;
    }
    left.delete(block);
    const { transfers } = decodeTransfers(told, usdtContractHex);
    rememberShown(memory, { ...asking, transfers });
  }
}

/** Our block as this node tells it; undefined where it has another one, which says nothing of ours. */
export async function fetchOurs(
  node: TronNode,
  { acceptances }: Pick<NodeGroup, "acceptances">,
  { number, blockId }: OurBlock,
): Promise<CompleteBlock | undefined> {
  // Its time was judged when it was read, and is part of its id.
  const asking = node.fetchCompleteBlock(number, undefined, Number.POSITIVE_INFINITY);
  const told = await asking.catch(acceptances.take);
  return told.header.id === blockId ? told : undefined;
}

/** The blocks of deposits, the oldest first. */
export function blocksOf(deposits: readonly Pick<UncoveredDeposit, "blockId" | "blockNumber">[]): OurBlock[] {
  const blocks = new Map(
    deposits.map(({ blockId, blockNumber: number }): [string, OurBlock] => [blockId, { number, blockId }]),
  );
  return [...blocks.values()];
}
