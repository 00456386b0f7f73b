import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, print, round3 } from "../harness.ts";
import { control, type EventReceiver, pay, startEventReceiver } from "../payments.ts";
import { residentBytesOf } from "../processor-time.ts";
import { waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment, type StagedMerchant } from "../stage.ts";
import { spreadOf } from "../verdict.ts";

/** TRON's block interval. */
const BLOCK_MS = 3_000;
const SETTLE_MS = 15_000;
/** The length of the measurement, in stretches of another bench. */
const STRETCHES = 12;
const PAYMENTS = 10;
const QUIET_MS = 4_000;
const FINAL_AFTER_BLOCKS = 20;
const BYTES_PER_MB = 1_000_000;
/** The limits: 135 and 690 ms at 40 polls a second, plus noise. */
const DETECTED_WITHIN_MS = 300;
const DELIVERED_WITHIN_MS = 800;
/** The most transactions a second of a process of role webhooks. */
const MAX_PER_WEBHOOK_RATIO = 3;
/** Of the process of all roles, at rest. */
const MAX_RESIDENT_MB = 180;
const bars = {
  max: 5,
  residentMb: MAX_RESIDENT_MB,
  webhooks: MAX_PER_WEBHOOK_RATIO,
  detectedMs: DETECTED_WITHIN_MS,
  deliveredMs: DELIVERED_WITHIN_MS,
};

/** The database's cost of an idle service, and proof that it is awake. */
export const idle: Bench = {
  name: "idle",
  measures:
    "transactions a second that one process of role all makes at default settings while the chain makes empty " +
    "blocks, and one of role webhooks; the resident memory of the first; from idleness, the time from a block to its deposit, and from the final block to the webhook",
  bar: `at most ${bars.max} a second, and ${bars.webhooks} of role webhooks; ${bars.residentMb} MB; medians of at most ${bars.detectedMs} and ${bars.deliveredMs} ms`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("idle");
      const owner = await deployment.merchant();
      const service = await deployment.serve("all");
      const baseUrl = `http://127.0.0.1:${service.port}`;
      const receiver = await startEventReceiver();
      const shop = { stage, deployment, owner, baseUrl, receiver };
      await call(shop, "/v1/webhooks/endpoints", { url: receiver.url, eventTypes: ["deposit.confirmed"] });
      await control(stage, "config", { blockTimeMs: BLOCK_MS, paused: false });
      await sleep(SETTLE_MS);

      const seconds = effort.seconds * STRETCHES;
      const rate = await rateOf(deployment, seconds);
      const residentMb = Math.round(residentBytesOf(service.pid) / BYTES_PER_MB);
      print(`  ${rate.toFixed(2)} transactions a second over ${seconds} s, and ${residentMb} MB`);

      const [detected, delivered]: [number[], number[]] = [[], []];
      for (let payment = 0; payment < PAYMENTS; payment += 1) {
        await sleep(QUIET_MS);
        const took = await payOnce(shop);
        detected.push(took.detectedMs);
        delivered.push(took.deliveredMs);
      }
      const [detection, delivery] = [spreadOf(detected), spreadOf(delivered)];
      for (const [what, { median, min, max }] of [
        ["detected", detection],
        ["delivered", delivery],
      ] as const) {
        print(`  ${what} after ${Math.round(median)} ms (${Math.round(min)} to ${Math.round(max)})`);
      }
      await service.stop();
      await deployment.serve("webhooks");
      await sleep(SETTLE_MS);
      const webhookRate = await rateOf(deployment, seconds);
      print(`  ${webhookRate.toFixed(2)} of a process of role webhooks`);
      await receiver.stop();
      const holds = detection.median <= bars.detectedMs && delivery.median <= bars.deliveredMs;
      return {
        ratio: round3(rate / bars.max),
        ours: round3(rate),
        ceiling: bars.max,
        unit: "transactions a second",
        rounds: 1,
        figures: {
          detectedMs: Math.round(detection.median),
          deliveredMs: Math.round(delivery.median),
          webhooksPerSecond: round3(webhookRate),
          residentMb,
        },
        bars,
        holds: holds && rate <= bars.max && webhookRate <= bars.webhooks && residentMb <= bars.residentMb,
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: false,
      };
    }),
};

type Shop = {
  readonly stage: Stage;
  readonly deployment: StagedDeployment;
  readonly owner: StagedMerchant;
  readonly baseUrl: string;
  readonly receiver: EventReceiver;
};

async function payOnce(shop: Shop): Promise<{ detectedMs: number; deliveredMs: number }> {
  const { stage, deployment, receiver } = shop;
  const { id, address } = await call<{ id: string; address: string }>(shop, "/v1/deposit-addresses", {
    amount: "0.01",
  });
  await pay(stage, [address]);
  await control(stage, "mine", { blocks: 1 });
  const minedMs = performance.now();
  const isDetected = async (): Promise<boolean> => {
    const { rowCount } = await deployment.db.query("select from deposits where address = $1", [address]);
    return rowCount === 1;
  };
  await waitUntil("the deposit is seen", isDetected, 5);
  const detectedMs = performance.now() - minedMs;
  await control(stage, "mine", { blocks: FINAL_AFTER_BLOCKS });
  const finalMs = performance.now();
  return { detectedMs, deliveredMs: (await receiver.awaitText(id)) - finalMs };
}

async function call<T>({ baseUrl, owner }: Shop, path: string, body: object): Promise<T> {
  const headers = { "x-api-key": owner.apiKey, "content-type": "application/json" };
  const answer = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}

async function rateOf(deployment: StagedDeployment, seconds: number): Promise<number> {
  const before = await transactions(deployment);
  await sleep(seconds * 1_000);
  return ((await transactions(deployment)) - before) / seconds;
}

/** The transactions of all sessions in this database; each measurement adds one. */
async function transactions({ db }: StagedDeployment): Promise<number> {
  const { rows } = await db.query(
    "select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()",
  );
  return rows[0].count;
}
