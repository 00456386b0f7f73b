import type { Transaction } from "@daric/postgres/sql";
import {
  archiveQuietCharges,
  expireCharges,
  hasChargesToExpire,
  noteExpired,
} from "../charges/close-charges.ts";
import { assertLease } from "../runtime/lease.ts";
import { askForKeys, type KeyWords, type Learned, learnFromSolid } from "../witnesses/find-solidity.ts";
import { announceChanges } from "./announce-changes.ts";
import { type Cursor, findBlock, type ReadBlock, raiseSolid } from "./block-store.ts";
import { clearDeposits } from "./clear-deposits.ts";
import type { Clearance } from "./clearance.ts";
import { findCompared } from "./compare-store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import { confirmLate } from "./confirm-late.ts";
import type { WatcherContext } from "./context.ts";
import { failDeposits } from "./fail-deposits.ts";
import { findHidden } from "./find-hidden.ts";
import { findWaiting } from "./open-store.ts";
import { MIN_SOLID_LAG, type ProvenSolid, proveSolid } from "./prove-solid.ts";
import { reportDeposits } from "./report-deposits.ts";
import { isToAskAgain, reportKeys } from "./report-keys.ts";
import type { Scanner } from "./scanner.ts";
import { stallDeposits, stallUncleared } from "./stall-store.ts";
import { hasDepositsToFail } from "./status-store.ts";
import type { ChangedDeposit } from "./store.ts";

/** Solidity is looked for once in so many blocks although nothing waits for it: it is the floor of every fork. */
const MAX_BLOCKS_UNASKED = 40;

/**
 * Draws the consequences of what the chain has made final: in one transaction deposits fail, those that came on time are
 * confirmed, and charges whose time is over by the clock of the solid block expire; in another one the deposits that came late
 * are confirmed. So what is told of an order follows the chain's times, however much of the chain one step has to settle: an order
 * is told to have expired with everything that came to it on time, also with what only a quorum shows, which is looked for
 * before, and then to be paid late. Each part takes a bounded number of rows; answers whether more may be waiting that somebody
 * waits for.
 */
export async function followSolidity(
  context: WatcherContext,
  scanner: Scanner,
  cursor: Cursor,
): Promise<boolean> {
  const { memory } = scanner;
  if (memory.settledAt === cursor.blockId) return false;
  const highest = await findBlock(context.db, {
    network: scanner.network.name,
    number: cursor.number - MIN_SOLID_LAG,
  });
  const isMoreHidden = highest !== undefined && (await findHidden(context, scanner, { to: highest.number }));
  if (highest === undefined || !(await isWorthProving(context, scanner, { cursor, highest }))) {
    if (!isMoreHidden) memory.settledAt = cursor.blockId;
    return isMoreHidden;
  }
  const { solid, claimed } = await proveSolid(context, scanner, { cursor, highest });
  const clearance = await clearDeposits(context, scanner, { cursor, solid });
  const words = await askForKeys(context.db, scanner.client.nodes, {
    network: scanner.network.name,
    solid: solid.number,
    again: isToAskAgain(context, scanner),
  });
  memory.cursor = undefined;
  const settling = { cursor, solid, claimed, clearance, words };
  const { changed, lesson, ...settled } = await settleSolid(context, scanner, settling);
  const late = settled.isMoreWaiting ? undefined : await confirmLate(context, scanner, settling);
  changed.push(...(late?.deposits ?? []));
  const isMoreWaiting = settled.isMoreWaiting || late?.isMoreWaiting === true;
  if (!isMoreWaiting && !isMoreHidden && !clearance.isMoreToAsk) memory.settledAt = cursor.blockId;
  reportKeys(context, scanner, { ...lesson, words });
  reportUnproven(context, changed);
  scanner.onCommit();
  await noteExpired(context.db, { chainTime: solid.time });
  tellSolid(context, solid);
  reportDeposits(context, changed);
  return isMoreWaiting || isMoreHidden;
}

/** Tells how far the chain is proven final: found at the start of reading, and whenever it is proven anew. */
export function tellSolid(
  { metrics }: Pick<WatcherContext, "metrics">,
  { number, time }: Pick<ReadBlock, "number" | "time">,
): void {
  metrics.solidBlock.set(number);
  metrics.solidBlockTime.set(time.getTime() / 1_000);
}

