import { publicNetworks } from "@daric/chain/nodes/networks";
import { answersNeeded } from "@daric/deposits/settings";
import { sql } from "@daric/postgres/sql";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { roles } from "@daric/runtime/setting";
import { getCheckoutKey } from "@daric/server/deployment/store";
import { readConfig } from "@daric/server/process/config";
import { createMetrics } from "@daric/server/process/metrics";
import { type TestContext, testEnvironment } from "@daric/testing/context";
import { usdtAt } from "@daric/testing/usdt";
import { createDice } from "../faults/dice.ts";
import { SLOT_LENGTH_MS } from "./chain/block.ts";
import { createSimChain } from "./chain/chain.ts";
import { usdtHex } from "./chain/payments.ts";
import { ROTATION } from "./chain/witnesses.ts";
import { compareSoFar } from "./compare-so-far.ts";
import type { SimDatabase } from "./database.ts";
import { endWatcher, pauseLeader } from "./disturb-watchers.ts";
import { faultsOfLedger } from "./ledger.ts";
import { paymentsToUs } from "./model.ts";
import { combined, createSimNode } from "./node/sim-node.ts";
import { type Run, seedStartMs } from "./run.ts";
import { createSimRun } from "./run-time.ts";
import * as act from "./scenario.ts";
import { openShops } from "./shop.ts";
import { createSimTime } from "./time.ts";
import { createSimWatcher } from "./watcher.ts";

/** The result of a seed: its faults and its trace. */
export type SeedOutcome = {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly trace: readonly string[];
  /** the number of lies by name */
  readonly injected: ReadonlyMap<string, number>;
};

/** Enough for one block to be solid. */
const BLOCKS_BEFORE = 30;
const TURNS = 32;
/** With a clock later than this, the watcher reads no current block. */
const LATE_CLOCK_MS = -60_000;
/** The percentage of seeds with a lasting lie from some turn on. */
const LASTING_PERCENT = 60;
/** The percentage of seeds whose liar is away at the first start. */
const START_PERCENT = 20;
/** The limit for confirmation of an honest payment after its finality. */
const CONFIRMED_WITHIN_MS = 30_000;
/**
 * A single node is queried again this long after the first read of a block. If the two reads differ, it is
 * queried once more after as long.
 */
const SECOND_READING_MS = 60_000;
/** Without enough equal answers the query repeats after 20 blocks, some of which are missed. */
const RETRIED_AFTER_MS = 75_000;
/** The percentage of random failures. */
const FAILS_PERCENT = 10;
const NODES_AT_MOST = 8;
/** The time after which every transaction and short order has expired: three turns of all witnesses. */
const QUIET_MS = 243_000;
/** Further final blocks before the comparison, in which nodes contradict invented payments. */
const REFUTING_BLOCKS = 3;

const metrics = createMetrics({ processMetrics: false });

/**
 * Runs one seed on an emptied database, lets it come to rest with honest nodes, and compares. The same seed
 * of the same code repeats exactly. `lasting` names the liar's lasting lie.
 */
