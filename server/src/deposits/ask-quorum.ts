import { setTimeout as sleep } from "node:timers/promises";
import { addressToHex } from "@daric/tron/address";
import type { TronNode } from "../chain/chain-reader.ts";
import { decodeTransfers, type Transfer } from "../chain/decode-transfers.ts";
import { NodeError } from "../chain/node-error.ts";
import type { ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** Blocks that one step asks each node for at most, whole. */
const MAX_BLOCKS = 4;
/** A node is asked for the same block again once a minute of blocks. */
const BLOCKS_BETWEEN_ASKING = 20;
/** What a step waits for a node. */
const MAX_WAIT_MS = 3_000;
/** How long a node that failed is left alone. */
const REST_MS = 15_000;

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
  { clock }: Pick<WatcherContext, "clock">,
  { client, network }: Pick<Scanner, "client" | "network">,
  question: QuorumQuestion & { readonly memory: ClearingMemory },
): Promise<Agreement[]> {
  const { memory } = question;
  const { usdtContractHex } = network;
  return Promise.all(
    client.nodes.map(async (node, place) => {
      const nowMs = clock.monotonicMs();
      if ((memory.restsUntilMs.get(place) ?? 0) > nowMs) return "failed";
      const asking = askNode(node, { ...question, place, usdtContractHex });
      const answer = await Promise.race([asking, sleep(MAX_WAIT_MS, "failed" as const, { ref: false })]);
      if (answer === "failed") memory.restsUntilMs.set(place, nowMs + REST_MS);
      return answer;
    }),
  );
}

type Step = QuorumQuestion & {
  readonly memory: ClearingMemory;
  readonly place: number;
  readonly usdtContractHex: string;
};

async function askNode(node: TronNode, step: Step): Promise<Agreement> {
  try {
    const verdict = await askForName(node, step);
    await askForTransfers(node, step);
    return verdict;
  } catch (error) {
    if (error instanceof NodeError) return "failed";
    throw error;
  }
}

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
  { memory, solid, blocks, place, usdtContractHex }: Omit<Step, "oldest">,
): Promise<void> {
  const isDue = ({ blockId }: OurBlock) => {
    const shown = memory.shown.get(blockId)?.get(place);
    return shown === undefined || solid.number - shown.askedAt >= BLOCKS_BETWEEN_ASKING;
  };
  for (const { number, blockId } of blocks.filter(isDue).slice(0, MAX_BLOCKS)) {
    // Its time was judged when it was read, and is part of its id.
    const block = await node.fetchCompleteBlock(number, undefined, Number.POSITIVE_INFINITY);
    // Another block of that height says nothing of ours.
    if (block.header.id !== blockId) continue;
    const { transfers } = decodeTransfers(block, usdtContractHex);
    const shown = { transfers: new Set(transfers.map(keyOfTransfer)), askedAt: solid.number };
    memory.shown.set(blockId, (memory.shown.get(blockId) ?? new Map()).set(place, shown));
  }
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
