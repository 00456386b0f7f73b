import { setTimeout as sleep } from "node:timers/promises";
import type { Block, BlockHeader } from "@daric/chain/blocks/parse-block";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { type Database, sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { beforeEach, describe, expect, it } from "vitest";
import { type Cursor, findCursor } from "../block-store.ts";
import { SolidContradictionError } from "../verify/solid-contradiction.ts";
import { followFork } from "./follow-fork.ts";
import { scanChain } from "./scan-chain.ts";

let context: TestContext & { owner: Database; close(): Promise<void> };
let chain: ForkChain;

beforeEach(async () => {
  context = await createTestContext();
  chain = createForkChain(Date.now());
  chain.mine(30);
  await scanToRest(context, await scanner());
  return () => context.close();
});

const scanner = (reader: Partial<ChainReader> = {}) => aScanner(context, { ...chain.reader, ...reader });
const cursor = async () => (await findCursor(context.db, "devnet")) as Cursor;
const headerAt = async (number: number) => (await chain.reader.getBlock(number))?.header as BlockHeader;

async function orphans() {
  const rows = await context.db.query<{ number: bigint }>(sql`
    select number from blocks where orphaned_at is not null order by number`);
  return rows.map(({ number }) => Number(number));
}

/** A node with other blocks from `number` to `head`. */
function branchFrom(number: number, head: number): Partial<ChainReader> {
  const on = (block: Block): Block => {
    if (block.header.number < number) return block;
    const id = block.header.id.slice(0, 16) + "f".repeat(48);
    return { ...block, header: { ...block.header, id } };
  };
  const getBlock = async (at: number) => {
    const block = await chain.reader.getBlock(at);
    return block && on(block);
  };
  return { getBlock, getHeadBlock: async () => ((await getBlock(head)) as Block).header };
}

describe("a fork", () => {
  it("is not followed below a solid block: that is a contradiction, and nothing is written", async () => {
    chain.mine(45);
    await scanToRest(context, await scanner());
    const before = await cursor();
    expect(before.solidNumber).toBeGreaterThan(30);
    for (const number of [before.solidNumber, before.solidNumber - 2]) {
      const lying = await scanner(branchFrom(number, 75));
      await expect(scanChain(context, lying)).rejects.toThrow(SolidContradictionError);
    }
    expect(await cursor()).toEqual(before);
    expect(await orphans()).toEqual([]);
    expect(await alarms(context)).toEqual({ solid_contradiction: 2 });
  });

  it("may remove every block that was read, down to the parent of the first", async () => {
    await scanChain(context, await scanner(branchFrom(12, 30)));
    expect(await cursor()).toMatchObject({ number: 11, blockId: (await headerAt(11)).id });
  });

  it("that cannot be followed fails the step alone, while fetches of higher blocks still run", async () => {
    chain.fork(3, []);
    chain.mine(3);
    const { number: head } = await chain.reader.getHeadBlock();
    const slow = await scanner({
      fetchCompleteBlock: async (number) => {
        if (number === head) await sleep(300);
        return chain.reader.fetchCompleteBlock(number);
      },
    });
    await context.owner.query(sql`update leases set epoch = epoch + 1`);
    const unlogged: unknown[] = [];
    const note = (reason: unknown) => unlogged.push(reason);
    process.on("unhandledRejection", note);
    await expect(scanChain(context, slow)).rejects.toThrow(LeaseLostError);
    process.off("unhandledRejection", note);
    expect(unlogged).toEqual([]);
  });

  it("is not taken for deeper if a node lacks a block on the way back: nothing is written", async () => {
    const { getBlock: branch, ...fork } = branchFrom(29, 30);
    const getBlock = async (number: number) => (number === 29 ? undefined : branch?.(number));
    await expect(scanChain(context, await scanner({ ...fork, getBlock }))).rejects.toThrow("lag behind");
    expect([await orphans(), (await cursor()).number]).toEqual([[], 30]);
  });

  it("is followed through another node if the leading node lacks a block on the way back", async () => {
    const fork = branchFrom(27, 30);
    const leader = { ...chain.reader, ...fork };
    const flapping = { ...leader, getBlock: async () => undefined };
    await scanChain(context, await scanner(nodeGroup(flapping, leader)));
    expect((await cursor()).number).toBe(26);
  });

  it("ends the step, so that nodes which alternate between two branches are not called without a pause", async () => {
    const { id: merchantId } = await aMerchant(context.db);
    const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
    chain.pay(address, 25_000_000n);
    chain.mine(40);
    await scanToRest(context, await scanner());
    chain.fork(3, []);
    chain.mine(2);
    expect(await scanChain(context, await scanner())).toBe(false);
    expect(await scanChain(context, await scanner())).toBe(false);
    expect((await cursor()).blockId).toBe((await chain.reader.getHeadBlock()).id);
  });

  it("ends the step even after blocks were read, as from a gateway whose nodes are on two branches", async () => {
    chain.mine(5);
    const watcher = await scanner({
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        return number === 33 ? { ...block, header: { ...block.header, parentId: "f".repeat(64) } } : block;
      },
    });
    expect(await scanChain(context, watcher)).toBe(false);
    expect((await cursor()).number).toBe(32);
  });

  it("is not followed by a watcher whose lease was taken over", async () => {
    const paused = await scanner(branchFrom(29, 30));
    await context.db.query(sql`update leases set is_free = true`);
    await aScanner(context, chain.reader, { holder: "other" });
    const following = followFork(context, paused, { cursor: await cursor(), from: 30 });
    await expect(following).rejects.toThrow(LeaseLostError);
    expect([await orphans(), (await cursor()).number]).toEqual([[], 30]);
  });
});

