import { sql } from "@daric/postgres/sql";
import { publicNetworks } from "@daric/server/chain/networks";
import { readConfig } from "@daric/server/config";
import { getCheckoutKey } from "@daric/server/deployment/store";
import { createMetrics } from "@daric/server/metrics";
import { createDatabaseOutage } from "@daric/server/runtime/database-outage";
import { createLogger } from "@daric/server/runtime/logger";
import { createRecentErrors } from "@daric/server/runtime/recent-errors";
import { roles } from "@daric/server/runtime/setting";
import { type TestContext, testEnvironment } from "@daric/testing/context";
import { createDice } from "../faults/dice.ts";
import { faultsOfBooks } from "./books.ts";
import { SLOT_LENGTH_MS } from "./chain/block.ts";
import { base58OfHex } from "./chain/bytes.ts";
import { createSimChain } from "./chain/chain.ts";
import { usdtHex } from "./chain/payments.ts";
import { MOST_CHANGES, ROTATION } from "./chain/witnesses.ts";
import { CONFIRMED_WITHIN_MS, compareSoFar, PROVING_MS } from "./compare-so-far.ts";
import type { SimDatabase } from "./database.ts";
import { endWatcher, pauseLeader } from "./disturb-watchers.ts";
import { createSimNode } from "./node/sim-node.ts";
import { paymentsToUs } from "./oracle.ts";
import { createSimPlay } from "./play-time.ts";
import { type Run, seedStartMs } from "./run.ts";
import * as act from "./scenario.ts";
import { openShops } from "./shop.ts";
import { createSimTime } from "./time.ts";
import { createSimWatcher } from "./watcher.ts";

/** What became of a seed: what was wrong, and all that happened until then. */
export type SeedOutcome = {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly trace: readonly string[];
  /** how often which lie was told */
  readonly told: ReadonlyMap<string, number>;
};

/** Enough for one block to be solid. */
const BLOCKS_BEFORE = 30;
const TURNS = 32;
/** Whose clock is later than this believes no block of now by its time. */
const LATE_CLOCK_MS = -60_000;
/** Seeds of a hundred whose liar lies in one way from some turn on. */
const LASTING_PERCENT = 60;
/** Seeds of a hundred whose liar does not say at the first start what all nodes are asked. */
const START_PERCENT = 40;
/** Past the expiration of every transaction, and of every order that ends soon; three turns of all witnesses. */
const QUIET_MS = 243_000;

const metrics = createMetrics({ processMetrics: false });

/**
 * Plays one seed on an emptied database, lets it come to rest with honest nodes, and compares. The same seed of the same
 * code does the same again. `lasting` names the lie that the liar tells for good, where it does.
 */
