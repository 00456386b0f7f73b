import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Daric } from "@daric/sdk";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDice } from "./faults/dice.ts";
import { lies } from "./faults/lies.ts";
import { type LyingNode, startLyingNode } from "./faults/lying-node.ts";

/** `LIES_MINUTES=10 LIES_SEED=7 npx vitest run --project e2e e2e/random-lies.test.ts` for a long one. */
const MINUTES = Number(process.env.LIES_MINUTES ?? "0.4");
const SEED = Number(process.env.LIES_SEED ?? "1");
const ORDERS = Math.max(8, Math.min(200, Math.round(MINUTES * 20)));
/** Within this of being final an honest payment must be confirmed, once the node is honest. */
const CONFIRMED_WITHIN_MS = 30_000;
const BLOCK_TIME_MS = 250;
const PRICE = 25_000_000;

let node: LyingNode;
let stack: Stack;
let daric: Daric;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await startStack({}, async (url) => {
    node = await startLyingNode(url);
    return node.url;
  });
  ({ daric } = await stack.merchant());
  receiver = await startWebhookReceiver();
  await daric.webhooks.endpoints.create({
    url: receiver.url,
    eventTypes: ["deposit.confirmed", "order.paid", "order.overpaid", "order.expired", "order.underpaid"],
  });
});

afterAll(async () => {
  await stack.stop();
  await receiver.stop();
  await node.stop();
});

type Payment = { readonly orderId: string; readonly txHash: string; readonly units: number };

it(
  `chain, books, events and statuses agree after ${MINUTES} minutes of lies, forks, kills and pauses (seed ${SEED})`,
  async () => {
    const dice = createDice(SEED);
    await stack.control("config", { paused: false, blockTimeMs: BLOCK_TIME_MS });
    const stopping = new AbortController();
    const troubles = makeTrouble(createDice(SEED + 1), stopping.signal);
    const { orders, payments } = await payOrders(dice);
    stopping.abort();
    await troubles;

    node.beHonest();
    await stack.mine(25);
    await stack.control("config", { paused: true });
    const onChain = await inBlocks(payments);
    await until("every payment on the chain is confirmed", () => areConfirmed(onChain), CONFIRMED_WITHIN_MS);
    await until("the events have arrived", async () => {
      const sums = sumsOf(onChain);
      const paid = orders.filter((id) => (sums.get(id) ?? 0) >= PRICE);
      return paid.every((id) => eventsOf(id, "order.paid").size === 1);
    });
    await compareBooks(orders, onChain);
    process.stdout.write(
      `${orders.length} orders, ${payments.length} payments sent, ${onChain.length} on the chain
`,
    );
  },
  MINUTES * 60_000 + 180_000,
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

/** What nobody can rule out, one after another: lies, forks, a killed service, a paused leader, a second watcher. */
async function makeTrouble(dice: ReturnType<typeof createDice>, signal: AbortSignal): Promise<void> {
  const watchers: ChildProcess[] = [];
  const pause = async (pid: number | undefined): Promise<void> => {
    if (pid === undefined) return;
    process.kill(pid, "SIGSTOP");
    await sleep(4_500 + dice.roll(2_000));
    process.kill(pid, "SIGCONT");
  };
  while (!signal.aborted) {
    await sleep(200 + dice.roll(1_200));
    const trouble = dice.roll(100);
    if (trouble < 65) {
      // What fitted no question by now is dropped, or lies would come faster than questions.
      node.beHonest();
      node.tell(dice.pick(Object.values(lies)), 1 + dice.roll(4));
    } else if (trouble < 80) await stack.control("reorg", { depth: 1 + dice.roll(17) });
    else if (trouble < 88) {
      await stack.stopService("SIGKILL");
      // It need not be ready while it is lied to.
      await stack.startService().catch(() => {});
    } else if (trouble < 94) {
      for (const watcher of watchers.splice(0)) watcher.kill("SIGKILL");
      watchers.push(await stack.startWatcher());
    } else await pause(stack.servicePid());
  }
}

async function payUsdt(address: string, units: number): Promise<string> {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  return token.transfer(address, String(units)).send({ feeLimit: 100_000_000 });
}

/** The payments that are in a block of the chain now, as the honest node tells it. A fork may have lost some. */
async function inBlocks(payments: readonly Payment[]): Promise<Payment[]> {
  const infos = await Promise.all(
    payments.map(({ txHash }) => stack.payer.trx.getUnconfirmedTransactionInfo(txHash)),
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

/** The ids of an order's events of one type: a delivery may come twice, an event may not. */
const eventsOf = (orderId: string, type: string): Set<string> =>
  new Set(
    receiver.received
      .filter(({ event }) => event.event === type && event.data.depositAddressId === orderId)
      .map(({ event }) => event.id),
  );

async function compareBooks(orders: readonly string[], onChain: readonly Payment[]): Promise<void> {
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
    // Chain time runs faster than ours here: in a long run what is not paid expires, told once and with what it got.
    const expiry = sum > 0 ? "order.underpaid" : "order.expired";
    for (const type of ["order.expired", "order.underpaid"]) {
      expect(eventsOf(id, type).size).toBe(row.status === "EXPIRED" && type === expiry ? 1 : 0);
    }
  }
}

/** A call that fails while the service or the node is down is made again, for a minute at most. */
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
