import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainReader } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import { findCursor } from "./block-store.ts";
import { scanChain } from "./scan-chain.ts";
import type { Scanner } from "./scanner.ts";

const BLOCK_MS = 3_000;
/** Our clock stands where block 40 was made, and a node may be a minute ahead of it. */
const START_MS = 1_700_000_000_000;
const CLOCK_MS = START_MS + 40 * BLOCK_MS;
const LAST_READ = 60;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: ForkChain;
let scanner: Scanner;
let heard: ReturnType<typeof listening<typeof context>>;
let monotonicMs: number;

beforeEach(async () => {
  context = await createTestContext();
  monotonicMs = 0;
  heard = listening({
    ...context,
    clock: { now: () => new Date(CLOCK_MS), monotonicMs: () => monotonicMs },
  });
  chain = createForkChain(START_MS);
  chain.mine(LAST_READ);
  scanner = await aScanner(context, { ...chain.reader, fetchCompleteBlock });
  while (await scanChain(heard.context, scanner));
});
afterEach(() => context.close());

/** As a node does that knows our clock. */
const fetchCompleteBlock: ChainReader["fetchCompleteBlock"] = async (number, parent, latestMs = 0) => {
  const block = await chain.reader.fetchCompleteBlock(number, parent);
  if (block.header.timeMs <= Math.max(CLOCK_MS + 60_000, latestMs)) return block;
  throw new NodeError(`block ${number} is of the future`, { fault: "ahead_of_clock", node: "node 1" });
};

const scanned = async () => (await findCursor(context.db, "devnet"))?.number;

describe("a block ahead of our clock", () => {
  it("waits while fewer than 19 known witnesses have built on it", async () => {
    expect(await scanned()).toBe(LAST_READ);
    chain.mine(18);
    await expect(scanChain(heard.context, scanner)).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(await scanned()).toBe(LAST_READ);
    expect(heard.lines).toEqual([]);
  });

  it("is read once they have, as those after it are; and an alarm names our clock, once", async () => {
    chain.mine(19);
    await scanChain(heard.context, scanner);
    while (await scanChain(heard.context, scanner));
    expect(await scanned()).toBe(LAST_READ + 19);
    for (let block = 1; block <= 20; block += 1) {
      chain.mine(1);
      monotonicMs += BLOCK_MS;
      await scanChain(heard.context, scanner);
    }
    expect(await scanned()).toBe(LAST_READ + 39);
    expect(await alarms(context)).toEqual({ clock_behind: 1 });
    expect(heard.lines).toMatchObject([
      { level: "error", msg: expect.stringContaining("this machine's clock") },
    ]);
  });

  it("waits for ever where strangers sign, or one signs for many", async () => {
    chain.changeKeys(27);
    chain.mine(60);
    await expect(scanChain(heard.context, scanner)).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(await scanned()).toBe(LAST_READ);
  });
});