export async function runSeed(database: SimDatabase, seed: number, lasting?: string): Promise<SeedOutcome> {
  await database.empty();
  const run = await setUp(database, seed);
  const faults: string[] = [];
  try {
    await run.time.within(() => playAll(run, faults, lasting));
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return { seed, faults, trace: run.trace, told: run.liar.told() };
}

async function playAll(run: Run, faults: string[], lasting: string | undefined): Promise<void> {
  const isNamed = lasting !== undefined;
  if ((isNamed || run.dice.chance(START_PERCENT)) && act.lieAtStart(run, lasting)) {
    run.turnOfLasting = undefined;
    run.isSaidAtStart = false;
  } else if (run.dice.chance(10)) act.leadAstray(run);
  for (let turn = 0; turn < TURNS && faults.length === 0; turn += 1) {
    if (turn === run.turnOfLasting) act.lieForGood(run, lasting);
    await play(run, faults);
    await nextSlot(run, faults);
  }
  if (faults.length === 0) await comeToRest(run, faults);
}

async function setUp(database: SimDatabase, seed: number): Promise<Run> {
  const dice = createDice(seed);
  const time = createSimTime(seedStartMs);
  const { nowMs } = time;
  const trace: string[] = [];
  const say = (line: string) =>
    trace.push(`${((nowMs() - seedStartMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
  const chain = createSimChain(seedStartMs, BLOCKS_BEFORE);
  const tills = await openShops(database, { nowMs: nowMs(), dice });
  chain.bound(tills.map(({ addressHex }) => addressHex));
  const skewMs = dice.pick([0, 0, -40_000, -120_000, -3_600_000, 3_600_000]);
  const quorum = dice.chance(20) ? 2 : undefined;
  const startBlock = dice.chance(90) ? chain.solidNumber() : undefined;
  const context = await createSimContext(database, {
    clock: { now: () => new Date(nowMs() + skewMs), monotonicMs: () => nowMs() - seedStartMs },
    startBlock,
    quorum,
  });
  const world = { chain, dice, time };
  const liar = createSimNode("the liar", world);
  const honest = createSimNode("the honest node", world);
  const nodes =
    quorum === undefined
      ? dice.pick([[liar], [liar, honest], [liar, honest], [honest, liar]])
      : [liar, honest, createSimNode("another honest node", world)];
  const network = {
    ...publicNetworks[act.NETWORK],
    genesisId: chain.blocks()[0]!.id,
    usdtContract: base58OfHex(usdtHex),
    usdtContractHex: usdtHex,
  };
  const watchers = ["A", "B"]
    .slice(0, dice.pick([1, 2]))
    .map((name) => createSimWatcher({ context, database, network, time, nodes, say }, name));
  say(
    `seed ${seed}: nodes ${nodes.map(({ label }) => label).join(", ")}; ${watchers.length} watchers; quorum ${quorum ?? "none"}; our clock is off by ${skewMs} ms`,
  );
  return {
    dice,
    chain,
    tills,
    liar,
    isAlone: nodes.length === 1,
    isClockLate: skewMs < LATE_CLOCK_MS,
    isStartGiven: startBlock !== undefined,
    hasQuorum: quorum !== undefined,
    turnOfLasting: dice.chance(LASTING_PERCENT) ? dice.roll(TURNS / 2) : undefined,
    isSaidAtStart: true,
    pinnedSinceMs: undefined,
    includedSince: new Map(),
    nowMs,
    time,
    say,
    database,
    context,
    nodes,
    watchers,
    trace,
    finalSince: new Map(),
    honestSinceMs: nodes.length > 1 ? seedStartMs : undefined,
    ...createSimPlay(time, watchers, seedStartMs),
  };
}

async function createSimContext(
  { db }: SimDatabase,
  parts: { clock: TestContext["clock"]; startBlock: number | undefined; quorum: number | undefined },
): Promise<TestContext> {
  const environment = testEnvironment({
    TRON_NETWORK: act.NETWORK,
    TRON_NODE_URLS: ["one", "two", "three"].map((name) => `http://${name}.invalid`).join(),
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

/** What happens within one slot, by chance. */
async function play(run: Run, faults: string[]): Promise<void> {
  const { dice, liar, chain, say } = run;
  if (dice.chance(55)) act.sendPayment(run);
  if (dice.chance(25)) act.sendPayment(run);
  if (dice.chance(12)) act.empty(run);
  if (dice.chance(35)) act.lie(run);
  if (dice.chance(7)) act.invent(run);
  if (dice.chance(7)) act.lag(run);
  if (dice.chance(8)) act.changeWitnesses(run);
  if (dice.chance(14)) act.fork(run);
  if (dice.chance(7)) act.flipBack(run);
  if (dice.chance(18)) {
    liar.beHonestForNow();
    chain.roster.sendAway(0);
    say(`${liar.label} is honest for now`);
  }
  if (dice.chance(7)) await act.rescan(run, run.database.owner);
  if (dice.chance(9)) endWatcher(run);
  if (run.watchers.length > 1 && dice.chance(15)) await pauseLeader(run, faults);
}

/** Time goes on by a slot, and somebody makes a block unless it is missed. */
async function nextSlot(run: Run, faults: string[]): Promise<void> {
  const { dice, chain, say } = run;
  const headMs = chain.head().timeMs;
  // A fork may have made blocks of slots that the clock has not reached, which nobody reads before.
  if (headMs > run.nowMs()) run.honestSinceMs &&= Math.max(run.honestSinceMs, headMs);
  const slotMs = act.nextSlotMs(run);
  await run.advanceTo(slotMs);
  const isMissed = dice.chance(6) || !chain.makeSlot(slotMs);
  say(isMissed ? "no block in this slot" : `block ${chain.head().number}, ${chain.solidNumber()} is solid`);
  await run.advanceTo(slotMs + dice.roll(SLOT_LENGTH_MS));
  await compareSoFar(run, faults);
}

/**
 * Everybody is honest, but for who lies for good beside an honest node; nobody pays, every transaction is in a block or
 * over, and all of it becomes final.
 */
async function comeToRest(run: Run, faults: string[]): Promise<void> {
  const { liar, chain, tills, database, say } = run;
  // Where nobody was pinned yet it is told by all of them from now on.
  const isAlone = run.isAlone || !run.isSaidAtStart;
  if (isAlone) liar.beHonest();
  else liar.beHonestForNow();
  chain.roster.sendAway(0);
  if (run.dice.chance(30)) await act.rescan(run, database.owner);
  say("everybody is honest from now on who does not lie for good");
  await nextSlot(run, faults);
  await run.advanceTo(run.nowMs() + QUIET_MS);
  // Where nobody makes blocks nothing becomes more certain. What a liar alone said of who signed is proven by blocks above it.
  run.honestSinceMs = isAlone ? Number.POSITIVE_INFINITY : run.nowMs();
  // Whoever has to learn new keys knows a few blocks later.
  const quietBlock = chain.head().number + 1 + (isAlone ? ROTATION : MOST_CHANGES);
  while (chain.solidNumber() < quietBlock && faults.length === 0) await nextSlot(run, faults);
  const untilMs = run.nowMs() + CONFIRMED_WITHIN_MS + (run.isClockLate ? PROVING_MS : 0);
  while (!(await isAtRest(run)) && run.nowMs() < untilMs) await run.advanceTo(run.nowMs() + SLOT_LENGTH_MS);
  if (faults.length > 0) return;
  const blocks = chain.blocks();
  const solidTimeMs = blocks[chain.solidNumber()]!.timeMs;
  const payments = paymentsToUs(chain.movements(chain.solidNumber()), tills);
  faults.push(
    ...(await faultsOfBooks(database.db, { payments, tills, blocks, solidTimeMs, network: act.NETWORK })),
  );
}

/** Whether the watchers have drawn every consequence of what is final. */
async function isAtRest({ chain, database, tills }: Run): Promise<boolean> {
  const trap = tills.find(({ isTrap }) => isTrap)?.charge.id ?? null;
  const [cursor] = await database.owner.query<{ number: bigint; open: bigint }>(sql`
    select number, (select count(*) from rescans where status not in ('DONE', 'REFUSED')) + (select count(*) from deposits where status not in ('CONFIRMED', 'FAILED')
      and deposit_address_id <> ${trap}) as open
    from scan_cursors`);
  return Number(cursor?.number ?? 0) === chain.head().number && Number(cursor?.open) === 0;
}
