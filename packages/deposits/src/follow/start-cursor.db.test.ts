import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { type Database, sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { aScanner, listening, nodeGroup, scanToRest, type TestReader } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cursor, findCursor } from "../block-store.ts";
import { startCursor } from "./start-cursor.ts";

const BLOCK_MS = 3_000;
const HOUR_MS = 3_600_000;
const HEAD = 3_000;
/** Long enough ago for the whole chain to be made by now. */
const START_MS = Date.UTC(2026, 0, 1);

let context: TestContext & { owner: Database; close(): Promise<void> };
let chain: ForkChain;

async function begin(settings: Record<string, string> = {}) {
  context = await createTestContext(settings);
  chain = createForkChain(START_MS);
  chain.mine(HEAD);
}
beforeEach(() => begin());
afterEach(() => context.close());

const headerAt = async (number: number) => (await chain.reader.getBlock(number))?.header as BlockHeader;

async function start(reader: Partial<ChainReader> = {}, c: TestContext = context) {
  return startCursor(c, await aScanner(c, { ...chain.reader, ...reader }));
}

/** An order made `laterMs` after block `number`. */
async function anOrderMadeAt(number: number, laterMs: number) {
  const { id: merchantId } = await aMerchant(context.db);
  const createdAt = new Date(START_MS + number * BLOCK_MS + laterMs);
  return aCharge(context.db, {
    merchantId,
    currency: "TRX",
    createdAt,
    expiresAt: new Date(createdAt.getTime() + HOUR_MS),
  });
}

/** A node that keeps no block below this one. */
function pruned(below: number): Partial<ChainReader> {
  return {
    getBlock: async (number) => (number < below && number > 0 ? undefined : chain.reader.getBlock(number)),
    fetchCompleteBlock: async (number) => {
      if (number < below) throw new IncompleteBlockError("node", number);
      return chain.reader.fetchCompleteBlock(number);
    },
  };
}

describe("without a charge, reading begins", () => {
  it("with the solid block", async () => {
    expect(await start()).toMatchObject({ number: HEAD - 19, solidNumber: HEAD - 19 });
  });

  it.each([
    ["the head", HEAD],
    ["a block above the head", 10 ** 12],
    ["a block of the future", HEAD - 18],
  ])("at the highest possible solid block, though the node reports %s as solid", async (_, number) => {
    const reported = { ...(await headerAt(HEAD)), number, timeMs: START_MS * 2 };
    const cursor = await start({ getSolidBlock: async () => reported });
    const { timeMs } = await headerAt(HEAD - 19);
    expect(cursor).toMatchObject({ number: HEAD - 19, solidNumber: HEAD - 19, time: new Date(timeMs) });
  });

  it("low enough to follow the deepest possible fork, though the node reported its head as solid", async () => {
    await scanToRest(
      context,
      await aScanner(context, { ...chain.reader, getSolidBlock: () => chain.reader.getHeadBlock() }),
    );
    chain.fork(18, []);
    await scanToRest(context, await aScanner(context, chain.reader));
    const { number, id } = await chain.reader.getHeadBlock();
    expect(await findCursor(context.db, "devnet")).toMatchObject({ number, blockId: id });
  });

  it("within 1,000 blocks of the head, though the node reports the first block as solid", async () => {
    expect(await start({ getSolidBlock: () => headerAt(1) })).toMatchObject({ number: HEAD - 1_001 });
  });

  it("1,000 blocks below the head if no node serves solid blocks", async () => {
    const unserved = new NodeError("does not serve it", { fault: "no_solidity", node: "node" });
    const getSolidBlock = () => Promise.reject(unserved);
    expect(await start({ getSolidBlock })).toMatchObject({ number: HEAD - 1_001 });
  });

  it("only on a block with a child: an invented one is fetched again", async () => {
    let reported = 0;
    const reader: Partial<ChainReader> = {
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        if (number !== HEAD - 19 || reported > 0) return block;
        reported += 1;
        return { ...block, header: { ...block.header, id: block.header.id.slice(0, 16) + "f".repeat(48) } };
      },
    };
    await expect(start(reader)).rejects.toThrow("does not follow");
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
    expect(await start(reader)).toMatchObject({ blockId: (await headerAt(HEAD - 19)).id });
  });

  it("with the first block on a chain that is too short for a solid one", async () => {
    chain = createForkChain(START_MS);
    chain.mine(5);
    expect(await start()).toMatchObject({ number: 0, solidNumber: 0 });
    await scanToRest(context, await aScanner(context, chain.reader));
    expect((await findCursor(context.db, "devnet"))?.number).toBe(5);
  });
});

