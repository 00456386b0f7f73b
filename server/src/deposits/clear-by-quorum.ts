import { unconfirmedDepositStatuses } from "../domain/deposit.ts";
import {
  type Agreement,
  askQuorum,
  type BlockStep,
  blocksOf,
  isToAskFor,
  type OurBlock,
} from "./ask-quorum.ts";
import { findBlock, type ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import { type Cleared, type ClearingMemory, clearingMemoryOf } from "./clearance.ts";
import { findCompared } from "./compare-store.ts";
import type { WatcherContext } from "./context.ts";
import { findPockets } from "./open-store.ts";
import type { Scanner } from "./scanner.ts";
import { countShown } from "./shown-transfers.ts";

type Waiting = {
  readonly quorum: number;
  readonly solid: ReadBlock;
  readonly uncovered: readonly UncoveredDeposit[];
};

/**
 * Clears what so many nodes agree on: each must have our solid block at its height, and so, by parent hashes, all blocks
 * of ours below; and each must show an uncovered deposit in its own telling of that block. A node that fails says nothing, and
 * nothing is cleared before its block was compared: a root does not cover how much of a direct payment arrived.
 * Every node is asked for one header a solid block, two where it lags, and for each block with uncovered deposits once, or
 * again and again, later and later, until it tells it.
 */
export async function clearByQuorum(
  context: WatcherContext,
  scanner: Scanner,
  { quorum, solid, uncovered }: Waiting,
): Promise<Cleared> {
  const memory = clearingMemoryOf(scanner);
  const { nodes } = scanner.client;
  const oldest = await findOldestWaiting(context, scanner, solid);
  const nothing = { reason: "quorum", isSure: false, cleared: [], lacking: [], isMoreToAsk: false } as const;
  if (oldest === undefined) return { ...nothing, keepsBack: false, upTo: solid.number };
  const final = uncovered.filter(({ blockNumber }) => blockNumber <= solid.number);
  const blocks = blocksOf(final);
  for (const blockId of memory.shown.keys())
    if (!blocks.some((block) => block.blockId === blockId)) memory.shown.delete(blockId);
  const verdicts = await askQuorum(context, scanner, { memory, solid, oldest, blocks });
  keepShort(context, scanner, { verdicts, memory, blocks });
  const named = nodes.map((_, place) => memory.named.get(place) ?? 0);
  const agreed = named.toSorted((a, b) => b - a)[quorum - 1] ?? 0;
  const upTo = Math.min(solid.number, agreed, (await findCompared(context.db, scanner.network.name)) ?? 0);
  const countOf = (verdict: Agreement) => verdicts.filter((one) => one === verdict).length;
  const counted = final.map((deposit) => ({ id: deposit.id, ...countShown(deposit, memory) }));
  const cleared = counted.filter(({ shows }) => shows >= quorum);
  const lacking = counted.filter(({ shows, asked }) => shows + nodes.length - asked < quorum);
  return {
    ...nothing,
    keepsBack: upTo < solid.number || cleared.length < final.length,
    upTo,
    isSure: countOf("agrees") + countOf("failed") < quorum,
    cleared: cleared.map(({ id }) => id),
    lacking: lacking.map(({ id }) => id),
    isMoreToAsk: verdicts.some(
      (verdict, place) =>
        verdict === "agrees" && blocks.some((block) => isUntold(block, { memory, solid, place })),
    ),
  };
}

/** Whether a node has not told this block, and was not asked for it in vain at this solid block already. */
function isUntold(block: OurBlock, step: BlockStep): boolean {
  const shown = step.memory.shown.get(block.blockId)?.get(step.place);
  return shown?.transfers === undefined && isToAskFor(block, step);
}

/** Our block in which the oldest deposit waits that solidity would let be confirmed. */
async function findOldestWaiting(
  { db }: Pick<WatcherContext, "db">,
  { network }: Scanner,
  { number: to }: ReadBlock,
): Promise<ReadBlock | undefined> {
  const pockets = await findPockets(db, { network: network.name, statuses: unconfirmedDepositStatuses, to });
  if (pockets.length === 0) return undefined;
  const number = Math.min(...pockets.map(({ blockNumber }) => blockNumber));
  return findBlock(db, { network: network.name, number });
}

const faults: Readonly<Record<Exclude<Agreement, "agrees">, string>> = {
  lags: "does not have our solid block yet",
  differs: "has another block than ours where ours is solid",
  failed: "does not answer",
};

/** A block names all below it, so that one of the two answers of such a node is a lie. */
const CONTRADICTS_ITSELF = "names our solid block, and tells another block than ours below it";
const TELLS_NOTHING = "does not tell a block of ours in which a payment waits";

type Answers = {
  readonly verdicts: readonly Agreement[];
  readonly memory: ClearingMemory;
  readonly blocks: readonly OurBlock[];
};

/** Keeps which nodes a quorum lacks and why, for whoever asks; of one that contradicts itself it is said once. */
function keepShort(
  { metrics, log }: Pick<WatcherContext, "metrics" | "log">,
  { client }: Scanner,
  { verdicts, memory, blocks }: Answers,
): void {
  const known = memory.short;
  memory.short = verdicts.flatMap((verdict, place) => {
    const node = client.nodes[place]?.label ?? "";
    const fault = verdict === "agrees" ? faultOfTelling({ memory, blocks, place }) : faults[verdict];
    metrics.quorumShort.set({ node }, fault === undefined ? 0 : 1);
    if (fault === undefined) return [];
    const words = `${node} ${fault}`;
    if (fault === CONTRADICTS_ITSELF && !known.includes(words))
      log.error({ node }, "a node names our solid block and tells another block below it");
    return [words];
  });
}

/** What is wrong with what a node that names our solid block has told of these below it; undefined where nothing is. */
function faultOfTelling({ memory, blocks, place }: Told): string | undefined {
  const shown = blocks.flatMap(({ blockId }) => memory.shown.get(blockId)?.get(place) ?? []);
  if (shown.some(({ isOther }) => isOther)) return CONTRADICTS_ITSELF;
  return shown.some(({ transfers }) => transfers === undefined) ? TELLS_NOTHING : undefined;
}

type Told = Omit<Answers, "verdicts"> & { readonly place: number };
