import { setTimeout as sleep } from "node:timers/promises";
import { createTronClient } from "@daric/chain/nodes/client";
import { type Network, readDevnet } from "@daric/chain/nodes/networks";
import type { MerchantId } from "@daric/domain/ids";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import { createForkChain } from "@daric/testing/fork-chain";
import { nodeGroup } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { listDeposits } from "../list-store.ts";
import { startDepositWorker } from "./worker.ts";

/** TRON's three seconds, and TRON_POLL_MS, both thirty times as fast. */
const BLOCK_MS = 100;
const QUIET_BLOCKS = isNight ? 60 : 30;

let chain: TestDevchain;
let node: FaultyNode;
let network: Network;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
const atEnd: (() => Promise<void>)[] = [];

beforeEach(async () => {
  chain = await aDevchain();
  node = await startFaultyNode(chain.url);
  network = await readDevnet(chain.url);
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  await chain.mine(25);
});
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
  await node.stop();
  await chain.stop();
  await context.close();
});

/** A watcher that polls at the pace of blocks, through a node that counts calls. */
function startWatcher() {
  const client = createTronClient({ nodes: [{ url: node.url }], genesisId: network.genesisId });
  const paced = withSettings(context, { deposits: { pollMs: BLOCK_MS } });
  const worker = startDepositWorker(paced, { client, network });
  atEnd.push(() => client.close(), worker.stop);
}

const scanned = async () => (await findCursor(context.db, "devnet"))?.number ?? 0;
const headNumber = async () =>
  (await chain.post("/wallet/getblock", {})).body.block_header.raw_data.number as number;

async function caughtUp(): Promise<void> {
  await expect.poll(async () => (await headNumber()) - (await scanned()), { timeout: 20_000 }).toBe(0);
}

/**
 * Makes this many blocks at the chain's pace, each prepared by `prepare`. Counts the calls of each kind, and the
 * polls that had time: on a busy machine blocks are late, and polls are not.
 */
async function callsDuring(blocks: number, prepare: (block: number) => Promise<unknown> = async () => {}) {
  await caughtUp();
  node.calls.length = 0;
  const startedMs = performance.now();
  for (let block = 0; block < blocks; block += 1) {
    await prepare(block);
    await chain.mine(1);
    await sleep(BLOCK_MS);
  }
  await caughtUp();
  return { ...countCalls(), polls: Math.max(blocks, pollsSince(startedMs)) };
}

/** The most polls of a watcher that polls once a block. */
function pollsSince(startedMs: number): number {
  return Math.ceil((performance.now() - startedMs) / BLOCK_MS);
}

function countCalls() {
  const count = { head: 0, block: 0, infos: 0, solid: 0, other: 0 };
  for (const { path, question } of node.calls) {
    if (path === "/wallet/gettransactioninfobyblocknum") count.infos += 1;
    else if (path.startsWith("/walletsolidity/")) count.solid += 1;
    else if (path !== "/wallet/getblock") count.other += 1;
    else if (question.id_or_num === undefined) count.head += 1;
    else count.block += 1;
  }
  return { ...count, all: node.calls.length };
}

const pay = (address: string) => chain.control("faucet", { address, usdt: "25" });

it("a quiet chain costs one call for the head and one for the block, and two for the infos of contract runs", async () => {
  startWatcher();
  const outsider = chain.payer.address;
  const calls = await callsDuring(QUIET_BLOCKS, async (block) => block % 2 === 0 && pay(outsider));
  expect(calls).toMatchObject({ block: QUIET_BLOCKS, solid: 0, other: 0 });
  expect(calls.head).toBeLessThanOrEqual(calls.polls + 15);
  expect(calls.infos).toBeGreaterThan(QUIET_BLOCKS / 2 - 4);
  expect(calls.infos).toBeLessThanOrEqual(QUIET_BLOCKS);
});

