import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, print } from "../harness.ts";
import { percentilesOf, timesOfRounds, withinP99 } from "../latency.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, pay } from "../payments.ts";
import { type Program, waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import { quantileOf, spreadOf } from "../verdict.ts";
import { subscribe } from "../webhook-scene.ts";

const EVENTS_PER_ROUND = 10;
const WARM_UP = 5;
/** The pause between two events, in which the service becomes idle. Up to one poll is added at random. */
const PAUSE_MS = 700;
const POLL_MS = 500;
const FINAL_AFTER_BLOCKS = 20;
const bars = { max: 1, medianMs: 20, p99Ms: 200, betweenMs: 600 };

/** The time in which an idle service sends an event. */
export const webhooksWakeup: Bench = {
  name: "webhooks-wakeup",
  measures:
    "from the transaction that announces an event to the first byte at an idle receiver: in one process of role all, and " +
    "between the processes of two roles, where only the poll finds the event",
  bar: `in one process a median of ${bars.medianMs} ms and 99 of 100 in ${bars.p99Ms} ms; between two, 99 of 100 in ${bars.betweenMs} ms`,
  run: (effort) =>
    onStage(async (stage) => {
      const { rounds } = effort;
      const deployment = await stage.open("webhooks_wakeup");
      const ordersEach = 2 * (WARM_UP + rounds * EVENTS_PER_ROUND);
      const addresses = (await makeAddresses(deployment, { merchants: 1, ordersEach })).values();
      const receiver = await startClockedReceiver();
      await subscribe(deployment, receiver.url);
      const scene = { deployment, receiver, addresses };
      const alone = await measure(stage, scene, { roles: ["all"], rounds });
      const between = await measure(stage, scene, { roles: ["watcher", "webhooks"], rounds });
      await receiver.stop();
      const median = spreadOf(alone.flat()).median;
      const result = withinP99(alone, bars);
      const betweenMs = quantileOf(between.flat(), 0.99);
      print(`  in one process ${Math.round(median)} ms, 99 of 100 in ${Math.round(result.ours)} ms`);
      print(`  between two 99 of 100 in ${Math.round(betweenMs)} ms`);
      const { p50Ms, p99Ms } = percentilesOf(between.flat());
      const figures = { ...result.figures, betweenP50Ms: p50Ms, betweenP99Ms: p99Ms };
      return { ...result, figures, holds: median <= bars.medianMs && betweenMs <= bars.betweenMs };
    }),
};

type Scene = {
  readonly deployment: StagedDeployment;
  readonly receiver: Awaited<ReturnType<typeof startClockedReceiver>>;
  /** addresses of orders that are not paid yet */
  readonly addresses: IterableIterator<string>;
};

type Measurement = { readonly roles: readonly ("all" | "watcher" | "webhooks")[]; readonly rounds: number };

/** The waits of each round, with processes of these roles. */
async function measure(stage: Stage, scene: Scene, { roles, rounds }: Measurement): Promise<number[][]> {
  const programs: Program[] = [];
  for (const role of roles) programs.push(await scene.deployment.serve(role, { TRON_POLL_MS: "100" }));
  for (let event = 0; event < WARM_UP; event += 1) await waitOfNext(stage, scene);
  const name = `${roles.join(" and ")}, `;
  const measured = await timesOfRounds({ rounds, each: EVENTS_PER_ROUND, name }, () =>
    waitOfNext(stage, scene),
  );
  for (const program of programs) await program.stop();
  return measured;
}

/** Pays an address; returns the milliseconds from the start of the announcing transaction to the webhook. */
async function waitOfNext(stage: Stage, { deployment, receiver, addresses }: Scene): Promise<number> {
  const { value: address } = addresses.next();
  if (typeof address !== "string") throw new Error("no order is left");
  await pay(stage, [address]);
  await sleep(PAUSE_MS + Math.random() * POLL_MS);
  const before = receiver.arrivals.length;
  await control(stage, "mine", { blocks: FINAL_AFTER_BLOCKS + 1 });
  await waitUntil("the webhook has come", async () => receiver.arrivals.length > before, 5);
  const { rows } = await deployment.db.query("select max(created_at) as at from webhook_deliveries");
  return (receiver.arrivals.at(-1) ?? 0) - rows[0].at.getTime();
}

/** Notes when each request begins, by the wall clock that PostgreSQL shares. */
async function startClockedReceiver() {
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    arrivals.push(Date.now());
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
