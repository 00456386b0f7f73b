import { addressToHex } from "@daric/tron/address";
import type { NodeGroup, TronNode } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { decodeTransfers, type Transfer } from "../chain/decode-transfers.ts";
import { askInTime } from "./ask-in-time.ts";
import type { ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory, Shown } from "./clearance.ts";
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

type BlockStep = Pick<Step, "memory" | "place"> & { readonly solid: Pick<OurBlock, "number"> };

/** Whether a node, by its place, has not told of this block of ours in the last minute of blocks. */
export function isToAskFor({ blockId }: OurBlock, { memory, solid, place }: BlockStep): boolean {
  const shown = memory.shown.get(blockId)?.get(place);
  return shown?.transfers === undefined || solid.number - shown.askedAt >= BLOCKS_BETWEEN_ASKING;
}

/**
 * Remembers of a node, by its place, what it shows in these blocks of ours: of a few, and of each once a minute. First come those
 * that it was never asked for, then those that it was asked for longest ago, so that every one has its turn.
 */
export async function askForTransfers(
  node: TronNode,
  { client, blocks, usdtContractHex, ...step }: Omit<Step, "oldest">,
): Promise<void> {
  const { memory, place } = step;
  const askedAt = ({ blockId }: OurBlock) => memory.shown.get(blockId)?.get(place)?.askedAt ?? -1;
  const due = blocks.filter((block) => isToAskFor(block, step)).toSorted((a, b) => askedAt(a) - askedAt(b));
  for (const { number, blockId } of due.slice(0, MAX_BLOCKS)) {
    noteAsked(memory, { blockId, place, askedAt: step.solid.number });
    const told = await fetchOurs(node, client, { number, blockId });
    if (told === undefined) continue;
    const { transfers } = decodeTransfers(told, usdtContractHex);
    rememberShown(memory, { blockId, place, transfers, askedAt: step.solid.number });
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

type Asking = { readonly blockId: string; readonly place: number; readonly askedAt: number };

/** It may fail to answer: what it told before stands, and other blocks come first. */
function noteAsked({ shown }: ClearingMemory, { blockId, place, askedAt }: Asking): void {
  const ofBlock = shown.get(blockId) ?? new Map<number, Shown>();
  shown.set(blockId, ofBlock.set(place, { transfers: ofBlock.get(place)?.transfers, askedAt }));
}

/** Remembers what the node at this place shows in a block of ours. */
export function rememberShown(
  { shown }: ClearingMemory,
  { blockId, place, transfers, askedAt }: Asking & { readonly transfers: readonly Transfer[] },
): void {
  const shows = { transfers: new Set(transfers.map(keyOfTransfer)), askedAt };
  shown.set(blockId, (shown.get(blockId) ?? new Map()).set(place, shows));
}

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
  memory: Pick<ClearingMemory, "shown">,
): { shows: number; asked: number } {
  const told = toldOf(deposit, memory);
  const key = keyOfDeposit(deposit);
  return { shows: told.filter((transfers) => transfers.has(key)).length, asked: told.length };
}

/** What each node shows of this block of ours that has told of it. */
export function toldOf({ blockId }: Pick<OurBlock, "blockId">, { shown }: Pick<ClearingMemory, "shown">) {
  const nodes = [...(shown.get(blockId)?.values() ?? [])];
  return nodes.flatMap(({ transfers }) => transfers ?? []);
}

function keyOfTransfer({ txId, source, eventIndex, toHex, currency, units }: Transfer): string {
  return [txId, source, eventIndex, toHex, currency, units].join("/");
}

function keyOfDeposit({ txId, source, eventIndex, address, currency, amount }: UncoveredDeposit): string {
  return [txId, source, eventIndex, addressToHex(address), currency, amount].join("/");
}
