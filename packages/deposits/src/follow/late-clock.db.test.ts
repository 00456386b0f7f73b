import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { requireTimely } from "@daric/chain/nodes/require-timely";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { aScanner } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { scanChain } from "./scan-chain.ts";
import type { Scanner } from "./scanner.ts";

const BLOCK_MS = 3_000;
const HOUR_MS = 3_600_000;
const START_MS = 1_700_000_000_000;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: ForkChain;
let late: typeof context;
let scanner: Scanner;
/** the time of a right clock; `skewMs` is the difference of ours */
let nowMs: number;
let skewMs: number;

beforeEach(async () => {
  context = await createTestContext();
  const clock = { now: () => new Date(nowMs + skewMs), monotonicMs: () => nowMs - START_MS };
  late = { ...context, clock };
  chain = createForkChain(START_MS);
  [nowMs, skewMs] = [START_MS, 0];
  mine(60);
  scanner = await aScanner(late, { ...chain.reader, fetchCompleteBlock });
});
afterEach(() => context.close());

/** Makes blocks, and moves the time with them. */
function mine(blocks: number): void {
  chain.mine(blocks);
  nowMs += blocks * BLOCK_MS;
}

/** Reads a block like a node with the check against our clock. */
const fetchCompleteBlock: ChainReader["fetchCompleteBlock"] = async (number, parent) => {
  const block = await chain.reader.fetchCompleteBlock(number, parent);
  requireTimely("node 1", block.header, { parent, latestByClockMs: nowMs + skewMs + 60_000 });
  return block;
};

const poll = () => scanChain(late, scanner);
const scanned = async () => (await findCursor(context.db, "devnet"))?.number;
const ahead = { fault: "ahead_of_clock" };

it("a block ahead of our clock waits, for any number of blocks above it, and is read when the clock gets there", async () => {
  while (await poll());
  expect(await scanned()).toBe(60);
  skewMs = -HOUR_MS;
  mine(40);
  await expect(poll()).rejects.toMatchObject(ahead);
  expect(await scanned()).toBe(60);
  skewMs = -60_000;
  while (await poll());
  expect(await scanned()).toBe(100);
});

it("the first scan waits until a wrong clock is right", async () => {
  skewMs = -HOUR_MS;
  await expect(poll()).rejects.toMatchObject(ahead);
  expect(await scanned()).toBeUndefined();
  skewMs = 0;
  while (await poll());
  expect(await scanned()).toBe(60);
});
