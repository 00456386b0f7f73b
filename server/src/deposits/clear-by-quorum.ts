import { unconfirmedDepositStatuses } from "../domain/deposit.ts";
import { type Agreement, askQuorum, blocksOf, countShown, toldOf } from "./ask-quorum.ts";
import { findBlock, type ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import { type Clearance, type ClearingMemory, createClearingMemory } from "./clearance.ts";
import { findCompared } from "./compare-store.ts";
import type { WatcherContext } from "./context.ts";
import { findPockets } from "./open-store.ts";
import type { Scanner } from "./scanner.ts";

type Waiting = {
  readonly quorum: number;
  readonly solid: ReadBlock;
  readonly uncovered: readonly UncoveredDeposit[];
};

/**
 * Clears what so many nodes agree on: each must have our solid block at its height, and so, by parent hashes, all blocks
 * of ours below; and each must show an uncovered deposit in its own telling of that block. A node that fails says nothing, and
 * nothing is cleared before its block was compared: a root does not cover how much of a direct payment arrived.
 * Every node is asked for one header a solid block, two where it lags, and for each block with uncovered deposits once.
 */
export async function clearByQuorum(
  context: WatcherContext,
  scanner: Scanner,
  { quorum, solid, uncovered }: Waiting,
): Promise<Clearance> {
  scanner.memory.clearing ??= createClearingMemory();
  const memory = scanner.memory.clearing;
  const { nodes } = scanner.client;
  const oldest = await findOldestWaiting(context, scanner, solid);
  const nothing = { reason: "quorum", isSure: false, cleared: [], lacking: [], isMoreToAsk: false } as const;
  if (oldest === undefined) return { ...nothing, keepsBack: false, upTo: solid.number };
  const final = uncovered.filter(({ blockNumber }) => blockNumber <= solid.number);
  const blocks = blocksOf(final);
  for (const blockId of memory.shown.keys())
    if (!blocks.some((block) => block.blockId === blockId)) memory.shown.delete(blockId);
  const verdicts = await askQuorum(context, scanner, { memory, solid, oldest, blocks });
  keepShort(context, scanner, { verdicts, memory });
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
    isMoreToAsk: blocks.some((block) => toldOf(block, memory).length < countOf("agrees")),
  };
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

/** Keeps which nodes a quorum lacks and why, for whoever asks. */
function keepShort(
  { metrics }: Pick<WatcherContext, "metrics">,
  { client }: Scanner,
  { verdicts, memory }: { verdicts: readonly Agreement[]; memory: ClearingMemory },
): void {
  memory.short = verdicts.flatMap((verdict, place) => {
    const node = client.nodes[place]?.label ?? "";
    metrics.quorumShort.set({ node }, verdict === "agrees" ? 0 : 1);
    return verdict === "agrees" ? [] : [`${node} ${faults[verdict]}`];
  });
}
