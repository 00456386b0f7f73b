import { type AskedBlock, askSomeNodes, type NodeTelling } from "./ask-some-nodes.ts";
import { findComparableIn, type UncoveredDeposit } from "./clear-store.ts";
import { type ClearingMemory, clearingMemoryOf } from "./clearance.ts";
import { findUncompared, saveCompared, setComparing, type UncomparedBlock } from "./compare-store.ts";
import type { WatcherContext } from "./context.ts";
import { judgeTellings, placeOf } from "./judge-tellings.ts";
import { matchable, matchBlocks } from "./match-transfers.ts";
import { mendBlock } from "./mend-block.ts";
import type { Scanner } from "./scanner.ts";
import { rememberShown } from "./shown-transfers.ts";
import type { Sighting } from "./store.ts";

/** Blocks that one look compares at most, side by side: as many as are read while that is not done. */
const MAX_BLOCKS = 12;

/** A node that tells another block than ours is waited for until so many lie above ours that can be compared: 10 minutes. */
const BLOCKS_WAITED = 200;

/**
 * With a quorum, finds what the node that a block was read from has hidden or bent of what no root covers: so many nodes as
 * the quorum has are asked for each block of ours up to one, once, and what any of them shows is recorded, but for what one
 * shows alone against a quorum. Where they differ from each other or from what was read, all others are asked too, and what a
 * quorum shows in the place of a deposit takes that deposit out of the chain: it is read anew, or fails; so does a log that a
 * quorum tells the block without. Of a quorum one node
 * at least is honest, so that nothing stays hidden.
 *
 * Of blocks that cannot be compared now the first is where the next look begins. Without a quorum nothing is asked. Answers
 * whether there are more to compare at once.
 */
export async function findHidden(
  context: WatcherContext,
  scanner: Scanner,
  { to }: { to: number },
): Promise<boolean> {
  const network = scanner.network.name;
  const { quorum } = context.config.deposits;
  const isComparing = quorum !== undefined;
  if (scanner.memory.isComparing !== isComparing) await setComparing(context.db, { network, isComparing });
  scanner.memory.isComparing = isComparing;
  if (!isComparing) return false;
  const memory = clearingMemoryOf(scanner);
  const limit = memory.comparedAtOnce;
  const waiting = await findUncompared(context.db, { network, to, limit: limit + 1 });
  // Another watcher, that has no quorum, may have been between.
  if (waiting.length === 0) scanner.memory.isComparing = undefined;
  const blocks = waiting.slice(0, limit);
  const asked = await Promise.all(
    blocks.map((block) => askSomeNodes(context, scanner, { block, memory, count: quorum })),
  );
  const comparable = await findComparableIn(context.db, { network, blocks });
  let done = 0;
  for (const one of asked) {
    if (one.tellings.length < quorum && !one.block.isEmpty) break;
    const stored = comparable.filter(({ blockId }) => blockId === one.block.blockId);
    const isLongAgo = to - one.block.number >= BLOCKS_WAITED;
    if (!(await compare(context, scanner, { ...one, stored, quorum, memory, isLongAgo }))) break;
    done += 1;
  }
  memory.comparedAtOnce = Math.min(MAX_BLOCKS, Math.max(1, 2 * done));
  const number = blocks[done - 1]?.number;
  if (number === undefined) return false;
  await saveCompared(context.db, { network, number });
  return done === limit && waiting.length > limit;
}

type Comparison = Omit<AskedBlock, "others"> & {
  readonly stored: readonly UncoveredDeposit[];
  readonly quorum: number;
  readonly memory: ClearingMemory;
  readonly isLongAgo: boolean;
};

/** Records what the books lack of a block; answers whether it is done with. */
async function compare(
  context: WatcherContext,
  scanner: Scanner,
  { block, tellings, stored, quorum, memory, isLongAgo }: Comparison,
): Promise<boolean> {
  const network = scanner.network.name;
  const first = await matchComparable(context, network, tellings);
  if (isAsStored(stored, first)) return true;
  const count = scanner.client.nodes.length;
  const all = await askSomeNodes(context, scanner, { block, memory, count, known: tellings });
  for (const { place, moves } of all.tellings)
    rememberShown(memory, { ...block, place, transfers: moves.transfers, askedAt: block.number });
  const shown = await matchComparable(context, network, all.tellings);
  // Who has another block there says nothing of ours, and in the end is not waited for.
  const nodes = isLongAgo ? count - all.others : count;
  const judgement = judgeTellings(stored, shown, { quorum, nodes });
  for (const [index, { place }] of all.tellings.entries()) {
    const alone = judgement.lone.filter((one) => shown[index]?.some((two) => placeOf(two) === placeOf(one)));
    reportLone(context, { block, node: scanner.client.nodes[place]?.label, transfers: alone.length });
  }
  const [telling] = all.tellings;
  if (telling !== undefined && judgement.missing.length + judgement.refuted.length > 0)
    await mendBlock(context, scanner, { telling, judgement });
  // Who has not answered may decide it later; where all have, nobody can.
  return !judgement.isDisputed || all.tellings.length === nodes;
}

/** Whoever the block was read from has hidden nothing that a quorum knows of: it is this node that stands alone. */
function reportLone(
  { metrics, log }: WatcherContext,
  { block, node, transfers }: { block: UncomparedBlock; node: string | undefined; transfers: number },
): void {
  if (transfers === 0) return;
  metrics.alarms.inc({ alarm: "lone_transfer" });
  log.error(
    { block_number: block.number, node, transfers },
    "a node shows payments in a block that no quorum of the nodes shows",
  );
}

/**
 * What each of them shows of transfers to us, but for native ones that a root covers: of a log it covers who paid whom, and not
 * what the token kept as a fee.
 */
async function matchComparable(
  { db }: WatcherContext,
  network: string,
  tellings: readonly NodeTelling[],
): Promise<readonly Sighting[][]> {
  const blocks = tellings.map(({ block, moves: { transfers } }) =>
    matchable({
      network,
      block,
      transfers: transfers.filter(({ isCovered, source }) => !isCovered || source === "log"),
      spent: [],
      owned: [],
      unsupported: [],
    }),
  );
  return (await matchBlocks(db, blocks)).map((matches) => [...matches().sightings]);
}

function isAsStored(stored: readonly UncoveredDeposit[], tellings: readonly Sighting[][]): boolean {
  const keyOf = ({ id, amount }: Pick<Sighting, "id" | "amount">) => `${id}/${amount}`;
  const keys = new Set(stored.map(keyOf));
  return tellings.every((shown) => shown.length === keys.size && shown.every((one) => keys.has(keyOf(one))));
}
