import { IncompleteBlockError } from "../chain/node-error.ts";
import { askBalances, type SolidBalances } from "./ask-balances.ts";
import { inTime } from "./ask-in-time.ts";
import { askForTransfers, blocksOf, blocksToAskFor, isToAskFor, type OurBlock } from "./ask-quorum.ts";
import type { Cursor, ReadBlock } from "./block-store.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import { type Cleared, type ClearingMemory, clearingMemoryOf } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import { addOthers, groupPurses, type PurseGroup } from "./group-purses.ts";
import { idsOf, judgePurses, type PurseFacts } from "./judge-purses.ts";
import { findMovements, wholeOf } from "./movement-store.ts";
import type { Scanner } from "./scanner.ts";

/** Purses that one step asks about at most; with the next look there are more. */
const MAX_PURSES = 20;
/** Where what is shown in blocks that were read again is remembered: whichever node tells of them. */
const PLACE = 0;

type Waiting = {
  readonly cursor: Cursor;
  readonly solid: ReadBlock;
  readonly uncovered: readonly UncoveredDeposit[];
  /** whether nothing else waits at their addresses */
  readonly isWhole: boolean;
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
  { cursor, solid, uncovered, isWhole }: Waiting,
): Promise<Cleared> {
  const memory = clearingMemoryOf(scanner);
  const withOthers = async (groups: PurseGroup[]) =>
    isWhole ? groups : addOthers(context.db, { network: scanner.network.name, groups, memory });
  const groups = await withOthers(groupPurses(uncovered));
  forgetAllBut(memory, groups);
  const due = groups.filter((group) => isDue(group, solid, memory));
  const asked = due
    .toSorted((a, b) => (memory.askedAt.get(a.key) ?? 0) - (memory.askedAt.get(b.key) ?? 0))
    .slice(0, MAX_PURSES);
  const balances = asked.length === 0 ? undefined : await askBalances(context, scanner, asked);
  // One that takes too long has not failed: without this it would lead every other look, too.
  if (asked.length > 0 && balances === undefined) scanner.client.passLead();
  const final = uncovered.filter(({ blockNumber }) => blockNumber <= solid.number);
  const found = { reason: "balance", upTo: solid.number, isSure: true } as const;
  if (balances === undefined || balances.to > cursor.number)
    return { ...found, keepsBack: final.length > 0, cleared: [], lacking: [], isMoreToAsk: false };
  const facts = await findFacts(context, scanner, { groups: asked, balances });
  for (const { group } of facts) memory.askedAt.set(group.key, solid.number);
  // What the node's solid block may not have yet does not lack.
  const bounds = { heldAt: balances.to, sureTo: Math.min(balances.from, solid.number) };
  const first = judgePurses(facts, bounds, memory);
  const judgeAgain = async () => {
    await lookAgain(scanner, { memory, solid, blocks: blocksToRead(first.lacking, facts) });
    const told = await withOthers(facts.map(({ group }) => group));
    const known = facts.map((fact, place) => ({ ...fact, group: told[place] ?? fact.group }));
    return judgePurses(known, bounds, memory);
  };
  const { cleared, lacking } = first.lacking.length === 0 ? first : await judgeAgain();
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

/** Of the first purses, as many as there are balances of. */
async function findFacts(
  { db }: Pick<WatcherContext, "db">,
  { network }: Scanner,
  { groups, balances }: { groups: readonly PurseGroup[]; balances: SolidBalances },
): Promise<PurseFacts[]> {
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

/** The blocks of these deposits, and of all that waits beside them. */
function blocksToRead(doubtful: readonly UncoveredDeposit[], facts: readonly PurseFacts[]): OurBlock[] {
  const chargeIds = new Set(doubtful.map(({ chargeId }) => chargeId));
  const beside = facts
    .filter(({ group }) => chargeIds.has(group.chargeId))
    .flatMap(({ group }) => group.others);
  return blocksOf([...doubtful, ...beside]);
}

/**
 * What lacks is looked for once more where it is said to be: whoever tells of those blocks now may not show it. Where one node
 * does not have a block of ours the next one is asked for it.
 */
async function lookAgain(
  { client, network: { usdtContractHex } }: Scanner,
  { blocks, ...asked }: { memory: ClearingMemory; solid: ReadBlock; blocks: readonly OurBlock[] },
): Promise<void> {
  const step = { ...asked, client, place: PLACE, usdtContractHex };
  const left = blocksToAskFor(blocks, step);
  const asking = client.ask(async (node) => {
    await askForTransfers(node, { ...step, left });
    const [other] = left;
    if (other !== undefined) throw new IncompleteBlockError(node.label, other.number);
  });
  await inTime(asking);
}

/**
 * Whether something of it can be confirmed, and it was not asked about at this solid block already. Where all that waits is
 * STUCK it is asked about only while there are blocks to be read again.
 */
function isDue({ key, deposits, others }: PurseGroup, solid: ReadBlock, memory: ClearingMemory): boolean {
  if (memory.askedAt.get(key) === solid.number) return false;
  const question = { memory, solid, place: PLACE };
  return [...deposits, ...others].some(
    ({ blockNumber: number, blockId, isStuck }) =>
      number <= solid.number && (!isStuck || isToAskFor({ number, blockId }, question)),
  );
}

function forgetAllBut({ askedAt, lacked, shown }: ClearingMemory, groups: readonly PurseGroup[]): void {
  const keys = new Set(groups.map(({ key }) => key));
  const waiting = groups.flatMap(({ deposits }) => deposits);
  const ids = new Set(waiting.map(({ id }) => id));
  const beside = groups.flatMap(({ others }) => others);
  const blockIds = new Set([...waiting, ...beside].map(({ blockId }) => blockId));
  for (const blockId of shown.keys()) if (!blockIds.has(blockId)) shown.delete(blockId);
  for (const key of askedAt.keys()) if (!keys.has(key)) askedAt.delete(key);
  for (const id of lacked) if (!ids.has(id)) lacked.delete(id);
}
