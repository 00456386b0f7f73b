import { setTimeout as sleep } from "node:timers/promises";
import { createOrders, createRequest, getRequest, UNCAPPED } from "../charge-requests.ts";
import { type Answers, goodputOf, startClients } from "../clients.ts";
import { openGenerator } from "../generator.ts";
import { type Bench, print, round3 } from "../harness.ts";
import { control } from "../payments.ts";
import type { Program } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment, type StagedMerchant } from "../stage.ts";
import { quantileOf } from "../verdict.ts";

const BLOCK_MS = 3_000;
const MERCHANTS = 10;
/** The highest rate among these is the peak. */
const PEAK_CLIENTS = [16, 64, 160];
const CLIENTS = 640;
/** The length of the flood, in stretches of another bench. */
const STRETCHES = 12;
const HONEST_EVERY_MS = 200;
const POLL_MS = 250;
const NORMAL_AFTER_MS = 5_000;
/** The noise of a response time on an idle machine. */
const NORMAL_MS = 100;
const bars = { must: 0.7, honestMs: 1_000, blocksBehind: 2 };

/** The throughput that remains at ten times the capacity. */
export const overload: Bench = {
  name: "overload",
  measures:
    `successful answers a second to ${CLIENTS} clients of ${MERCHANTS} merchants that keep their connections and wait as ` +
    "long as Retry-After, over the most of any smaller number of clients; beside them an honest client of another merchant sends five requests a second, in a " +
    "process of its own, and the scanner reads a chain",
  bar:
    `at least ${bars.must}; 99 of 100 honest requests within ${bars.honestMs} ms, waits included; the scanner never more ` +
    `than ${bars.blocksBehind} blocks behind; 5 s after the flood all figures are as before it`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("overload");
      const service = await deployment.serve("all");
      const merchants: StagedMerchant[] = [];
      for (let made = 0; made <= MERCHANTS; made += 1) merchants.push(await deployment.merchant(...UNCAPPED));
      const requests = await Promise.all(merchants.map((merchant) => mixOf(service, merchant)));
      const honestRequests = requests.pop() ?? [];
      const crowd = (clients: number) => startClients(stage, service, { clients, requests: requests.flat() });
      const honest = await startClients(stage, service, {
        clients: 1,
        everyMs: HONEST_EVERY_MS,
        requests: honestRequests,
      });
      await control(stage, "config", { blockTimeMs: BLOCK_MS, paused: false });

      let peak = 0;
      for (const clients of [PEAK_CLIENTS[0] ?? 1, ...PEAK_CLIENTS]) {
        const some = await crowd(clients);
        const goodput = goodputOf(await some.run({ seconds: effort.seconds }));
        print(`  ${clients} clients: ${Math.round(goodput)}/s`);
        peak = Math.max(peak, goodput);
        await some.stop();
      }
      const quiet = await honest.run({ seconds: effort.seconds });
      const seconds = effort.seconds * STRETCHES;
      const [all, beside, behind] = await Promise.all([
        (await crowd(CLIENTS)).run({ seconds }),
        honest.run({ seconds }),
        blocksBehind(stage, { deployment, seconds }),
      ]);
      await sleep(NORMAL_AFTER_MS);
      const after = await honest.run({ seconds: effort.seconds });

      const goodput = goodputOf(all);
      print(
        `  ${CLIENTS} clients: ${Math.round(goodput)}/s, ${all.refused} refused, ${JSON.stringify(all.others)}`,
      );
      for (const [when, answers] of Object.entries({ before: quiet, meanwhile: beside, after }))
        print(`  the honest one ${when}: ${lineOf(answers)}`);
      print(`  the scanner was ${behind} blocks behind at most`);
      const isNormal = after.refused === 0 && p99Of(after) <= Math.max(2 * p99Of(quiet), NORMAL_MS);
      return {
        ratio: round3(goodput / peak),
        ours: round3(goodput),
        ceiling: round3(peak),
        unit: "a second",
        rounds: 1,
        bars,
        holds: p99Of(beside) <= bars.honestMs && behind <= bars.blocksBehind && isNormal,
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: false,
      };
    }),
};

/** The requests of a merchant and its payers: create, retrieve, list and the checkout. */
async function mixOf(service: Program, merchant: StagedMerchant): Promise<Buffer[]> {
  const generator = await openGenerator(service.port, 1);
  const orders = await createOrders(generator, merchant, 5);
  generator.close();
  return orders.flatMap(({ id, token }) => [
    createRequest(merchant).bytes,
    getRequest(`/v1/deposit-addresses/${id}`, merchant).bytes,
    getRequest("/v1/deposit-addresses?limit=20", merchant).bytes,
    getRequest(`/v1/checkout/${token}`).bytes,
  ]);
}

/** The largest distance of the scanner from the head. */
async function blocksBehind(
  stage: Stage,
  { deployment, seconds }: { deployment: StagedDeployment; seconds: number },
): Promise<number> {
  let max = 0;
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; await sleep(POLL_MS)) {
    const { rows } = await deployment.db.query("select max(number)::int as number from blocks");
    const info = (await (await fetch(`${stage.devchain.url}/devchain/info`)).json()) as { head: number };
    max = Math.max(max, info.head - rows[0].number);
  }
  return max;
}

function lineOf(answers: Answers): string {
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(quantileOf(answers.tookMs, share)));
  return `${p50} and ${p99} ms for 50 and 99 of 100, ${answers.refused} of ${answers.done} refused first`;
}

function p99Of({ tookMs }: Answers): number {
  return quantileOf(tookMs, 0.99);
}
