import { setTimeout as sleep } from "node:timers/promises";
import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import { askForTransfers, blocksOf, countShown, type OurBlock } from "./ask-quorum.ts";
import type { Cursor, ReadBlock } from "./block-store.ts";
import {
  findMovements,
  type Purse,
  type PurseMovement,
  type UncoveredDeposit,
  wholeOf,
} from "./clear-store.ts";
import { type Clearance, type ClearingMemory, createClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import { groupPurses, type PurseGroup } from "./group-purses.ts";
import { findBacked } from "./judge-balance.ts";
import type { Scanner } from "./scanner.ts";

/** Purses that one step asks about at most; with the next look there are more. */
const MAX_PURSES = 20;
/** Asked side by side: hosted nodes count the calls of a second. */
const ASKED_AT_ONCE = 5;
/** After this long no more purses are asked about in this step, and after that long nobody waits for them. */
const ENOUGH_MS = 2_000;
const MAX_WAIT_MS = 3_000;
/** Where all that waits is STUCK it is asked about once a minute of blocks. */
const BLOCKS_BETWEEN_STUCK = 20;

type Waiting = {
  readonly cursor: Cursor;
  readonly solid: ReadBlock;
  readonly uncovered: readonly UncoveredDeposit[];
};

/**
 * Clears uncovered deposits whose addresses hold them: the solid balance of each address is asked for once per solid
 * block, and compared with what our own blocks show to have come and left up to the height of the answer. A node that
 * fails, or whose solid block lies above what we have read, says nothing: asked again later.
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
  const answer = asked.length === 0 ? undefined : await askBalances(context, scanner, asked);
  const final = uncovered.filter(({ blockNumber }) => blockNumber <= solid.number);
  const found = { reason: "balance", upTo: solid.number, isSure: true } as const;
  if (answer === undefined || answer.to > cursor.number)
    return { ...found, keepsBack: final.length > 0, cleared: [], lacking: [], isMoreToAsk: false };
  const answered = asked.slice(0, answer.balances.length);
  const upTo = { network: scanner.network.name, cameTo: answer.to, leftTo: answer.from };
  const movements = await findMovements(context.db, { ...upTo, purses: answered });
  const late = answered.filter(({ deposits }) => deposits.some(({ isLate }) => isLate));
  const everMoved = await findMovements(context.db, { ...upTo, purses: late.map(wholeOf), isProven: true });
  const verdicts = answered.map((group, place) => {
    memory.askedAt.set(group.key, solid.number);
    const movement = movements[place];
    return judge(group, { answer, solid, place, movement, ever: everMoved[late.indexOf(group)], memory });
  });
  const lacking = verdicts.flatMap((verdict) => verdict.lacking);
  for (const { id } of lacking) memory.lacked.add(id);
  if (lacking.length > 0) await readAgain(scanner, { memory, solid, blocks: blocksOf(lacking) });
  const cleared = verdicts.flatMap((verdict) => verdict.cleared).map(({ id }) => id);
  return {
    ...found,
    keepsBack: final.some(({ id }) => !cleared.includes(id)),
    cleared,
    lacking: lacking.map(({ id }) => id),
    isMoreToAsk: due.length > answered.length,
  };
}

type Facts = {
  readonly answer: Answer;
  readonly solid: ReadBlock;
  readonly place: number;
  readonly movement: PurseMovement | undefined;
  /** only where a deposit is late */
  readonly ever: PurseMovement | undefined;
  readonly memory: ClearingMemory;
};

function judge(
  { deposits }: PurseGroup,
  { answer, solid, place, movement, ever, memory }: Facts,
): { cleared: readonly UncoveredDeposit[]; lacking: readonly UncoveredDeposit[] } {
  const balance = answer.balances[place];
  if (balance === undefined || movement === undefined) return { cleared: [], lacking: [] };
  const judged = deposits
    .filter(({ blockNumber }) => blockNumber <= answer.to)
    .map((deposit) => {
      const { shows, asked } = countShown(deposit, memory);
      const hasLacked = deposit.isStuck || memory.lacked.has(deposit.id);
      return { ...deposit, hasLacked, isRefuted: shows < asked };
    });
  const cleared = findBacked(judged, { balance, movement, ever: ever ?? movement });
  // What the node's solid block may not have yet does not lack.
  const sure = Math.min(answer.from, solid.number);
  const lacking = judged.filter(
    (deposit) => deposit.blockNumber <= sure && !cleared.some(({ id }) => id === deposit.id),
  );
  return { cleared, lacking };
}

/** What lacks is looked for once more where it is said to be: whoever tells of those blocks now may not show it. */
async function readAgain(
  { client, network: { usdtContractHex } }: Scanner,
  question: { memory: ClearingMemory; solid: ReadBlock; blocks: readonly OurBlock[] },
): Promise<void> {
  const asking = client.ask((node) =>
    askForTransfers(node, { ...question, client, place: 0, usdtContractHex }),
  );
  await Promise.race([asking.catch(unlessNode), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}

/** Whether something of it can be confirmed, and it was not asked about at this solid block already. */
function isDue({ key, deposits }: PurseGroup, solid: ReadBlock, { askedAt }: ClearingMemory): boolean {
  const final = deposits.filter(({ blockNumber }) => blockNumber <= solid.number);
  const pause = final.every(({ isStuck }) => isStuck) ? BLOCKS_BETWEEN_STUCK : 1;
  return final.length > 0 && solid.number - (askedAt.get(key) ?? -pause) >= pause;
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

/** Balances of the first purses, each as of a solid block from `from` to `to`; most often these are one. */
type Answer = { readonly from: number; readonly to: number; readonly balances: readonly bigint[] };

/** What one node says of as many purses as it came to in time; undefined when no node says anything. */
async function askBalances(
  { clock }: Pick<WatcherContext, "clock">,
  { client, network }: Scanner,
  purses: readonly Purse[],
): Promise<Answer | undefined> {
  const startedMs = clock.monotonicMs();
  const hasTime = () => clock.monotonicMs() - startedMs < ENOUGH_MS;
  const asking = client.ask(async (node: TronNode): Promise<Answer> => {
    const before = await node.getSolidBlock();
    const balances: bigint[] = [];
    while (balances.length < purses.length && (balances.length === 0 || hasTime())) {
      const some = purses.slice(balances.length, balances.length + ASKED_AT_ONCE);
      const tokenOf = ({ currency }: Purse) => (currency === "USDT" ? network.usdtContract : undefined);
      balances.push(
        ...(await Promise.all(some.map((purse) => node.getSolidBalance(purse.address, tokenOf(purse))))),
      );
    }
    const after = await node.getSolidBlock();
    const heights = [before.number, after.number];
    return { from: Math.min(...heights), to: Math.max(...heights), balances };
  });
  return Promise.race([asking.catch(unlessNode), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}

function unlessNode(error: unknown): undefined {
  if (error instanceof NodeError) return undefined;
  throw error;
}
