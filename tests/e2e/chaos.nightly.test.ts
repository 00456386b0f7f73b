import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Daric } from "@daric/sdk";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDemoHome, type DemoHome } from "./demo-home.ts";
import { createDice } from "./faults/dice.ts";
import { lies } from "./faults/lies.ts";
import { type LyingNode, startLyingNode } from "./faults/lying-node.ts";

/** The minutes of the run; `npm run chaos` takes ten, with 200 orders. `LIES_SEED` sets another seed. */
/** Longer than `STEADY_MS` of apps/demo/src/child.ts. */
const DEMO_STEADY_MS = 11_000;
const MINUTES = Number(process.env.LIES_MINUTES ?? "0.4");
const SEED = Number(process.env.LIES_SEED ?? "1");
const ORDERS = Math.max(8, Math.min(200, Math.round(MINUTES * 20)));
/**
 * The limit for confirmation of an honest payment after its finality, while another node is honest. One node
 * is queried again half a minute later, and a third time after as long if it disagrees.
 */
const CONFIRMED_WITHIN_MS = 90_000;
const BLOCK_TIME_MS = 250;
/** The chain begins this long ago, because its blocks come faster than real time and none may be in the future. */
const CHAIN_BEGAN_MS = 2 * (MINUTES + 2) * 60_000 * (3_000 / BLOCK_TIME_MS);
const PRICE = 25_000_000;

/** Lasting lies of a node beside an honest one. */
const LASTING = [
  "payments of USDT have no logs",
  "a paid block lacks a transaction",
  "a paid block reports its transactions as failed",
  "infos have no result",
  "the solid block is the head",
  "a block is another one, with a matching id",
] as const satisfies (keyof typeof lies)[];

let chain: TestDevchain;
/** lies from time to time */
let node: LyingNode;
/** lags behind the first node, and lies permanently from some moment on */
let lastingLiar: LyingNode;
let home: DemoHome;
let demo: Row;
let payer: ReturnType<TestDevchain["tronWeb"]>;
let daric: Daric;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const startMs = Date.now() - CHAIN_BEGAN_MS;
  const begun = aDevchain({ now: () => startMs });
  [chain, home, receiver] = await Promise.all([begun, createDemoHome(), startWebhookReceiver()]);
  lastingLiar = await startLyingNode(chain.url);
  node = await startLyingNode(lastingLiar.url);
  payer = chain.tronWeb();
  await chain.mine(25);
  Object.assign(home.env, {
    TRON_NETWORK: "private",
    TRON_GENESIS_ID: chain.genesisId,
    USDT_CONTRACT: chain.usdtContract,
    TRON_NODE_URLS: `${node.url},${chain.url}`,
    TRON_POLL_MS: "100",
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    WEBHOOK_RETRY_SCHEDULE: "0s,300ms,300ms,300ms,1s,2s,4s,8s,16s",
    RATE_LIMIT_KEY_PER_SECOND: "1000",
    RATE_LIMIT_KEY_BURST: "1000",
  });
  demo = await home.ready(home.start());
  daric = new Daric({ baseUrl: demo.baseUrl, apiKey: demo.apiKey });
  await daric.webhooks.endpoints.create({
    url: receiver.url,
    eventTypes: ["deposit.confirmed", "order.paid", "order.overpaid", "order.expired", "order.underpaid"],
  });
});

afterAll(async () => {
  await home.close();
  await Promise.all([receiver.stop(), node.stop(), lastingLiar.stop()]);
  await chain.stop();
});

type Payment = { readonly orderId: string; readonly txHash: string; readonly units: number };

