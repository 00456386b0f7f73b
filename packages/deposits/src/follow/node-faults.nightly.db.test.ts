import { IncompleteBlockError } from "@daric/chain/blocks/node-error";
import type { ChainReader, TronClient } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import type { MerchantId } from "@daric/domain/ids";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type FaultyNode, type NodeCall, startFaultyNode } from "@daric/testing/faulty-node";
import { createForkChain } from "@daric/testing/fork-chain";
import { nodeFaults } from "@daric/testing/node-faults";
import { alarms, aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { listDeposits } from "../list-store.ts";
import { scanChain } from "./scan-chain.ts";
import type { Scanner } from "./scanner.ts";

const MINUTE_MS = 60_000;

let chain: TestChain;
let node: FaultyNode;
let client: TronClient;
let nowMs = 0;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  chain = await startTestChain();
  node = await startFaultyNode(chain.devchain.url);
  client = createTronClient({ nodes: [{ url: node.url }], now: () => nowMs });
});
afterAll(async () => {
  await client.close();
  await node.stop();
  await chain.stop();
});
beforeEach(async () => {
  node.heal();
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  return () => context.close();
});

const scannerOf = (reader: Parameters<typeof aScanner>[1], of = context) =>
  aScanner(of, reader, { network: chain.network });
const position = async () => (await findCursor(context.db, "devnet"))?.blockId;

async function statuses(): Promise<string[]> {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 10, offset: 0 });
  return rows.map(({ status }) => status);
}

/** Tests of a call: which of the watcher's queries it is. */
const isHead = ({ path, question }: NodeCall) =>
  path === "/wallet/getblock" && question.id_or_num === undefined;
const isBlock = ({ path, question }: NodeCall) =>
  path === "/wallet/getblock" && question.id_or_num !== undefined;
const isInfos = ({ path }: NodeCall) => path === "/wallet/gettransactioninfobyblocknum";
const isSolid = ({ path }: NodeCall) => path.startsWith("/walletsolidity/");

/** Polls a few times while these queries have this fault, and then pauses for a minute. */
async function scanThrough(scanner: Scanner, isQueried: (call: NodeCall) => boolean, fault: string) {
  node.fail((call) => (isQueried(call) ? nodeFaults[fault] : undefined));
  for (let poll = 0; poll < 3; poll += 1) await scanChain(context, scanner).catch(() => {});
  node.heal();
  nowMs += MINUTE_MS;
}

describe("a node with a temporary fault", () => {
  it.each(Object.keys(nodeFaults))("%s loses, invents and freezes nothing", async (fault) => {
    const scanner = await scannerOf(client);
    await scanToRest(context, scanner);
    const before = await position();
    const order = await aCharge(context.db, { merchantId, amount: "25" });
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(1);
    for (const isQueried of [isHead, isBlock, isInfos]) {
      await scanThrough(scanner, isQueried, fault);
      expect(await position()).toBe(before);
      expect(await statuses()).toEqual([]);
    }
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["DETECTED"]);
    await chain.mine(19);
    // Solidity is computed from the headers, so no such fault matters.
    await scanThrough(scanner, isSolid, fault);
    expect(await statuses()).toEqual(["CONFIRMED"]);
    expect(await alarms(context)).toEqual({});
  });
});

it("a gateway with nodes of different heights causes neither fork nor lag, and every block is read", async () => {
  const forks = createForkChain(Date.now() - 60 * MINUTE_MS);
  forks.mine(30);
  const { reader } = forks;
  const heights = [0, 4, 1, 7, 0, 2];
  let call = 0;
  const heightOfNext = async () =>
    (await reader.getHeadBlock()).number - (heights[call++ % heights.length] ?? 0);
  const gateway: ChainReader = {
    ...reader,
    getHeadBlock: async () => (await reader.getBlock(await heightOfNext()))?.header ?? expect.fail("no head"),
    fetchCompleteBlock: async (number, parent) => {
      if (number > (await heightOfNext())) throw new IncompleteBlockError("gateway", number);
      return reader.fetchCompleteBlock(number, parent);
    },
  };
  const { context: logged, lines } = listening(context);
  const scanner = await scannerOf(nodeGroup(gateway), logged);
  for (let poll = 0; poll < 120; poll += 1) {
    if (poll % 2 === 0) forks.mine(1);
    await scanChain(logged, scanner);
  }
  expect(lines).toEqual([]);
  expect((await context.metrics.forks.get()).values).toMatchObject([{ value: 0 }]);
  await scanToRest(logged, await scannerOf(reader, logged));
  expect(await position()).toBe((await reader.getHeadBlock()).id);
});

it("a block that no node has complete for ten minutes raises an alarm with its transaction, until it is read", async () => {
  const { context: logged, lines } = listening(context);
  const clock = { now: () => new Date(), monotonicMs: () => nowMs };
  const watching = { ...logged, clock };
  const scanner = await scannerOf(client, watching);
  await scanToRest(watching, scanner);
  const order = await aCharge(context.db, { merchantId, amount: "25" });
  const [txId = ""] = await chain.pay(order.address, { usdt: "25" });
  await chain.mine(3);
  const infos = (call: NodeCall) =>
    isInfos(call) ? { body: JSON.stringify([{ id: txId, blockNumber: 7, blockTimeStamp: 1 }]) } : undefined;
  node.fail(infos);
  const poll = () => scanChain(watching, scanner).catch(() => {});
  const { stalled } = scanner.following;
  await poll();
  nowMs += 10 * MINUTE_MS - 1;
  await poll();
  expect([stalled.overdue(), await alarms(context)]).toEqual([undefined, {}]);
  nowMs += 1;
  await poll();
  nowMs += MINUTE_MS - 1;
  await poll();
  const number = ((await findCursor(context.db, "devnet"))?.number ?? 0) + 1;
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines).toMatchObject([
    { level: "error", block_number: number, waiting_s: 600, reason: expect.stringContaining(txId) },
  ]);
  expect(stalled.overdue()).toMatch(new RegExp(`block ${number} .* 10 min .*${txId}`));
  nowMs += 1;
  await poll();
  expect(await alarms(context)).toEqual({ incomplete_block: 2 });
  node.heal();
  await scanToRest(watching, scanner);
  expect(stalled.overdue()).toBeUndefined();
  expect(await statuses()).toEqual(["CONFIRMING"]);
});
