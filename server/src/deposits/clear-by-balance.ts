import { askBalances, type SolidBalances } from "./ask-balances.ts";
import { inTime } from "./ask-in-time.ts";
import { askForTransfers, blocksOf, countShown, isToAskFor, type OurBlock } from "./ask-quorum.ts";
import type { Cursor, ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import { type Clearance, type ClearingMemory, createClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import { groupPurses, type PurseGroup } from "./group-purses.ts";
import { findBacked } from "./judge-balance.ts";
import { findMovements, type PurseMovement, wholeOf } from "./movement-store.ts";
import type { Scanner } from "./scanner.ts";

/** Purses that one step asks about at most; with the next look there are more. */
const MAX_PURSES = 20;
/** Where what is shown in blocks that were read again is remembered: whichever node tells of them. */
const PLACE = 0;

type Waiting = {
  readonly cursor: Cursor;
  readonly solid: ReadBlock;
  readonly uncovered: readonly UncoveredDeposit[];
};

/**
 * Clears uncovered deposits whose addresses hold them: the solid balance of each address is asked for once per solid
 * block, and compared with what our own blocks show to have come and left up to the height of the answer. Where it does not
 * hold them all, their blocks are read again, and what is not shown any more is left out. A node that fails, or whose solid
 * block lies above what we have read, says nothing: asked again later.
 */
export async function clearByBalance(
  context: Pick<WatcherContext, "db" | "clock">,
  scanner: Scanner,
  { cursor, solid, uncovered }: Waiting,
): Promise<Clearance> {
  scanner.memory.clearing ??= createClearingMemory();
  const memory = scanner.memory.clearing;
  const groups = groupPurses(uncovered);
  forgetAllBut(memory, groups);
  const due = groups.filter((group) => isDue(group, solid, memory));
  const asked = due
    .toSorted((a, b) => (memory.askedAt.get(a.key) ?? 0) - (memory.askedAt.get(b.key) ?? 0))
    .slice(0, MAX_PURSES);
  const balances = asked.length === 0 ? undefined : await askBalances(context, scanner, asked);
  const final = uncovered.filter(({ blockNumber }) => blockNumber <= solid.number);
  const found = { reason: "balance", upTo: solid.number, isSure: true } as const;
  if (balances === undefined || balances.to > cursor.number)
    return { ...found, keepsBack: final.length > 0, cleared: [], lacking: [], isMoreToAsk: false };
  const facts = await findFacts(context, scanner, { groups: asked, balances });
  for (const { group } of facts) memory.askedAt.set(group.key, solid.number);
  // What the node's solid block may not have yet does not lack.
  const bounds = { heldAt: balances.to, sureTo: Math.min(balances.from, solid.number) };
  const doubtful = judgeAll(facts, bounds, memory).lacking;
  if (doubtful.length > 0) await lookAgain(scanner, { memory, solid, blocks: blocksOf(doubtful) });
  const { cleared, lacking } = judgeAll(facts, bounds, memory);
  for (const id of idsOf(lacking)) memory.lacked.add(id);
  const clearedIds = idsOf(cleared);
  return {
    ...found,
    keepsBack: final.some(({ id }) => !clearedIds.includes(id)),
    cleared: clearedIds,
    lacking: idsOf(lacking),
    isMoreToAsk: due.length > facts.length,
  };
}

/** What is known of one purse: what lies in it, and what our blocks show to have come and left. */
type Facts = {
  readonly group: PurseGroup;
  readonly balance: bigint;
  readonly movement: PurseMovement;
  /** from the first block on; the same as `movement` where no deposit is late */
  readonly ever: PurseMovement;
};

/** Of the first purses, as many as there are balances of. */
async function findFacts(
  { db }: Pick<WatcherContext, "db">,
  { network }: Scanner,
  { groups, balances }: { groups: readonly PurseGroup[]; balances: SolidBalances },
): Promise<Facts[]> {
  const purses = groups.slice(0, balances.units.length);
  const upTo = { network: network.name, cameTo: balances.to, leftTo: balances.from };
  const movements = await findMovements(db, { ...upTo, purses });
  const late = purses.filter(({ deposits }) => deposits.some(({ isLate }) => isLate));
  const everMoved = await findMovements(db, { ...upTo, purses: late.map(wholeOf), isProven: true });
  return purses.flatMap((group, place) => {
    const [balance, movement] = [balances.units[place], movements[place]];
    if (balance === undefined || movement === undefined) return [];
    return { group, balance, movement, ever: everMoved[late.indexOf(group)] ?? movement };
  });
}

/** To which height the balances hold what came, and to which one it lacks for sure that they do not hold. */
type Bounds = { readonly heldAt: number; readonly sureTo: number };

type Verdict = {
  readonly cleared: readonly UncoveredDeposit[];
  readonly lacking: readonly UncoveredDeposit[];
};

function judgeAll(facts: readonly Facts[], { heldAt, sureTo }: Bounds, memory: ClearingMemory): Verdict {
  const judged = facts.map(({ group, ...purse }) => {
    const deposits = group.deposits.filter(({ blockNumber }) => blockNumber <= heldAt);
    const cleared = findBacked(
      deposits.map((deposit) => asJudged(deposit, memory)),
      purse,
    );
    const ids = idsOf(cleared);
    return {
      cleared,
      lacking: deposits.filter(({ id, blockNumber }) => blockNumber <= sureTo && !ids.includes(id)),
    };
  });
  return {
    cleared: judged.flatMap(({ cleared }) => cleared),
    lacking: judged.flatMap(({ lacking }) => lacking),
  };
}

function asJudged(deposit: UncoveredDeposit, memory: ClearingMemory) {
  const { shows, asked } = countShown(deposit, memory);
  const hasLacked = deposit.isStuck || memory.lacked.has(deposit.id);
  return { ...deposit, hasLacked, isRefuted: shows < asked };
}

const idsOf = (deposits: readonly UncoveredDeposit[]) => deposits.map(({ id }) => id);

/** What lacks is looked for once more where it is said to be: whoever tells of those blocks now may not show it. */
async function lookAgain(
  { client, network: { usdtContractHex } }: Scanner,
  question: { memory: ClearingMemory; solid: ReadBlock; blocks: readonly OurBlock[] },
): Promise<void> {
  const step = { ...question, client, place: PLACE, usdtContractHex };
  await inTime(client.ask((node) => askForTransfers(node, step)));
}

/**
 * Whether something of it can be confirmed, and it was not asked about at this solid block already. Where all that waits is
 * STUCK it is asked about only while there are blocks to be read again.
 */
function isDue({ key, deposits }: PurseGroup, solid: ReadBlock, memory: ClearingMemory): boolean {
  if (memory.askedAt.get(key) === solid.number) return false;
  const question = { memory, solid, place: PLACE };
  return deposits.some(
    ({ blockNumber: number, blockId, isStuck }) =>
      number <= solid.number && (!isStuck || isToAskFor({ number, blockId }, question)),
  );
}

function forgetAllBut({ askedAt, lacked, shown }: ClearingMemory, groups: readonly PurseGroup[]): void {
  const keys = new Set(groups.map(({ key }) => key));
  const waiting = groups.flatMap(({ deposits }) => deposits);
  const ids = new Set(waiting.map(({ id }) => id));
  const blockIds = new Set(waiting.map(({ blockId }) => blockId));
  for (const blockId of shown.keys()) if (!blockIds.has(blockId)) shown.delete(blockId);
  for (const key of askedAt.keys()) if (!keys.has(key)) askedAt.delete(key);
  for (const id of lacked) if (!ids.has(id)) lacked.delete(id);
}