it("a deposit that waits costs no call until it can be final, and then two a block at most", async () => {
  startWatcher();
  await caughtUp();
  const { address } = await aCharge(context.db, { merchantId, amount: "25" });
  const waiting = await callsDuring(18, async (block) => block === 0 && pay(address));
  expect(waiting).toMatchObject({ block: 18, infos: 1, solid: 0 });
  const settling = await callsDuring(4);
  expect(settling.solid).toBeLessThanOrEqual(2 * 4);
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 1, offset: 0 });
  expect(rows).toMatchObject([{ status: "CONFIRMED" }]);
  expect(await callsDuring(10)).toMatchObject({ solid: 0 });
});

it.runIf(isNight)("a deposit whose block left the chain costs no call of its own", async () => {
  startWatcher();
  await caughtUp();
  const { address } = await aCharge(context.db, { merchantId, amount: "25" });
  const { txids } = await chain.control<{ txids: string[] }>("faucet", { address, usdt: "25" });
  await callsDuring(3);
  await chain.control("reorg", { depth: 3, drop: txids });
  await expect
    .poll(async () => (await listDeposits(context.db, { merchantId }, { limit: 1, offset: 0 })).rows)
    .toMatchObject([{ status: "REORG_PENDING" }]);
  const calls = await callsDuring(20);
  expect(calls).toMatchObject({ block: 20, infos: 0, other: 0 });
  expect(calls.solid).toBeLessThanOrEqual(2);
});

it.runIf(isNight)(
  "catching up costs one call for a block and one for its infos, and few for the head",
  async () => {
    startWatcher();
    await caughtUp();
    for (const end of atEnd.splice(0).reverse()) await end();
    await chain.mine(120);
    node.calls.length = 0;
    startWatcher();
    await caughtUp();
    const calls = countCalls();
    // The first step repeats if the restore guard had to search addresses first.
    expect(calls.block).toBeLessThanOrEqual(120 + 12);
    expect(calls.infos).toBe(0);
    expect(calls.head).toBeLessThanOrEqual(5 + 3);
    expect(calls.solid).toBeLessThanOrEqual(2 * 5);
  },
);

it.runIf(isNight)("a standby calls no node", async () => {
  startWatcher();
  await caughtUp();
  const second = await startFaultyNode(chain.url);
  const client = createTronClient({ nodes: [{ url: second.url }], genesisId: network.genesisId });
  const worker = startDepositWorker(context, { client, network });
  atEnd.push(second.stop, () => client.close(), worker.stop);
  await callsDuring(15);
  expect(second.calls).toEqual([]);
});

it.runIf(isNight)(
  "nodes that alternate between two branches, or fail, get no more calls than there are polls",
  async () => {
    const startMs = Date.now() - 3_600_000;
    const branches = [createForkChain(startMs), createForkChain(startMs)] as const;
    const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
    for (const branch of branches) branch.mine(30);
    // A payment on one branch changes the ids of its later blocks.
    branches[1].pay(address, 25_000_000n);
    for (const branch of branches) branch.mine(3);
    let polls = 0;
    const current = () => branches[polls % 2 === 0 ? 0 : 1].reader;
    const flapping = {
      ...branches[0].reader,
      getHeadBlock: () => {
        polls += 1;
        return current().getHeadBlock();
      },
      getBlock: (number: number) => current().getBlock(number),
      fetchCompleteBlock: (number: number) =>
        polls % 5 === 0 ? Promise.reject(new Error("away")) : current().fetchCompleteBlock(number),
    };
    const paced = withSettings(context, { deposits: { pollMs: BLOCK_MS } });
    const worker = startDepositWorker(paced, { client: nodeGroup(flapping), network });
    atEnd.push(worker.stop);
    await expect.poll(() => polls, { timeout: 20_000 }).toBeGreaterThan(2);
    const [before, startedMs] = [polls, performance.now()];
    await sleep(20 * BLOCK_MS);
    expect(polls - before).toBeLessThanOrEqual(pollsSince(startedMs) + 1);
  },
);
