import { setTimeout as sleep } from "node:timers/promises";
import { assertSame, type Bench, print, round3 } from "../harness.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, type EventReceiver, pay, startEventReceiver } from "../payments.ts";
import { waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import { isInconclusive, quantileOf, spreadOf } from "../verdict.ts";
import { subscribe } from "../webhook-scene.ts";

const POLL_MS = 100;
const PAYMENTS = 100;
const BLOCKS_PER_ROUND = 4;
const WARM_UP = 3;
/** The block of a payment, and those after it that make it final. */
const FINAL_AFTER_BLOCKS = 19;
/** Half of TRON's block interval, before and after the final block. */
const QUIET_MS = 1_500;
const bars = { most: 1, p99Ms: 250 };

/** How soon the payments of a full block are webhooks. */
export const blockToWebhook: Bench = {
  name: "block-to-webhook",
  measures:
    "from when the node serves the block that makes 100 payments final to the last of their webhooks, by one process of " +
    `role all at TRON_POLL_MS=${POLL_MS}`,
  bar: `99 of 100 in ${bars.p99Ms} ms`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("block_to_webhook");
      const receiver = await startEventReceiver();
      const blocks = WARM_UP + effort.rounds * BLOCKS_PER_ROUND;
      const addresses = await makeAddresses(deployment, { merchants: 1, ordersEach: blocks * PAYMENTS });
      await subscribe(deployment, receiver.url);
      await deployment.serve("all", { TRON_POLL_MS: String(POLL_MS) });
      let paid = 0;
      const next = (): Promise<number> => {
        const block = addresses.slice(paid, paid + PAYMENTS);
        paid += PAYMENTS;
        return waitOfBlock(stage, { deployment, receiver, block, paid });
      };
      for (let block = 0; block < WARM_UP; block += 1) await next();
      const rounds: number[][] = [];
      for (let round = 1; round <= effort.rounds; round += 1) {
        const took: number[] = [];
        while (took.length < BLOCKS_PER_ROUND) took.push(await next());
        rounds.push(took);
        const { median, least, most } = spreadOf(took);
        print(
          `  round ${round}: ${[median, least, most].map(Math.round).join(" ms, ")} ms (median, least, most)`,
        );
      }
      await receiver.stop();
      assertSame("webhooks", { paid, delivered: await countOf(deployment, "webhook_deliveries") });
      const p99 = quantileOf(rounds.flat(), 0.99);
      return {
        ratio: round3(p99 / bars.p99Ms),
        ours: round3(p99),
        ceiling: bars.p99Ms,
        unit: "ms",
        rounds: rounds.length,
        bars,
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: isInconclusive(rounds.map((took) => spreadOf(took).median)),
      };
    }),
};

type Block = {
  readonly deployment: StagedDeployment;
  readonly receiver: EventReceiver;
  /** its addresses */
  readonly block: readonly string[];
  /** payments so far, these included */
  readonly paid: number;
};

/** Pays the addresses in one block; returns the milliseconds from the final block to the last webhook. */
async function waitOfBlock(stage: Stage, { deployment, receiver, block, paid }: Block): Promise<number> {
  await pay(stage, block);
  await control(stage, "mine", { blocks: 1 });
  const isDetected = async () => (await countOf(deployment, "deposits")) === paid;
  await waitUntil("the payments are detected", isDetected);
  await control(stage, "mine", { blocks: FINAL_AFTER_BLOCKS - 2 });
  await sleep(QUIET_MS + Math.random() * POLL_MS);
  if ((await countOf(deployment, "webhook_deliveries")) >= paid)
    throw new Error("the payments were final before");
  await control(stage, "mine", { blocks: 1 });
  const servedMs = performance.now();
  const arrivals = await Promise.all(block.map((address) => receiver.awaitText(address)));
  await sleep(QUIET_MS);
  return Math.max(...arrivals) - servedMs;
}

async function countOf({ db }: StagedDeployment, table: "deposits" | "webhook_deliveries"): Promise<number> {
  return (await db.query(`select count(*)::int as count from ${table}`)).rows[0].count;
}