it(
  `chain, database, events and statuses agree after ${MINUTES} minutes of lies, forks, kills and pauses (seed ${SEED})`,
  async () => {
    const dice = createDice(SEED);
    await chain.control("config", { paused: false, blockTimeMs: BLOCK_TIME_MS });
    const stopping = new AbortController();
    const troubles = makeTrouble(createDice(SEED + 1), stopping.signal);
    const { orders, payments } = await payOrders(dice);
    stopping.abort();
    const made = await troubles;

    node.beHonest();
    await chain.mine(25);
    await chain.control("config", { paused: true });
    const onChain = await inBlocks(payments);
    await until("every payment on the chain is confirmed", () => areConfirmed(onChain), CONFIRMED_WITHIN_MS);
    await until("the events have arrived", async () => {
      const sums = sumsOf(onChain);
      const paid = orders.filter((id) => (sums.get(id) ?? 0) >= PRICE);
      return paid.every((id) => eventsOf(id, "order.paid").size === 1);
    });
    await compareLedger(orders, onChain);
    process.stdout.write(
      `${orders.length} orders, ${payments.length} payments sent, ${onChain.length} on the chain; ${JSON.stringify(made)}\n`,
    );
  },
  // The calls come one after the other, and each waits while the service is down.
  2 * MINUTES * 60_000 + 300_000,
);

/** Orders paid exactly, in two parts, too little, too much, twice or not at all, spread over the run. */
async function payOrders(dice: ReturnType<typeof createDice>) {
  const orders: string[] = [];
  const payments: Payment[] = [];
  const pauseMs = (MINUTES * 60_000) / ORDERS;
  for (let made = 0; made < ORDERS; made += 1) {
    const started = performance.now();
    const { order } = await persistently(() =>
      daric.createOrderOnce({ amount: "25", orderRef: `A-${made}` }),
    );
    orders.push(order.id);
    const parts = dice.pick([
      [PRICE],
      [PRICE],
      [10_000_000, 15_000_000],
      [24_000_000],
      [30_000_000],
      [PRICE, PRICE],
      [],
    ]);
    for (const units of parts) {
      const txHash = await persistently(() => payUsdt(order.address, units));
      payments.push({ orderId: order.id, txHash, units });
    }
    await sleep(Math.max(0, pauseMs - (performance.now() - started)));
  }
  return { orders, payments };
}

/**
 * Causes faults one after another: lies, forks, a killed service, a killed database, a paused leader, a second
 * watcher. From the middle on there is a lasting lie too.
 */
async function makeTrouble(dice: ReturnType<typeof createDice>, signal: AbortSignal): Promise<Troubles> {
  const troubles: Troubles = {
    lies: 0,
    forks: 0,
    killedServices: 0,
    killedDatabases: 0,
    pauses: 0,
    watchers: 0,
  };
  const watchers: ChildProcess[] = [];
  const middle = performance.now() + MINUTES * 30_000;
  let lasting: string | undefined;
  while (!signal.aborted) {
    await sleep(200 + dice.roll(1_200));
    if (lasting === undefined && performance.now() > middle) {
      lasting = dice.pick(LASTING);
      lastingLiar.inject(lies[lasting as (typeof LASTING)[number]], Number.POSITIVE_INFINITY);
      process.stdout.write(`from now on: ${lasting}\n`);
    }
    const trouble = dice.roll(100);
    if (trouble < 65) {
      // Unused lies are dropped, because they are added faster than queries use them.
      node.beHonest();
      node.inject(dice.pick(Object.values(lies)), 1 + dice.roll(4));
      troubles.lies += 1;
    } else if (trouble < 80) {
      await chain.control("reorg", { depth: 1 + dice.roll(17) });
      troubles.forks += 1;
    } else if (trouble < 86) {
      troubles.killedServices += await killPart("service");
    } else if (trouble < 90) {
      troubles.killedDatabases += await killPart("postgres");
    } else if (trouble < 95) {
      for (const watcher of watchers.splice(0)) watcher.kill("SIGKILL");
      watchers.push(await startWatcher());
      troubles.watchers += 1;
    } else {
      await pauseService(4_500 + dice.roll(2_000));
      troubles.pauses += 1;
    }
  }
  for (const watcher of watchers) watcher.kill("SIGKILL");
  return troubles;
}

type Troubles = Record<
  "lies" | "forks" | "killedServices" | "killedDatabases" | "pauses" | "watchers",
  number
>;

const killedMs = new Map<string, number>();

/**
 * Kills a part of the demo, waits for its replacement, ready or not, and returns 1. It returns 0 for a part that has just started. The
 * demo gives up a part that ends six times in a row so soon.
 */
