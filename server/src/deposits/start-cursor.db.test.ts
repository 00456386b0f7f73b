import { type Database, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { aScanner, listening, nodeGroup, scanToRest, type TestReader } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainReader } from "../chain/chain-reader.ts";
import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { LeaseLostError } from "../runtime/lease.ts";
import { type Cursor, findCursor } from "./block-store.ts";
import { pinAtStart } from "./pin-at-start.ts";
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

/** An order that was made when block `number` was, and `laterMs` after. */
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
    getSolidBlockByNumber: async (number) =>
      number < below ? undefined : chain.reader.getSolidBlockByNumber(number),
  };
}

describe("where no charge was made, reading begins", () => {
  it("with the solid block", async () => {
    expect(await start()).toMatchObject({ number: HEAD - 19, solidNumber: HEAD - 19 });
  });

  it.each([
    ["the head", HEAD],
    ["a block above the head", 10 ** 12],
    ["a block of the future", HEAD - 18],
  ])("where a solid block can be at best, though the node calls %s solid", async (_, number) => {
    const told = { ...(await headerAt(HEAD)), number, timeMs: START_MS * 2 };
    const cursor = await start({ getSolidBlock: async () => told });
    const { timeMs } = await headerAt(HEAD - 19);
    expect(cursor).toMatchObject({ number: HEAD - 19, solidNumber: HEAD - 19, time: new Date(timeMs) });
  });

  it("so low that the deepest fork there can be is followed, though the node called its head solid", async () => {
    await scanToRest(
      context,
      await aScanner(context, { ...chain.reader, getSolidBlock: () => chain.reader.getHeadBlock() }),
    );
    chain.fork(18, []);
    await scanToRest(context, await aScanner(context, chain.reader));
    const { number, id } = await chain.reader.getHeadBlock();
    expect(await findCursor(context.db, "devnet")).toMatchObject({ number, blockId: id });
  });

  it("within 1,000 blocks of the head, though the node calls the first block solid", async () => {
    expect(await start({ getSolidBlock: () => headerAt(1) })).toMatchObject({ number: HEAD - 1_001 });
  });

  it("1,000 blocks below the head where no node serves solid blocks", async () => {
    const unserved = new NodeError("does not serve it", { fault: "no_solidity", node: "node" });
    const getSolidBlock = () => Promise.reject(unserved);
    expect(await start({ getSolidBlock })).toMatchObject({ number: HEAD - 1_001 });
  });

  it("only on a block that the next one follows: an invented one is asked for again", async () => {
    let told = 0;
    const reader: Partial<ChainReader> = {
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        if (number !== HEAD - 19 || told > 0) return block;
        told += 1;
        return { ...block, header: { ...block.header, id: block.header.id.slice(0, 16) + "f".repeat(48) } };
      },
    };
    await expect(start(reader)).rejects.toThrow("does not follow");
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
    expect(await start(reader)).toMatchObject({ blockId: (await headerAt(HEAD - 19)).id });
  });

  it("with the first block on a chain that is shorter than what solidity takes", async () => {
    chain = createForkChain(START_MS);
    chain.mine(5);
    expect(await start()).toMatchObject({ number: 0, solidNumber: 0 });
    await scanToRest(context, await aScanner(context, chain.reader));
    expect((await findCursor(context.db, "devnet"))?.number).toBe(5);
  });
});

