import { once } from "node:events";
import { Daric } from "@daric/sdk";
import { startReceiver } from "@daric/testing/receiver";
import { type FurtherProcess, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Balancer, startBalancer } from "./balancer.ts";
import { callDuring } from "./rolling-restart.ts";

const REQUESTS = 2_000;
const ORDERS = 40;
/** No other work may continue this long after a stop. */
const SLOW_ANSWER_MS = 9_500;

let stack: Stack;
let merchant: StackMerchant;

beforeEach(async () => {
  stack = await startStack();
  merchant = await stack.merchant();
  await stack.stopService();
});
afterEach(() => stack.stop());

const isReady = async ({ url }: FurtherProcess) => (await fetch(`${url}/readyz`)).ok;

/** Starts processes, each with one of these roles, and waits until all are ready. */
async function startBeside(...roles: Parameters<Stack["startBeside"]>[0][]): Promise<FurtherProcess[]> {
  const started = await Promise.all(roles.map((role) => stack.startBeside(role)));
  for (const process of started) await until("it is ready", () => isReady(process), 60_000);
  return started;
}

/** Stops an api like a supervisor, and restarts it at its address; returns its exit code. */
async function restart(api: FurtherProcess, balancer: Balancer): Promise<number> {
  const [code] = await Promise.all([
    once(api.process, "exit").then(([exitCode]) => exitCode as number),
    api.process.kill("SIGTERM"),
  ]);
  await stack.startBeside("api", { PORT: new URL(api.url).port, SHUTDOWN_DRAIN_MS: "5000" });
  await until("the balancer sends requests to it", () => balancer.sendsTo(api.url), 60_000);
  return code;
}

it("a rolling restart of two apis behind a balancer fails none of 2,000 requests", {
  timeout: 240_000,
}, async () => {
  const apis = await Promise.all([1, 2].map(() => stack.startBeside("api", { SHUTDOWN_DRAIN_MS: "5000" })));
  for (const api of apis) await until("it is ready", () => isReady(api), 60_000);
  const balancer = await startBalancer(apis.map(({ url }) => url));
  const codes: number[] = [];
  const inquiry = { url: balancer.url, apiKey: merchant.apiKey, requests: REQUESTS };
  const { count, made, failed } = await callDuring(inquiry, async () => {
    for (const api of apis) codes.push(await restart(api, balancer));
  });
  balancer.stop();

  expect(failed).toEqual([]);
  expect(codes).toEqual([0, 0]);
  expect(count).toBeGreaterThanOrEqual(REQUESTS);
  const client = new Daric({ baseUrl: apis[0]?.url ?? "", apiKey: merchant.apiKey });
  expect((await client.depositAddresses.list({ limit: 1 })).meta.total).toBe(made.length);
});

/** Sends `units` of USDT, and returns when the chain has accepted it. */
async function pay(address: string, units: string): Promise<void> {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  await token.transfer(address, units).send({ feeLimit: 100_000_000 });
}

/** The leading watcher. */
async function leaderOf(watchers: readonly FurtherProcess[]): Promise<FurtherProcess> {
  let leader: FurtherProcess | undefined;
  await until("one of the watchers leads", async () => {
    for (const watcher of watchers) {
      const metrics = await (await fetch(`${watcher.url}/metrics`)).text();
      if (/^daric_watcher_leader 1$/m.test(metrics)) leader = watcher;
    }
    return leader !== undefined;
  });
  return leader as FurtherProcess;
}

it("with one of each role killed, every answered order is paid and announced under one id", {
  timeout: 240_000,
}, async () => {
  const watchers = await startBeside("watcher", "watcher");
  const workers = await startBeside("webhooks", "webhooks");
  const apis = await startBeside("api", "api");
  const clients = apis.map(({ url }) => new Daric({ baseUrl: url, apiKey: merchant.apiKey, maxRetries: 0 }));
  const receiver = await startWebhookReceiver();
  await clients[0]?.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });

  const kills = new Map([
    [10, async () => apis[0]?.process.kill("SIGKILL")],
    [20, async () => (await leaderOf(watchers)).process.kill("SIGKILL")],
    [30, async () => workers[0]?.process.kill("SIGKILL")],
  ]);
  const made: string[] = [];
  const refused: number[] = [];
  for (let number = 0; number < ORDERS; number += 1) {
    const client = clients[number % clients.length];
    const order = { amount: "2", orderRef: `killed-${number}` };
    const created = await client?.depositAddresses.create(order).catch(() => undefined);
    if (created === undefined) refused.push(number);
    else {
      made.push(created.id);
      await pay(created.address, "2000000");
    }
    await stack.mine(1);
    await kills.get(number)?.();
  }
  const toKilledApi = [...Array(ORDERS).keys()].filter((number) => number > 10 && number % 2 === 0);
  expect(refused).toEqual(toKilledApi);

  await stack.mine(20);
  const paid = () => receiver.received.map(({ event }) => String(event.data.depositAddressId));
  await until("all are announced", () => made.every((id) => paid().includes(id)), 60_000);
  const ids = new Set(receiver.received.map(({ event }) => event.id));
  expect(ids.size).toBe(made.length);
  await receiver.stop();
});

it("a webhook in progress at a stop of its process is answered and recorded, and sent once", {
  timeout: 240_000,
}, async () => {
  const [api, worker] = (await startBeside("api", "webhooks", "watcher")) as [
    FurtherProcess,
    FurtherProcess,
    FurtherProcess,
  ];
  const client = new Daric({ baseUrl: api.url, apiKey: merchant.apiKey });
  const receiver = await startReceiver();
  receiver.answer = (response) => setTimeout(() => response.writeHead(200).end(), SLOW_ANSWER_MS);
  await client.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });
  const { address } = await client.depositAddresses.create({ amount: "2", orderRef: "slow" });
  await pay(address, "2000000");
  await stack.mine(20);
  await until("the webhook is sent", () => receiver.received.length > 0);
  const ended = once(worker.process, "exit");
  worker.process.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
  const { data } = await client.webhooks.deliveries.list();
  expect(data).toMatchObject([{ status: "DELIVERED", attempt_count: 1 }]);
  expect(receiver.received.length).toBe(1);
  await receiver.close();
});