describe("a head below our cursor", () => {
  it("with another block than ours is a fork, and is followed at once", async () => {
    expect(await scanChain(context, await scanner(branchFrom(27, 28)))).toBe(false);
    expect(await cursor()).toMatchObject({ number: 26, blockId: (await headerAt(26)).id });
    expect(await orphans()).toEqual([27, 28, 29, 30]);
  });

  it("that the node withdraws at once is no fork: no block leaves the chain", async () => {
    const before = await cursor();
    const { getHeadBlock } = branchFrom(25, 28);
    await scanChain(context, await scanner({ ...(getHeadBlock && { getHeadBlock }) }));
    expect(await cursor()).toEqual(before);
    expect(await orphans()).toEqual([]);
  });

  it("with our block is a lag of the node: it is logged once, after 30 s, until the node has caught up", async () => {
    let nowMs = 0;
    const logged = listening({ ...context, clock: { now: () => new Date(), monotonicMs: () => nowMs } });
    let lag = 3;
    const watcher = await scanner({
      getHeadBlock: async () => headerAt((await chain.reader.getHeadBlock()).number - lag),
    });
    const poll = async (atMs: number) => {
      nowMs = atMs;
      expect(await scanChain(logged.context, watcher)).toBe(false);
      return logged.lines.length;
    };
    expect([await poll(0), await poll(29_999)]).toEqual([0, 0]);
    expect([await poll(30_000), await poll(90_000)]).toEqual([1, 1]);
    expect(logged.lines).toMatchObject([{ level: "warn", head: 27, scanned: 30 }]);
    lag = 0;
    await poll(91_000);
    lag = 1;
    expect([await poll(92_000), await poll(121_999), await poll(122_000)]).toEqual([1, 1, 2]);
    expect([await orphans(), (await cursor()).number]).toEqual([[], 30]);
  });
});

describe("a batch of blocks", () => {
  it("ends before a block that is not later than its parent", async () => {
    chain.mine(5);
    const frozen = await headerAt(32);
    const watcher = await scanner({
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        return number === 33 ? { ...block, header: { ...block.header, timeMs: frozen.timeMs } } : block;
      },
    });
    while (await scanChain(context, watcher));
    expect((await cursor()).number).toBe(32);
  });

  it("has its first block checked against the block of the cursor", async () => {
    chain.mine(2);
    const parents: unknown[] = [];
    const watcher = await scanner({
      fetchCompleteBlock: (number, parent) => {
        parents.push(parent);
        return chain.reader.fetchCompleteBlock(number);
      },
    });
    const { id, timeMs } = await headerAt(30);
    await scanChain(context, watcher);
    expect(parents).toEqual([{ id, timeMs }, undefined]);
  });
});

it("a node that invents the newest blocks causes repeated forks until another node leads", async () => {
  let invented = 0;
  const invent = async <B extends { header: BlockHeader }>(block: B): Promise<B> => {
    const { number } = await chain.reader.getHeadBlock();
    if (block.header.number < number - 2) return block;
    invented += 1;
    const id = block.header.id.slice(0, 16) + invented.toString(16).padStart(48, "0");
    return { ...block, header: { ...block.header, id } };
  };
  const inventing: ChainReader = {
    ...chain.reader,
    getHeadBlock: async () => (await invent({ header: await chain.reader.getHeadBlock() })).header,
    getBlock: async (number) => {
      const block = await chain.reader.getBlock(number);
      return block && (await invent(block));
    },
    fetchCompleteBlock: async (number) => await invent(await chain.reader.fetchCompleteBlock(number)),
  };
  const both = await aScanner(context, nodeGroup(inventing, chain.reader));
  for (let step = 0; step < 12; step += 1) {
    chain.mine(1);
    await scanChain(context, both);
  }
  expect((await cursor()).blockId).toBe((await chain.reader.getHeadBlock()).id);
});