describe("where charges were made before, reading begins", () => {
  it("with the last block an hour older than the first, and a payment in that very block is found", async () => {
    const order = await anOrderMadeAt(HEAD + 1, HOUR_MS);
    chain.pay(order.address, 25_000_000n);
    chain.mine(200);
    await scanToRest(context, await aScanner(context, chain.reader));
    const rows = await context.db.query(sql`select block_number::int from deposits`);
    expect(rows).toEqual([{ block_number: HEAD + 1 }]);
    const first = await context.db.query(sql`select min(number)::int as number from blocks`);
    expect(first).toEqual([{ number: HEAD + 1 }]);
  });

  it("so early that a payment is found although the chain's clock is half an hour behind ours", async () => {
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

  it("by about twice the logarithm of the distance in calls", async () => {
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

  it("with the oldest block that the nodes keep, where they keep less, and says what may be missed", async () => {
    await anOrderMadeAt(500, HOUR_MS);
    const heard = listening(context);
    const cursor = await start(pruned(2_345), heard.context);
    expect(cursor).toMatchObject({ number: 2_345, solidNumber: 2_345 });
    expect(heard.lines).toMatchObject([
      {
        level: "warn",
        oldest_block: 2_345,
        first_charge: new Date(START_MS + 500 * BLOCK_MS + HOUR_MS).toISOString(),
      },
    ]);
  });

  it("not later because of one answer that a block is not there", async () => {
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
    await expect(start(forgetful)).rejects.toThrow("was not there and now is");
    expect((await start(forgetful)).number).toBe(499);
  });

  it("only once a node is whole again whose head is not there", async () => {
    await expect(start(pruned(HEAD + 1))).rejects.toThrow("have no block");
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
  });
});

describe("SCAN_START_BLOCK", () => {
  it.each([
    ["2000", 1_999],
    ["5000", HEAD - 19],
  ])("%s is the first block to read, or the newest that can be", async (first, number) => {
    await context.close();
    await begin({ SCAN_START_BLOCK: first });
    const cursor: Cursor = await start();
    expect(cursor).toMatchObject({ number, solidNumber: number });
  });
});

describe("beside an honest node, a node that lies about where reading begins", () => {
  /** Blocks that nobody has signed, each the child of the one before, of the times that `timeOf` says. */
  function invented({
    head = HEAD,
    from = 1,
    timeOf = (number: number) => START_MS + number * BLOCK_MS,
  } = {}) {
    const idAt = (number: number) => `${number.toString(16).padStart(16, "0")}${"ab".repeat(24)}`;
    const at = async (number: number): Promise<BlockHeader> => {
      if (number < from) return headerAt(number);
      const header = await headerAt(Math.min(number, HEAD));
      const parentId = number === from ? (await headerAt(number - 1)).id : idAt(number - 1);
      return { ...header, number, id: idAt(number), parentId, timeMs: timeOf(number), signatureHex: "" };
    };
    const reader: Partial<ChainReader> = {
      getHeadBlock: () => at(head),
      getBlock: async (number) => ({ header: await at(number), transactions: [] }),
      getSolidBlock: () => at(head - 18),
      getSolidBlockByNumber: at,
      fetchCompleteBlock: async (number) => ({
        header: await at(number),
        transactions: [],
        infos: [],
        signerHex: undefined,
      }),
    };
    return { ...chain.reader, ...reader };
  }

  /** Looks until reading begins, as the watcher does again and again, with the liar first. */
  async function begun(liar: ChainReader, c: TestContext = context) {
    const scanner = await aScanner(c, nodeGroup(liar, chain.reader));
    await pinAtStart(c, scanner);
    for (let looks = 1; ; looks += 1) {
      try {
        return { looks, cursor: await startCursor(c, scanner) };
      } catch (error) {
        if (looks === 5) throw error;
      }
    }
  }

  it.each([
    ["the newest blocks", {}],
    ["90 more", { head: HEAD + 90 }],
    ["a fork of the last 25", { from: HEAD - 25 }],
  ])("invents %s: it begins above a block that 19 known witnesses prove", async (_, lie) => {
    const { cursor, looks } = await begun(invented(lie));
    expect((await headerAt(cursor.number)).id).toBe(cursor.blockId);
    expect(cursor.number).toBeGreaterThanOrEqual(HEAD - 20);
    expect(looks).toBeLessThanOrEqual(2);
  });

  it.each([
    ["late, and it would begin early", (number: number) => START_MS + number * BLOCK_MS + 10 * HOUR_MS],
    ["early, and it would begin late", (number: number) => START_MS + number],
  ])("says that blocks are %s: it begins an hour before the first charge", async (_, timeOf) => {
    await anOrderMadeAt(1_000, HOUR_MS);
    const { cursor } = await begun(invented({ timeOf }));
    expect(cursor).toMatchObject({ number: 999, blockId: (await headerAt(999)).id });
  });

  it("shows blocks that do not follow one another: the other is asked first", async () => {
    const torn: Partial<ChainReader> = {
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        return { ...block, header: { ...block.header, parentId: block.header.id } };
      },
    };
    const { cursor, looks } = await begun({ ...chain.reader, ...torn });
    expect(cursor.blockId).toBe((await headerAt(cursor.number)).id);
    expect(looks).toBe(2);
  });

  it.each([
    [
      "is limited",
      () => Promise.reject(new NodeError("is limited", { fault: "rate_limited", node: "node 2" })),
    ],
    ["has no such block", async () => undefined],
  ])("is not believed while the other one %s, whoever is pinned", async (words, getHeader) => {
    let isSilent = true;
    const silent: TestReader = {
      ...chain.reader,
      getHeader: async (number) => (isSilent ? getHeader() : headerAt(number)),
    };
    const scanner = await aScanner(context, nodeGroup(invented({}), silent));
    await pinAtStart(context, scanner);
    await expect(startCursor(context, scanner)).rejects.toThrow(`node 2: ${words}`);
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
    isSilent = false;
    const { blockId, number } = await startCursor(context, scanner);
    expect(blockId).toBe((await headerAt(number)).id);
  });

  it("cannot be told from it where nobody is pinned: nothing is begun until they show the same", async () => {
    const scanner = await aScanner(context, nodeGroup(invented({}), chain.reader));
    await expect(startCursor(context, scanner)).rejects.toThrow("the nodes show different blocks");
    expect(await findCursor(context.db, "devnet")).toBeUndefined();
  });
});

it("a watcher that was replaced while it looked for the beginning writes no cursor", async () => {
  const scanner = await aScanner(context, chain.reader);
  await context.owner.query(sql`update leases set epoch = epoch + 1`);
  await expect(startCursor(context, scanner)).rejects.toThrow(LeaseLostError);
  expect(await findCursor(context.db, "devnet")).toBeUndefined();
});
