import { addressToHex } from "@daric/tron/address";
import type { NodeGroup, TronNode } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { decodeTransfers, type Transfer } from "../chain/decode-transfers.ts";
import { askInTime } from "./ask-in-time.ts";
import type { ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** Blocks that one step asks each node for at most, whole. */
const MAX_BLOCKS = 4;
/** A node is asked for the same block again once a minute of blocks. */
const BLOCKS_BETWEEN_ASKING = 20;

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
        await askForTransfers(node, step);
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

/** Remembers of a node, by its place, what it shows in these blocks of ours: of a few, and of each once a minute. */
export async function askForTransfers(
  node: TronNode,
  { client, memory, solid, blocks, place, usdtContractHex }: Omit<Step, "oldest">,
): Promise<void> {
  const isDue = ({ blockId }: OurBlock) => {
    const shown = memory.shown.get(blockId)?.get(place);
    return shown === undefined || solid.number - shown.askedAt >= BLOCKS_BETWEEN_ASKING;
  };
  for (const { number, blockId } of blocks.filter(isDue).slice(0, MAX_BLOCKS)) {
    const told = await fetchOurs(node, client, { number, blockId });
    if (told === undefined) continue;
    const { transfers } = decodeTransfers(told, usdtContractHex);
    rememberShown(memory, { blockId, place, transfers, askedAt: solid.number });
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

/** Remembers what the node at this place shows in a block of ours. */
export function rememberShown(
  { shown }: ClearingMemory,
  { blockId, place, transfers, askedAt }: ShownBy,
): void {
  const shows = { transfers: new Set(transfers.map(keyOfTransfer)), askedAt };
  shown.set(blockId, (shown.get(blockId) ?? new Map()).set(place, shows));
}

type ShownBy = {
  readonly blockId: string;
  readonly place: number;
  readonly transfers: readonly Transfer[];
  readonly askedAt: number;
};

/** The blocks of deposits, the oldest first. */
export function blocksOf(deposits: readonly UncoveredDeposit[]): OurBlock[] {
  const blocks = new Map(
    deposits.map(({ blockId, blockNumber: number }): [string, OurBlock] => [blockId, { number, blockId }]),
  );
  return [...blocks.values()];
}

/** How many nodes show this deposit in its block, and how many were asked. */
export function countShown(
  deposit: UncoveredDeposit,
  { shown }: ClearingMemory,
): { shows: number; asked: number } {
  const nodes = [...(shown.get(deposit.blockId)?.values() ?? [])];
  const key = keyOfDeposit(deposit);
  return { shows: nodes.filter(({ transfers }) => transfers.has(key)).length, asked: nodes.length };
}

function keyOfTransfer({ txId, source, eventIndex, toHex, currency, units }: Transfer): string {
  return [txId, source, eventIndex, toHex, currency, units].join("/");
}

function keyOfDeposit({ txId, source, eventIndex, address, currency, amount }: UncoveredDeposit): string {
  return [txId, source, eventIndex, addressToHex(address), currency, amount].join("/");
}
