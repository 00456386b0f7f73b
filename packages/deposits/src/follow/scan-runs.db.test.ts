import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { type Database, type Sql, sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { aScanner, scanToRest } from "@daric/testing/watch";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scanChain } from "./scan-chain.ts";

type Context = Awaited<ReturnType<typeof createTestContext>>;

/** Within the hour before the first charge, so that reading begins at the first block. */
const START_MS = Date.now() - 1_800_000;
const FIRST = 20;

let context: Context;
let chain: ForkChain;
beforeEach(async () => {
  context = await createTestContext();
  chain = createForkChain(START_MS);
  chain.mine(FIRST);
  await scanToRest(context, await aScanner(context, chain.reader));
});
afterEach(() => context.close());

const orderOf = async (of: Context) => {
  const { id: merchantId } = await aMerchant(of.db);
  return aCharge(of.db, { merchantId, currency: "TRX", amount: "1000" });
};

const readSolidBlocks = async () =>
  (
    await context.db.query<{ number: bigint }>(sql`
      select number from blocks where orphaned_at is null order by number`)
  ).map(({ number }) => Number(number));
const count = async (table: Sql) =>
  Number((await context.db.query<{ n: bigint }>(sql`select count(*) as n from ${table}`))[0]?.n);

/** The same database, with hooks around each transaction, and its statements. */
function watched(
  db: Database,
  around: { beforeCommit?: (statements: readonly string[]) => void } = {},
): { db: Database; transactions: string[][] } {
  const transactions: string[][] = [];
  const transaction: Database["transaction"] = (work) =>
    db.transaction(async (tx) => {
      const texts: string[] = [];
      const query: typeof tx.query = (statement) => {
        texts.push(statement.text);
        return tx.query(statement);
      };
      const answer = await work({ ...tx, query });
      around.beforeCommit?.(texts);
      transactions.push(texts);
      return answer;
    });
  return { db: { ...db, transaction }, transactions };
}

const writesBlocks = (texts: readonly string[]) => texts.some((text) => text.includes("insert into blocks"));

