import { setTimeout as sleep } from "node:timers/promises";
import { assertSame, type Bench } from "../harness.ts";
import { timesOfRounds, withinP99 } from "../latency.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, pay } from "../payments.ts";
import { waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";

const POLL_MS = 250;
/** Payments in a round. Of the 200 payments in five rounds, the slowest two may miss the bar. */
const PAYMENTS = 40;
/** The first payments of a fresh process are not measured. */
const WARM_UP = 20;
/**
 * The pause between two payments. Up to one poll is added at random, so that blocks come at any moment between two
 * polls.
 */
const PAUSE_MS = 200;
const CHECK_EVERY_MS = 5;
const bars = { max: 1, p99Ms: 400 };

/** The time from a payment's block to its deposit. */
export const tipLatency: Bench = {
  name: "tip-latency",
  measures: `the time from when the node serves a block to the row of its deposit, at TRON_POLL_MS=${POLL_MS}: 99 of 100`,
  bar: `at most ${bars.p99Ms} ms`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("tip_latency");
      const payments = PAYMENTS * effort.rounds + WARM_UP;
      const orders = (await makeAddresses(deployment, { merchants: 1, ordersEach: payments })).values();
      await deployment.serve("watcher", { TRON_POLL_MS: String(POLL_MS) });
      const measureOne = async (): Promise<number> => {
        const { value: address = "" } = orders.next();
        return detectionMs(stage, { deployment, address });
      };
      for (let payment = 0; payment < WARM_UP; payment += 1) await measureOne();

      const times = await timesOfRounds({ rounds: effort.rounds, each: PAYMENTS }, measureOne);
      const { rows } = await deployment.db.query("select count(*)::int as count from deposits");
      assertSame("deposits", { paid: payments, rows: rows[0].count });
      return withinP99(times, bars);
    }),
};

/** Pays an address in a block of its own, and waits for its deposit. */
async function detectionMs(
  stage: Stage,
  { deployment, address }: { deployment: StagedDeployment; address: string },
): Promise<number> {
  await pay(stage, [address]);
  await sleep(PAUSE_MS + Math.random() * POLL_MS);
  await control(stage, "mine", { blocks: 1 });
  const servedMs = performance.now();
  const isDetected = async (): Promise<boolean> => {
    const { rowCount } = await deployment.db.query("select from deposits where address = $1", [address]);
    return rowCount === 1;
  };
  await waitUntil("the deposit is there", isDetected, CHECK_EVERY_MS);
  return performance.now() - servedMs;
}