async function killPart(part: "service" | "postgres"): Promise<number> {
  if (performance.now() - (killedMs.get(part) ?? -Infinity) < DEMO_STEADY_MS) return 0;
  const before = (await home.read()).pids[part];
  process.kill(before, "SIGKILL");
  await until(`another ${part} is running`, async () => (await home.read()).pids[part] !== before, 60_000);
  killedMs.set(part, performance.now());
  return 1;
}

async function pauseService(ms: number): Promise<void> {
  const { service } = (await home.read()).pids;
  process.kill(service, "SIGSTOP");
  await sleep(ms);
  process.kill(service, "SIGCONT");
}

/** A second watcher beside the service, with the demo's settings for a shell. */
async function startWatcher(): Promise<ChildProcess> {
  const exported = (await readFile(join(home.path, "daric.env"), "utf8")).matchAll(/^export (\w+)='(.*)'$/gm);
  const settings = Object.fromEntries([...exported].map(([, name = "", value = ""]) => [name, value]));
  const { DATABASE_DIRECT_URL: _owner, ...env } = settings;
  const own = { PATH: process.env.PATH, DARIC_HOME: home.path, METRICS_PORT: String(await freePort()) };
  const bin = createRequire(import.meta.url).resolve("@daric/server/bin");
  return spawn(process.execPath, [bin, "serve", "--role", "watcher"], {
    env: { ...env, ...own },
    stdio: "ignore",
  });
}

async function payUsdt(address: string, units: number): Promise<string> {
  const token = await payer.contract().at(chain.usdtContract);
  return token.transfer(address, String(units)).send({ feeLimit: 100_000_000 });
}

/** The payments in blocks of the honest node's chain. A fork may have lost some. */
async function inBlocks(payments: readonly Payment[]): Promise<Payment[]> {
  const infos = await Promise.all(
    payments.map(({ txHash }) => payer.trx.getUnconfirmedTransactionInfo(txHash)),
  );
  return payments.filter((_payment, index) => infos[index]?.receipt?.result === "SUCCESS");
}

async function areConfirmed(payments: readonly Payment[]): Promise<boolean> {
  for (const { txHash } of payments) {
    const [deposit] = (await daric.deposits.list({ txHash })).data;
    if (deposit?.status !== "CONFIRMED") return false;
  }
  return true;
}

function sumsOf(payments: readonly Payment[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { orderId, units } of payments) sums.set(orderId, (sums.get(orderId) ?? 0) + units);
  return sums;
}

/** The ids of an order's events of one type: a delivery may repeat, an event may not. */
const eventsOf = (orderId: string, type: string): Set<string> =>
  new Set(
    receiver.received
      .filter(({ event }) => event.event === type && event.data.depositAddressId === orderId)
      .map(({ event }) => event.id),
  );

async function compareLedger(orders: readonly string[], onChain: readonly Payment[]): Promise<void> {
  const sums = sumsOf(onChain);
  for (const id of orders) {
    const sum = sums.get(id) ?? 0;
    const paid = onChain.filter(({ orderId }) => orderId === id);
    const row = await daric.depositAddresses.retrieve(id);
    const { data: deposits } = await daric.deposits.list({ depositAddressId: id, limit: 100 });
    const confirmed = deposits.filter(({ status }) => status === "CONFIRMED");
    expect(confirmed.map(({ tx_hash }) => tx_hash).sort()).toEqual(paid.map(({ txHash }) => txHash).sort());
    expect(deposits.filter(({ status }) => status === "STUCK")).toEqual([]);
    expect(Number(row.amount_received) * 1e6).toBe(sum);
    expect(row.payment_status === "paid").toBe(sum >= PRICE);
    expect(eventsOf(id, "deposit.confirmed").size).toBe(paid.length);
    expect(eventsOf(id, "order.paid").size).toBe(sum >= PRICE ? 1 : 0);
    // Chain time runs faster than real time here. In a long run an unpaid order expires, and its event has the
    // received sum.
    const expiry = sum > 0 ? "order.underpaid" : "order.expired";
    for (const type of ["order.expired", "order.underpaid"]) {
      expect(eventsOf(id, type).size).toBe(row.status === "EXPIRED" && type === expiry ? 1 : 0);
    }
  }
}

/** Retries a call while the service or the node is down, for a minute at most. */
async function persistently<T>(call: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(300);
    }
  }
}
