import { setTimeout as sleep } from "node:timers/promises";
import { assertSame, type Bench, print } from "../harness.ts";
import { percentilesOf, timesOfRounds, withinP99 } from "../latency.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, type EventReceiver, pay, startEventReceiver } from "../payments.ts";
import { waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import { isAlikeUnanalyzed, MAX_UNANALYZED, stopAutovacuum } from "../unanalyzed.ts";
import { spreadOf } from "../verdict.ts";
import { subscribe } from "../webhook-scene.ts";

const POLL_MS = 100;
const PAYMENTS = 100;
const BLOCKS_PER_ROUND = 4;
/** A new process is slower for its first blocks, until its code is compiled. */
const WARM_UP = 12;
/** The number of blocks from a payment's block to the one that makes it final. */
const FINAL_AFTER_BLOCKS = 19;
/** Half of TRON's block interval, before and after the final block. */
const QUIET_MS = 1_500;
const bars = { max: 1, p99Ms: 250, unanalyzed: MAX_UNANALYZED };

/** The time from a block with many payments to their webhooks. */
export const blockToWebhook: Bench = {
  name: "block-to-webhook",
  measures:
    "the time from the block that makes 100 payments final to the last of their webhooks, by one process of " +
    `role all at TRON_POLL_MS=${POLL_MS}; and once on tables that were never analyzed`,
  bar: `99 of 100 in ${bars.p99Ms} ms, and at most ${bars.unanalyzed} times as slow unanalyzed`,
  run: async ({ rounds }) => {
    const { times, received, delivered } = await measure({ rounds, isAnalyzed: true });
    const fresh = await measure({ rounds: 1, isAnalyzed: false });
    const medians = {
      analyzed: spreadOf(times.flat()).median,
      unanalyzed: spreadOf(fresh.times.flat()).median,
    };
    const result = withinP99(times, bars);
    const [each, event] = [percentilesOf(received), percentilesOf(delivered)];
    const figures = {
      ...result.figures,
      receivedP50Ms: each.p50Ms,
      receivedP99Ms: each.p99Ms,
      deliveredP50Ms: event.p50Ms,
      deliveredP99Ms: event.p99Ms,
    };
    return { ...result, figures, holds: isAlikeUnanalyzed(medians, "ms") };
  },
};

type Measuring = { readonly rounds: number; readonly isAnalyzed: boolean };

/** Times in ms: of each block until its last webhook, and of each webhook from the final block and from its event. */
type Measured = { readonly times: number[][]; readonly received: number[]; readonly delivered: number[] };

/** The times of these rounds, on a stage of their own. */
function measure({ rounds, isAnalyzed }: Measuring): Promise<Measured> {
  return onStage(async (stage) => {
    const deployment = await stage.open("block_to_webhook");
    if (!isAnalyzed) await stopAutovacuum(deployment.db);
    const receiver = await startEventReceiver();
    const blocks = WARM_UP + rounds * BLOCKS_PER_ROUND;
    const addresses = await makeAddresses(deployment, { merchants: 1, ordersEach: blocks * PAYMENTS });
    await subscribe(deployment, receiver.url);
    await deployment.serve("all", { TRON_POLL_MS: String(POLL_MS) });
    let paid = 0;
    let waits: Waits[] = [];
    const next = async (): Promise<number> => {
      const block = addresses.slice(paid, paid + PAYMENTS);
      paid += PAYMENTS;
      const wait = await waitOfBlock(stage, { deployment, receiver, block, paid });
      waits.push(wait);
      return Math.max(...wait.received);
    };
    for (let block = 0; block < WARM_UP; block += 1) await next();
    waits = [];
    // Tables are vacuumed, as autovacuum does once they have grown.
    if (isAnalyzed) await deployment.db.query("vacuum analyze");
    const times = await timesOfRounds({ rounds, each: BLOCKS_PER_ROUND }, next);
    await receiver.stop();
    assertSame("webhooks", { paid, delivered: await countOf(deployment, "webhook_deliveries") });
    const all = (of: (wait: Waits) => readonly number[]) => waits.flatMap(of);
    return { times, received: all(({ received }) => received), delivered: all(({ delivered }) => delivered) };
  });
}

/** The milliseconds of each webhook of a block: from the final block, and from the transaction of its event. */
type Waits = { readonly received: readonly number[]; readonly delivered: readonly number[] };

type Block = {
  readonly deployment: StagedDeployment;
  readonly receiver: EventReceiver;
  /** its addresses */
  readonly block: readonly string[];
  /** payments so far, these included */
  readonly paid: number;
};

/** Pays the addresses in one block, and makes it final. */
async function waitOfBlock(stage: Stage, { deployment, receiver, block, paid }: Block): Promise<Waits> {
  await pay(stage, block);
  await control(stage, "mine", { blocks: 1 });
  const isDetected = async () => (await countOf(deployment, "deposits")) === paid;
  await waitUntil("the payments are detected", isDetected);
  await control(stage, "mine", { blocks: FINAL_AFTER_BLOCKS - 2 });
  await sleep(QUIET_MS + Math.random() * POLL_MS);
  if ((await countOf(deployment, "webhook_deliveries")) >= paid)
    throw new Error("the payments were final before");
  await control(stage, "mine", { blocks: 1 });
  const [servedMs, servedAt] = [performance.now(), Date.now()];
  const arrivals = await Promise.all(block.map((address) => receiver.awaitText(address)));
  const received = arrivals.map((arrivedMs) => arrivedMs - servedMs);
  await sleep(QUIET_MS);
  const writtenMs = await printSteps(deployment, { servedAt, lastMs: Math.max(...received) });
  return { received, delivered: received.map((ms) => ms - writtenMs) };
}

/**
 * Prints the parts of the time: until the events' transaction began, until their first attempt, and until the last
 * webhook. Returns the first.
 */
async function printSteps(
  { db }: StagedDeployment,
  { servedAt, lastMs }: { servedAt: number; lastMs: number },
): Promise<number> {
  const { rows } = await db.query(
    "select min(attempted_at) as first, (select max(created_at) from webhook_events) as written from webhook_attempts where attempted_at >= $1",
    [new Date(servedAt)],
  );
  const writtenMs = rows[0].written - servedAt;
  const steps = [writtenMs, rows[0].first - servedAt, Math.round(lastMs)];
  print(`    ${steps.join(" ms, ")} ms (transaction, first attempt, last webhook)`);
  return writtenMs;
}

async function countOf({ db }: StagedDeployment, table: "deposits" | "webhook_deliveries"): Promise<number> {
  return (await db.query(`select count(*)::int as count from ${table}`)).rows[0].count;
}