/**
 * Hosted nodes count calls, and what is proven is compared with a node's word: it is proven only where the block that can be
 * solid at best would settle something, and otherwise now and then.
 */
async function isWorthProving(
  context: WatcherContext,
  { network }: Scanner,
  { cursor, highest }: { cursor: Cursor; highest: ReadBlock },
): Promise<boolean> {
  const { db } = context;
  if (cursor.number - cursor.solidNumber > MAX_BLOCKS_UNASKED) return true;
  const { toBeConfirmed, toComeBack } = await findWaiting(db, { network: network.name, to: highest.number });
  const { droppedAfterMs } = context.config.deposits;
  return (
    toBeConfirmed ||
    (toComeBack &&
      (await hasDepositsToFail(db, { network: network.name, solid: highest, droppedAfterMs }))) ||
    (await hasChargesToExpire(db, { chainTime: highest.time }))
  );
}

type Settling = ProvenSolid & {
  readonly cursor: Cursor;
  readonly clearance: Clearance;
  readonly words: KeyWords;
};

async function settleSolid(
  context: WatcherContext,
  { network, lease }: Scanner,
  { cursor, solid, claimed, clearance, words }: Settling,
): Promise<{ changed: ChangedDeposit[]; lesson: Learned; isMoreWaiting: boolean }> {
  const scope = { network: network.name, epoch: lease.epoch };
  return context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await raiseSolid(tx, { network: network.name, solid });
    const lesson = await learnFromSolid(tx, { network: network.name, solid: solid.number, words });
    const failed = await failDeposits(context, tx, { scope, solid });
    const final = { scope, cursor, solid, clearance, late: false };
    const confirmed = await confirmDeposits(context, tx, final);
    const { stuckAfterMs } = context.config.deposits;
    const madeBefore = new Date(cursor.time.getTime() - stuckAfterMs);
    const stalled = await stallDeposits(tx, scope, { solid, claimed, madeBefore });
    stalled.push(...(await stallUncleared(tx, scope, { solid, madeBefore, clearance, stuckAfterMs })));
    const unconfirmed = [...failed.deposits, ...stalled];
    await announceChanges(context, tx, { deposits: unconfirmed, headNumber: cursor.number });
    const changed = [...unconfirmed, ...confirmed.deposits];
    // What is still to be confirmed may be what an order is to expire with.
    if (confirmed.isMoreWaiting || lesson.learned.length > 0) return { changed, lesson, isMoreWaiting: true };
    const chainTime = await findComparedTime(context, tx, { network: network.name, solid });
    if (chainTime === undefined) return { changed, lesson, isMoreWaiting: failed.isMoreWaiting };
    const expired = await expireCharges(context, tx, { chainTime });
    await archiveQuietCharges(context, tx, { chainTime });
    return { changed, lesson, isMoreWaiting: failed.isMoreWaiting || expired.isMoreWaiting };
  });
}

/**
 * Up to when all that came on time is known: to the solid block, and with a quorum no further than blocks are compared, since
 * what the leader hides is found only then. Undefined where nothing was compared yet.
 */
async function findComparedTime(
  { config }: WatcherContext,
  tx: Transaction,
  { network, solid }: { network: string; solid: ReadBlock },
): Promise<Date | undefined> {
  if (config.deposits.quorum === undefined) return solid.time;
  const compared = await findCompared(tx, network);
  if (compared === undefined) return undefined;
  return compared >= solid.number ? solid.time : (await findBlock(tx, { network, number: compared }))?.time;
}

/** It does not pass by itself: who is waited for is not known. */
function reportUnproven(context: WatcherContext, changed: readonly ChangedDeposit[]): void {
  const unproven = changed.filter(({ stuckReason }) => stuckReason === "unproven");
  if (unproven.length === 0) return;
  context.metrics.alarms.inc({ alarm: "unproven" });
  context.log.error(
    { deposits: unproven.length },
    "deposits wait for ten minutes because their blocks are signed by keys that are not known: run `daric witnesses pin`",
  );
}