describe("with earlier charges, reading begins", () => {
  it("with the last block an hour before the first charge, and finds a payment in that block", async () => {
    const order = await anOrderMadeAt(HEAD + 1, HOUR_MS);
    chain.pay(order.address, 25_000_000n);
    chain.mine(200);
    await scanToRest(context, await aScanner(context, chain.reader));
    const rows = await context.db.query(sql`select block_number::int from deposits`);
    expect(rows).toEqual([{ block_number: HEAD + 1 }]);
    const first = await context.db.query(sql`select min(number)::int as number from blocks`);
    expect(first).toEqual([{ number: HEAD + 1 }]);
  });

  it("early enough to find a payment though the chain's clock is half an hour behind ours", async () => {
    const order = await anOrderMadeAt(1_000, HOUR_MS / 2);
    chain = createForkChain(START_MS);
    chain.mine(1_000);
    chain.pay(order.address, 25_000_000n);
    chain.mine(200);
    await scanToRest(context, await aScanner(context, chain.reader));
    expect(await context.db.query(sql`select block_number::int from deposits`)).toEqual([
      { block_number: 1_001 },
    ]);
  });

  it("after about twice the logarithm of the distance in calls", async () => {
    await anOrderMadeAt(500, HOUR_MS);
    let calls = 0;
    const cursor = await start({
      fetchCompleteBlock: (number) => {
        calls += 1;
        return chain.reader.fetchCompleteBlock(number);
      },
    });
    expect(cursor.number).toBe(499);
    expect(calls).toBeLessThanOrEqual(25);
  });

  it("with the oldest block that the nodes keep, if they keep less, and logs which payments it may miss", async () => {
    await anOrderMadeAt(500, HOUR_MS);
    const logged = listening(context);
    const cursor = await start(pruned(2_345), logged.context);
    expect(cursor).toMatchObject({ number: 2_345, solidNumber: 2_345 });
    expect(logged.lines).toMatchObject([
      {
        level: "warn",
        oldest_block: 2_345,
        first_charge: new Date(START_MS + 500 * BLOCK_MS + HOUR_MS).toISOString(),
      },
    ]);
  });

  it("no later if one answer lacks a block", async () => {
    await anOrderMadeAt(500, HOUR_MS);
    let lies = 1;
    const forgetful: Partial<ChainReader> = {
      fetchCompleteBlock: async (number) => {
        if (number < 2_900 && lies > 0) {
          lies -= 1;
          throw new IncompleteBlockError("node", number);
        }
        return chain.reader.fetchCompleteBlock(number);
      },
    };
    await expect(start(forgetful)).rejects.toThrow("was missing and is there now");
    expect((await start(forgetful)).number).toBe(499);
  });

  it("only once a node without its own head block has recovered", async () => {
    await expect(start(pruned(HEAD + 1))).rejects.toThrow("have no block");
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
  });
});

describe("SCAN_START_BLOCK", () => {
  it.each([
    ["2000", 1_999],
    ["5000", HEAD - 19],
  ])("%s is the first block to read, or the newest possible one", async (first, number) => {
    await context.close();
    await begin({ SCAN_START_BLOCK: first });
    const cursor: Cursor = await start();
    expect(cursor).toMatchObject({ number, solidNumber: number });
  });
});

describe("with a quorum", () => {
  /** A node with other blocks from a height on. */
  function branchFrom(height: number): TestReader {
    const other = (id: string) =>
      Number.parseInt(id.slice(0, 16), 16) >= height ? id.slice(0, 16) + "f".repeat(48) : id;
    const headerOf = (header: BlockHeader) => ({
      ...header,
      id: other(header.id),
      parentId: other(header.parentId),
    });
    return {
      ...chain.reader,
      getHeader: async (number) => headerOf(await headerAt(number)),
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        return { ...block, header: headerOf(block.header) };
      },
    };
  }

  const silent = (): TestReader => ({
    ...chain.reader,
    getHeader: () => Promise.reject(new NodeError("is limited", { fault: "rate_limited", node: "node 3" })),
  });

  const needingTwo = () => withSettings(context, { deposits: { quorum: 2 } });

  it("reading begins above a block that enough nodes have, whatever the leading node reports", async () => {
    const two = needingTwo();
    const scanner = await aScanner(two, nodeGroup(branchFrom(HEAD - 25), chain.reader, chain.reader));
    await expect(startCursor(two, scanner)).rejects.toThrow(
      `block ${HEAD - 19}, above which reading would begin, is shown alike by 1 of the 2 nodes that must`,
    );
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
    const { blockId, number } = await startCursor(two, scanner);
    expect(blockId).toBe((await headerAt(number)).id);
  });

  it("a silent node delays nothing if enough others have the block", async () => {
    const two = needingTwo();
    const scanner = await aScanner(two, nodeGroup(chain.reader, chain.reader, silent()));
    expect(await startCursor(two, scanner)).toMatchObject({ number: HEAD - 19 });
  });

  it("no cursor is written while too few nodes have the block, and the error gives each node's reason", async () => {
    const two = needingTwo();
    const scanner = await aScanner(
      two,
      nodeGroup(chain.reader, { ...chain.reader, ...pruned(HEAD) }, silent()),
    );
    await expect(startCursor(two, scanner)).rejects.toThrow(/node 2: has no such block; node 3: is limited/);
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
  });

  it("without TRON_QUORUM the majority of three nodes must have the block", async () => {
    const scanner = await aScanner(context, nodeGroup(branchFrom(HEAD - 25), chain.reader, chain.reader));
    await expect(startCursor(context, scanner)).rejects.toThrow(
      "by 1 of the 2 nodes that must; nothing is read until they do",
    );
    const { blockId, number } = await startCursor(context, scanner);
    expect(blockId).toBe((await headerAt(number)).id);
  });

  it("without TRON_QUORUM the leading one of two nodes is enough", async () => {
    const scanner = await aScanner(context, nodeGroup(branchFrom(HEAD - 25), chain.reader));
    expect((await startCursor(context, scanner)).blockId).toMatch(/f{48}$/);
  });
});

it("a watcher that is replaced during the search for the first block writes no cursor", async () => {
  const scanner = await aScanner(context, chain.reader);
  await context.owner.query(sql`update leases set epoch = epoch + 1`);
  await expect(startCursor(context, scanner)).rejects.toThrow(LeaseLostError);
  expect(await findCursor(context.db, "devnet")).toBeUndefined();
});