export async function runSeed(database: SimDatabase, seed: number, lasting?: string): Promise<SeedOutcome> {
  await database.empty();
  const run = await setUp(database, seed);
  const faults: string[] = [];
  try {
    await run.time.within(() => runAll(run, faults, lasting));
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return { seed, faults, trace: run.trace, injected: run.liar.injected() };
}

async function runAll(run: Run, faults: string[], lasting: string | undefined): Promise<void> {
  const isNamed = lasting !== undefined;
  if ((isNamed || run.dice.chance(START_PERCENT)) && act.lieAtStart(run, lasting)) {
    run.turnOfLasting = undefined;
  } else if (run.dice.chance(10)) act.leadToLiar(run);
  for (let turn = 0; turn < TURNS && faults.length === 0; turn += 1) {
    if (turn === run.turnOfLasting) act.beginLastingLie(run, lasting);
    await runEvents(run, faults);
    await nextSlot(run, faults);
  }
  if (faults.length === 0) await comeToRest(run, faults);
}

/** The numbers of lying and honest nodes, and for three or more nodes the quorum. */
type NodeCounts = { readonly liars: number; readonly honest: number; readonly quorum?: number };

const nodeCounts: readonly NodeCounts[] = [
  { liars: 1, honest: 0 },
  { liars: 1, honest: 1 },
  { liars: 1, honest: 2, quorum: 2 },
  { liars: 1, honest: 2, quorum: 2 },
  { liars: 2, honest: 3, quorum: 3 },
  { liars: 1, honest: 4, quorum: 3 },
];

function namesOf({ liars, honest }: NodeCounts): string[] {
  const several = (name: string, count: number) =>
    Array.from({ length: count }, (_, place) => (place === 0 ? name : `${name} ${place + 1}`));
  return [...several("the liar", liars), ...several("the honest node", honest)];
}

async function setUp(database: SimDatabase, seed: number): Promise<Run> {
  const dice = createDice(seed);
  const time = createSimTime(seedStartMs);
  const { nowMs } = time;
  const trace: string[] = [];
  const logLine = (line: string) =>
    trace.push(`${((nowMs() - seedStartMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
  const chain = createSimChain(seedStartMs, BLOCKS_BEFORE);
  const simCharges = await openShops(database, { nowMs: nowMs(), dice });
  chain.bound(simCharges.map(({ addressHex }) => addressHex));
  let skewMs = dice.pick([0, 0, -40_000, -120_000, -3_600_000, 3_600_000]);
  const counts = dice.pick(nodeCounts);
  const [failing, blind] = [dice.chance(30), dice.chance(25)].map((isSo) => {
    const place = dice.roll(counts.liars + counts.honest);
    return isSo ? place : undefined;
  });
  const quorum = counts.quorum !== undefined && dice.chance(50) ? counts.quorum : undefined;
  const startBlock = dice.chance(90) ? chain.solidNumber() : undefined;
  const context = await createSimContext(database, {
    clock: { now: () => new Date(nowMs() + skewMs), monotonicMs: () => nowMs() - seedStartMs },
    startBlock,
    quorum,
    nodes: counts.liars + counts.honest,
  });
  const made = namesOf(counts).map((name, place) =>
    createSimNode(name, {
      chain,
      dice: createDice(seed * NODES_AT_MOST + place),
      time,
      failsPercent: place === failing ? FAILS_PERCENT : 0,
      savesInternals: place !== blind,
    }),
  );
  const liar = combined(made.slice(0, counts.liars));
  const nodes = dice.chance(30) ? [...made].reverse() : made;
  const needed = answersNeeded({ quorum }, nodes.length);
  const savers = counts.honest - (blind !== undefined && blind >= counts.liars ? 1 : 0);
  // A single liar counts, since it becomes honest in time.
  const injected = counts.honest === 0 && blind === undefined ? 1 : savers;
  const network = {
    ...publicNetworks[act.NETWORK],
    genesisId: chain.blocks()[0]!.id,
    tokens: usdtAt(usdtHex),
  };
  const watchers = ["A", "B"]
    .slice(0, dice.pick([1, 2]))
    .map((name) => createSimWatcher({ context, database, network, time, nodes, logLine }, name));
  logLine(
    `seed ${seed}: nodes ${nodes.map(({ label }) => label).join(", ")}; ${failing === undefined ? "none" : made[failing]?.label} fails, ${blind === undefined ? "none" : made[blind]?.label} lacks internals; ${watchers.length} watchers; quorum of ${needed}; the service's clock is off by ${skewMs} ms`,
  );
  return {
    dice,
    chain,
    simCharges,
    liar,
    isAlone: nodes.length === 1,
    isClockLate: () => skewMs < LATE_CLOCK_MS,
    setClock: () => {
      skewMs = 0;
    },
    hasQuorum: needed > 1,
    reportedOnce: new Set(),
    confirmedWithinMs:
      CONFIRMED_WITHIN_MS +
      (needed === 1 ? SECOND_READING_MS : 0) +
      (needed === 1 || failing !== undefined || blind !== undefined ? RETRIED_AFTER_MS : 0),
    areInternalsReported: injected >= needed && nodes.length - injected < needed,
    turnOfLasting: dice.chance(LASTING_PERCENT) ? dice.roll(TURNS / 2) : undefined,
    includedSince: new Map(),
    nowMs,
    time,
    logLine,
    database,
    context,
    nodes,
    watchers,
    trace,
    finalSince: new Map(),
    honestSinceMs: nodes.length > 1 ? seedStartMs : undefined,
    ...createSimRun({ time, watchers, startMs: seedStartMs, database }),
  };
}

async function createSimContext(
  { db }: SimDatabase,
  parts: {
    clock: TestContext["clock"];
    startBlock: number | undefined;
    quorum: number | undefined;
    nodes: number;
  },
): Promise<TestContext> {
  const environment = testEnvironment({
    TRON_NETWORK: act.NETWORK,
    TRON_NODE_URLS: Array.from({ length: parts.nodes }, (_, place) => `http://node-${place}.invalid`).join(),
    ...(parts.quorum === undefined ? {} : { TRON_QUORUM: String(parts.quorum) }),
    ...(parts.startBlock === undefined ? {} : { SCAN_START_BLOCK: String(parts.startBlock) }),
  });
  const log = createLogger({ level: "silent", role: "watcher" });
  return {
    config: readConfig(environment, roles),
    db,
    clock: parts.clock,
    log,
    recentErrors: createRecentErrors(),
    databaseOutage: createDatabaseOutage({ log, clock: parts.clock, ping: async () => {} }),
    metrics,
    checkoutKey: await getCheckoutKey(db),
  };
}

/** Runs the random events of one slot. */
async function runEvents(run: Run, faults: string[]): Promise<void> {
  const { dice, liar, chain, logLine } = run;
  if (dice.chance(55)) act.sendPayment(run);
  if (dice.chance(25)) act.sendPayment(run);
  if (dice.chance(12)) act.empty(run);
  if (dice.chance(35)) act.lie(run);
  if (dice.chance(25)) act.lieOnce(run);
  if (dice.chance(7)) act.invent(run);
  if (dice.chance(7)) act.lag(run);
  if (dice.chance(8)) act.changeWitnesses(run);
  if (dice.chance(14)) act.fork(run);
  if (dice.chance(7)) act.flipBack(run);
  if (dice.chance(18)) {
    liar.beHonestForNow();
    chain.roster.sendAway(0);
    logLine(`${liar.label} is honest for now`);
  }
  if (dice.chance(7)) await act.rescan(run, run.database.owner);
  if (dice.chance(9)) endWatcher(run);
  if (run.watchers.length > 1 && dice.chance(15)) await pauseLeader(run, faults);
}

/** Advances the time by a slot, with a block unless it is missed. */
async function nextSlot(run: Run, faults: string[]): Promise<void> {
  const { dice, chain, logLine } = run;
  const headMs = chain.head().timeMs;
  // A fork may have blocks of future slots, which no watcher reads before their time.
  if (headMs > run.nowMs()) run.honestSinceMs &&= Math.max(run.honestSinceMs, headMs);
  const slotMs = act.nextSlotMs(run);
  await run.advanceTo(slotMs);
  const isMissed = dice.chance(6) || !chain.makeSlot(slotMs);
  logLine(
    isMissed ? "no block in this slot" : `block ${chain.head().number}, ${chain.solidNumber()} is solid`,
  );
  await run.advanceTo(slotMs + dice.roll(SLOT_LENGTH_MS));
  await compareSoFar(run, faults);
}

/**
 * All nodes become honest, except a lasting liar beside an honest one. Payments end, every transaction lands or
 * expires, and all blocks become final.
 */
async function comeToRest(run: Run, faults: string[]): Promise<void> {
  const { liar, chain, simCharges, database, logLine } = run;
  const { isAlone } = run;
  // The watcher may first read this branch when it is final, a few blocks later, and it pauses after failures.
  const wasLate = run.isClockLate();
  if (isAlone) liar.beHonest();
  else liar.beHonestForNow();
  chain.roster.sendAway(0);
  if (run.dice.chance(30)) await act.rescan(run, database.owner);
  if (wasLate) {
    run.setClock();
    run.honestSinceMs = undefined;
    logLine("an operator corrects the service's clock");
  }
  logLine("from now on only nodes with a lasting lie still lie");
  await nextSlot(run, faults);
  await run.advanceTo(run.nowMs() + QUIET_MS);
  // Without new blocks, no payment becomes final.
  run.honestSinceMs = isAlone || wasLate ? undefined : run.nowMs();
  const quietBlock = chain.head().number + 1 + (isAlone ? ROTATION : REFUTING_BLOCKS);
  while (chain.solidNumber() < quietBlock && faults.length === 0) await nextSlot(run, faults);
  const untilMs = run.nowMs() + run.confirmedWithinMs - LATE_CLOCK_MS;
  while (faults.length === 0 && !(await isAtRest(run)) && run.nowMs() < untilMs) await nextSlot(run, faults);
  // A watcher with a late clock also has to read the blocks made meanwhile.
  const endMs = run.nowMs() - LATE_CLOCK_MS;
  while (!(await isRead(run)) && run.nowMs() < endMs) await run.advanceTo(run.nowMs() + SLOT_LENGTH_MS);
  await run.advanceTo(run.nowMs() + CONFIRMED_WITHIN_MS);
  if (faults.length > 0) return;
  const blocks = chain.blocks();
  const solidTimeMs = blocks[chain.solidNumber()]!.timeMs;
  const payments = paymentsToUs(chain.movements(chain.solidNumber()), simCharges);
  faults.push(
    ...(await faultsOfLedger(database.db, {
      payments,
      simCharges,
      blocks,
      solidTimeMs,
      network: act.NETWORK,
      areInternalsReported: run.areInternalsReported,
    })),
  );
}

/** Whether the watchers have processed everything final. */
async function isAtRest({ database, simCharges }: Run): Promise<boolean> {
  const trap = simCharges.find(({ isTrap }) => isTrap)?.charge.id ?? null;
  const [row] = await database.owner.query<{ open: bigint }>(sql`
    select (select count(*) from rescans where status not in ('DONE', 'REFUSED')) + (select count(*) from deposits
      where status not in ('CONFIRMED', 'FAILED') and deposit_address_id <> ${trap}) as open`);
  return Number(row?.open) === 0;
}

async function isRead({ chain, database }: Run): Promise<boolean> {
  const [cursor] = await database.owner.query<{ number: bigint }>(sql`select number from scan_cursors`);
  return Number(cursor?.number ?? 0) === chain.head().number;
}