describe("blocks that arrive together", () => {
  it("are written together, even at the tip, in hardly more statements than one block", async () => {
    chain.mine(60);
    const { db, transactions } = watched(context.db);
    await scanToRest({ ...context, db }, await aScanner(context, chain.reader));
    const writing = transactions.filter(writesBlocks);
    expect((await readSolidBlocks()).at(-1)).toBe(FIRST + 60);
    expect(writing.length).toBeLessThanOrEqual(8);
    expect(Math.max(...writing.map((texts) => texts.length))).toBeLessThanOrEqual(9);
  });

  it("are written one by one if each takes long, so that no transaction delays the renewal of the lease", async () => {
    chain.mine(40);
    let nowMs = 0;
    const monotonicMs = () => {
      nowMs += 600;
      return nowMs;
    };
    const { db, transactions } = watched(context.db);
    const slow = { ...context, db, clock: { ...context.clock, monotonicMs } };
    await scanToRest(slow, await aScanner(context, chain.reader));
    expect(transactions.filter(writesBlocks)).toHaveLength(40);
    expect((await readSolidBlocks()).at(-1)).toBe(FIRST + 40);
  });

  it("are all written or none if the process ends before the commit", async () => {
    const order = await orderOf(context);
    for (let block = 0; block < 50; block += 1) {
      chain.pay(order.address, 1_000_000n);
      chain.mine(1);
    }
    for (const last of [1, 3]) {
      let writing = 0;
      const { db } = watched(context.db, {
        beforeCommit: (texts) => {
          if (!writesBlocks(texts)) return;
          writing += 1;
          if (writing === last) throw new Error("the process ended");
        },
      });
      const dying = scanToRest({ ...context, db }, await aScanner(context, chain.reader));
      await expect(dying).rejects.toThrow("the process ended");
      const numbers = await readSolidBlocks();
      expect(await count(sql`deposits`)).toBe((numbers.at(-1) ?? 0) - FIRST);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
    await scanToRest(context, await aScanner(context, chain.reader));
    expect(await count(sql`deposits`)).toBe(50);
    expect(await count(sql`deposit_events where event = 'detected'`)).toBe(50);
  });

  it("are read up to the point of a fork, and then the watcher pauses", async () => {
    const order = await orderOf(context);
    chain.mine(30);
    await scanToRest(context, await aScanner(context, chain.reader));
    chain.pay(order.address, 1_000_000n);
    chain.mine(30);
    const left = await Promise.all(
      Array.from({ length: 30 }, (_, index) => chain.reader.fetchCompleteBlock(FIRST + 31 + index)),
    );
    chain.fork(12, ["kept"]);
    chain.mine(20);
    // A gateway that still has the abandoned branch, except its newest block.
    const torn: ChainReader = {
      ...chain.reader,
      fetchCompleteBlock: async (number) =>
        left.slice(0, 25).find(({ header }) => header.number === number) ??
        chain.reader.fetchCompleteBlock(number),
    };
    const scanner = await aScanner(context, torn);
    while (await scanChain(context, scanner));
    const common = FIRST + 30 + 18;
    expect((await readSolidBlocks()).at(-1)).toBe(common);
    await scanToRest(context, await aScanner(context, chain.reader));
    const head = await chain.reader.getHeadBlock();
    expect((await readSolidBlocks()).at(-1)).toBe(head.number);
    expect(await count(sql`deposits where status = 'CONFIRMED'`)).toBe(1);
  });

  it("are not written by a watcher whose lease was taken over during the fetch", async () => {
    const order = await orderOf(context);
    chain.pay(order.address, 1_000_000n);
    chain.mine(50);
    const before = await readSolidBlocks();
    let isFollowed = false;
    const paused: ChainReader = {
      ...chain.reader,
      fetchCompleteBlock: async (number) => {
        if (!isFollowed) {
          isFollowed = true;
          await context.owner.query(sql`update leases set holder = '', epoch = epoch + 1`);
        }
        return chain.reader.fetchCompleteBlock(number);
      },
    };
    const scanner = await aScanner(context, paused);
    await expect(scanChain(context, scanner)).rejects.toThrow(LeaseLostError);
    expect(await readSolidBlocks()).toEqual(before);
    expect(await count(sql`deposits`)).toBe(0);
  });
});

/** The rows of a read chain, without the times of their writes. */
async function storedRows({ db }: Context): Promise<unknown> {
  const of = (statement: Sql) => db.query(statement);
  return {
    blocks: await of(sql`
      select number, id, parent_id, time, witness, transaction_count, transfer_count from blocks order by number`),
    cursor: await of(sql`select number, block_id, blocks_without_internals from scan_cursors`),
    deposits: await of(sql`
      select tx_id, units, status, block_number, block_id, late, past_window from deposits order by block_number, tx_id`),
    history: await of(sql`
      select d.tx_id, array_agg(e.event || ' ' || e.to_status || ' ' || e.block_number order by e.id) as events
      from deposits d join deposit_events e on e.deposit_id = d.id group by d.tx_id order by d.tx_id`),
    sums: await of(
      sql`select confirmed, confirmed_on_time, pending, detected, confirming, open from charge_sums`,
    ),
    open: await of(sql`select status, block_number from open_deposits order by block_number, status`),
    announced: await of(sql`select type from webhook_events order by sequence`),
  };
}

it("a chain that is read in batches leaves the same rows as one that is read block by block", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2), { minLength: 40, maxLength: 70, size: "max" }),
    async (payments) => {
      const [following, away] = [await createTestContext(), await createTestContext()];
      try {
        const own = createForkChain(START_MS);
        own.mine(FIRST);
        const order = await orderOf(following);
        // The first index of either database has the same address.
        expect((await orderOf(away)).address).toBe(order.address);
        await scanToRest(following, await aScanner(following, own.reader));
        await scanToRest(away, await aScanner(away, own.reader));
        for (const paid of payments) {
          for (let n = 0; n < paid; n += 1) own.pay(order.address, 1_000_000n + BigInt(n));
          own.mine(1);
          await scanToRest(following, await aScanner(following, own.reader));
        }
        await scanToRest(away, await aScanner(away, own.reader));
        expect(await storedRows(away)).toEqual(await storedRows(following));
      } finally {
        await following.close();
        await away.close();
      }
    },
  );
  await fc.assert(property, { numRuns: isNight ? 3 : 1, endOnFailure: true });
}, 120_000);
