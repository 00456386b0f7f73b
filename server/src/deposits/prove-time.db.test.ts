import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainReader } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { findCursor } from "./block-store.ts";
import { scanChain } from "./scan-chain.ts";
import type { Scanner } from "./scanner.ts";

const BLOCK_MS = 3_000;
const HOUR_MS = 3_600_000;
const START_MS = 1_700_000_000_000;
const LAST_READ = 60;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: ForkChain;
let scanner: Scanner;
let heard: ReturnType<typeof listening<typeof context>>;
/** when it is, by a clock that is right; ours is so far from it */
let nowMs: number;
let skewMs: number;
/** what the chain has stood still for after the last block that was read */
let pauseMs: number;

beforeEach(async () => {
  context = await createTestContext();
  const clock = { now: () => new Date(nowMs + skewMs), monotonicMs: () => nowMs - START_MS };
  heard = listening({ ...context, clock });
  chain = createForkChain(START_MS);
  [nowMs, skewMs, pauseMs] = [START_MS, 0, 0];
  mine(LAST_READ);
  scanner = await aScanner(heard.context, { ...chain.reader, getBlock, fetchCompleteBlock });
});
afterEach(() => context.close());

/** As time goes by. */
function mine(blocks: number): void {
  chain.mine(blocks);
  nowMs += blocks * BLOCK_MS;
}

const later = (header: BlockHeader): BlockHeader =>
  header.number <= LAST_READ ? header : { ...header, timeMs: header.timeMs + pauseMs };

const getBlock: ChainReader["getBlock"] = async (number) => {
  const block = await chain.reader.getBlock(number);
  return block && { ...block, header: later(block.header) };
};

/** As a node does that knows our clock. */
const fetchCompleteBlock: ChainReader["fetchCompleteBlock"] = async (number, parent, latestMs = 0) => {
  const block = await chain.reader.fetchCompleteBlock(number, parent);
  const header = later(block.header);
  if (header.timeMs <= Math.max(nowMs + skewMs + 60_000, latestMs)) return { ...block, header };
  throw new NodeError(`block ${number} is of the future`, { fault: "ahead_of_clock", node: "node 1" });
};

const look = () => scanChain(heard.context, scanner);
const scanned = async () => (await findCursor(context.db, "devnet"))?.number;

async function readAll(): Promise<void> {
  while (await look());
  expect(await scanned()).toBe(LAST_READ);
}

/** The look that proves the time ends there, and the next one reads. */
async function readTwice(): Promise<void> {
  while (await look());
  while (await look());
}

const saysClock = [{ level: "error", msg: expect.stringContaining("this machine's clock") }];

describe("a block ahead of our clock", () => {
  it("waits while fewer than 19 known witnesses have built on it", async () => {
    await readAll();
    pauseMs = HOUR_MS;
    mine(18);
    await expect(look()).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(await scanned()).toBe(LAST_READ);
    expect(heard.lines).toEqual([]);
  });

  it("is read once they have, as those after it are; and an alarm names our clock, once", async () => {
    await readAll();
    pauseMs = HOUR_MS;
    mine(19);
    await look();
    while (await look());
    expect(await scanned()).toBe(LAST_READ + 19);
    for (let block = 1; block <= 20; block += 1) {
      mine(1);
      await look();
    }
    expect(await scanned()).toBe(LAST_READ + 39);
    expect(await alarms(context)).toEqual({ clock_behind: 1 });
    expect(heard.lines).toMatchObject(saysClock);
  });

  it("waits for ever where strangers sign, or one signs for many", async () => {
    await readAll();
    pauseMs = HOUR_MS;
    chain.changeKeys(27);
    mine(60);
    await expect(look()).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(await scanned()).toBe(LAST_READ);
  });
});

describe("where our clock is behind", () => {
  it.each([-70_000, -100_000, -120_000, -HOUR_MS])(
    "by %d ms, the first start reads up to the head, and then each block at once",
    async (ms) => {
      skewMs = ms;
      for (let block = 1; block <= 10; block += 1) {
        await readTwice();
        expect(await scanned()).toBe((await chain.reader.getHeadBlock()).number);
        mine(1);
      }
      expect(await alarms(context)).toEqual({ clock_behind: 1 });
      expect(heard.lines).toMatchObject(saysClock);
    },
  );

  it("a watcher that starts anew reads on after a block that was read ahead of our clock", async () => {
    skewMs = -HOUR_MS;
    await readTwice();
    pauseMs = 240_000;
    nowMs += pauseMs;
    mine(1);
    await look();
    scanner = { ...scanner, memory: {} };
    mine(1);
    await readTwice();
    expect(await scanned()).toBe(LAST_READ + 2);
    expect(await alarms(context)).toEqual({ clock_behind: 2 });
  });

  it("nothing is read at a first start while no known witness has built on what is ahead of it", async () => {
    chain.changeKeys(27);
    mine(90);
    skewMs = -HOUR_MS;
    await expect(look()).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(await scanned()).toBeUndefined();
    expect(heard.lines).toEqual([]);
  });

  it("a block of a false time waits all the same: the chain's clock was proven, not that block's", async () => {
    skewMs = -HOUR_MS;
    await readTwice();
    expect(await scanned()).toBe(LAST_READ);
    pauseMs = 70_000;
    mine(1);
    await expect(look()).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(await scanned()).toBe(LAST_READ);
  });
});
