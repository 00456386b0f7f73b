import { createTronClient } from "@daric/chain/nodes/client";
import { readDevnet } from "@daric/chain/nodes/networks";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import { aScanner } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { listDeposits } from "../list-store.ts";
import { answersNeeded } from "../settings.ts";
import { scanChain } from "./scan-chain.ts";
import type { Scanner } from "./scanner.ts";

const BLOCKS = isNight ? 60 : 20;
const POLL_MS = 3_000;

let chain: TestDevchain;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
/** the monotonic clock; the wall clock is the chain's */
let nowMs = 0;
let chainTimeMs = 0;
const atEnd: (() => Promise<void>)[] = [];

beforeEach(async () => {
  chain = await aDevchain();
  const made = withSettings(await createTestContext(), { chain: { network: "private" } });
  context = { ...made, clock: { now: () => new Date(chainTimeMs + 500), monotonicMs: () => nowMs } };
  merchantId = (await aMerchant(context.db)).id;
  await mine(40);
});
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
  await chain.stop();
  await context.close();
});

async function mine(blocks: number): Promise<void> {
  await chain.mine(blocks);
  const { body } = await chain.post("/wallet/getblock", {});
  chainTimeMs = body.block_header.raw_data.timestamp;
}

/** A watcher of a network with a steady pace of blocks, and its nodes, which count calls. */
async function watch(count: number): Promise<{ scanner: Scanner; nodes: readonly FaultyNode[] }> {
  const devnet = await readDevnet(chain.url);
  const nodes = await Promise.all(Array.from({ length: count }, () => startFaultyNode(chain.url)));
  const { genesisId, tokens } = devnet;
  const client = createTronClient({ nodes: nodes.map(({ url }) => ({ url })), genesisId, tokens });
  atEnd.push(...nodes.map(({ stop }) => stop), () => client.close());
  const scanner = await aScanner(context, client, { network: { ...devnet, name: "private" } });
  return { scanner, nodes };
}

/** One poll a block, and another one at once whenever a step asks for it. */
async function poll(scanner: Scanner): Promise<void> {
  nowMs += POLL_MS;
  // The blocks that are solid now were first read half a minute ago.
  await context.owner.query(sql`update blocks set scanned_at = now() - interval '1 minute'`);
  while (await scanChain(context, scanner));
}

const cursor = async () => (await findCursor(context.db, "private")) ?? expect.fail("no cursor");

/** The calls that each node gets in this many blocks, each with a contract call. */
async function callsDuring(scanner: Scanner, nodes: readonly FaultyNode[], payee: string): Promise<number[]> {
  for (const node of nodes) node.calls.length = 0;
  const from = await cursor();
  for (let block = 0; block < BLOCKS; block += 1) {
    await chain.control("faucet", { address: payee, usdt: "25" });
    await mine(1);
    await poll(scanner);
  }
  expect((await cursor()).number).toBe(from.number + BLOCKS);
  return nodes.map(({ calls }) => calls.length);
}

/** Runs until every solid block has a contract call, so that each block is read twice. */
async function warmUp(scanner: Scanner, payee: string): Promise<void> {
  await poll(scanner);
  for (let block = 0; block < 25; block += 1) {
    await chain.control("faucet", { address: payee, usdt: "25" });
    await mine(1);
    await poll(scanner);
  }
}

const sum = (calls: readonly number[]) => calls.reduce((all, call) => all + call, 0);

describe("at a steady pace of blocks with contract calls,", () => {
  it("a single node gets at most three calls a block, the second reading included", async () => {
    const { scanner, nodes } = await watch(1);
    const outsider = chain.payer.address;
    await warmUp(scanner, outsider);
    const calls = await callsDuring(scanner, nodes, outsider);
    expect(sum(calls) / BLOCKS).toBeLessThanOrEqual(3);
    const infos = nodes[0]?.calls.filter(({ path }) => path === "/wallet/gettransactioninfobyblocknum");
    expect(infos?.length).toBeGreaterThanOrEqual(2 * BLOCKS - 2);
  });

  it.runIf(isNight)("a single node gets no more calls if every block pays one of our addresses", async () => {
    const { scanner, nodes } = await watch(1);
    const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
    await warmUp(scanner, address);
    const calls = await callsDuring(scanner, nodes, address);
    expect(sum(calls) / BLOCKS).toBeLessThanOrEqual(3);
    const { total } = await listDeposits(
      context.db,
      { merchantId, status: "CONFIRMED" },
      { limit: 1, offset: 0 },
    );
    expect(total).toBeGreaterThanOrEqual(BLOCKS);
  });

  it.runIf(isNight).each([3, 5])(
    "each node but the first of %i costs at most 1.1 calls a block",
    async (count) => {
      expect(answersNeeded(context.config.deposits, count)).toBeGreaterThan(1);
      const { scanner, nodes } = await watch(count);
      const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
      await warmUp(scanner, address);
      const [first = 0, ...others] = await callsDuring(scanner, nodes, address);
      expect(first / BLOCKS).toBeLessThanOrEqual(3 + 0.1);
      for (const calls of others) expect(calls / BLOCKS).toBeLessThanOrEqual(1.1);
      expect((first + sum(others)) / BLOCKS).toBeLessThanOrEqual(3 + 1.1 * (count - 1));
      const { total } = await listDeposits(
        context.db,
        { merchantId, status: "CONFIRMED" },
        { limit: 1, offset: 0 },
      );
      expect(total).toBeGreaterThanOrEqual(BLOCKS);
    },
  );

  it("a late block costs one call a poll, and the head is fetched only after nine seconds", async () => {
    const { scanner, nodes } = await watch(1);
    await warmUp(scanner, chain.payer.address);
    const [node = expect.fail()] = nodes;
    node.calls.length = 0;
    for (let polls = 0; polls < 2; polls += 1) await poll(scanner);
    const numbers = node.calls.map(({ question }) => question.id_or_num);
    const { number } = await cursor();
    expect(numbers).toEqual([`${number + 1}`, `${number + 1}`]);
    await poll(scanner);
    expect(node.calls.at(-1)?.question).not.toHaveProperty("id_or_num");
    await mine(1);
    await poll(scanner);
    expect((await cursor()).number).toBe(number + 1);
  });
});
