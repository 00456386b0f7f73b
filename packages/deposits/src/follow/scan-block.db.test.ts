import { type LazyBlock, lazyBlockOf } from "@daric/chain/blocks/lazy-block";
import type { Charge } from "@daric/charges/charge";
import type { Database, Sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { announced } from "@daric/testing/settle-charges";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { confirmDeposits } from "../verify/confirm-deposits.ts";
import { scanBlocks } from "./scan-block.ts";
import type { Scanner } from "./scanner.ts";

let context: TestContext & { close(): Promise<void> };
let chain: ForkChain;
beforeEach(async () => {
  context = await createTestContext();
  chain = createForkChain(Date.now());
  chain.mine(20);
  await scanToRest(context, await aScanner(context, chain.reader));
});
afterEach(() => context.close());

/** One charge for each of this many merchants. */
function chargesOf(merchants: number): Promise<Charge[]> {
  return Promise.all(
    Array.from({ length: merchants }, async () => {
      const { id: merchantId } = await aMerchant(context.db);
      return aCharge(context.db, { merchantId, currency: "TRX", amount: "1000" });
    }),
  );
}

/** The same database, with the texts of its transactions' statements. */
function counting(db: Database): { db: Database; texts: string[] } {
  const texts: string[] = [];
  const transaction: Database["transaction"] = (work) =>
    db.transaction((tx) =>
      work({
        ...tx,
        query: <Row>(statement: Sql) => {
          texts.push(statement.text);
          return tx.query<Row>(statement);
        },
      }),
    );
  return { db: { ...db, transaction }, texts };
}

async function nextBlock({ network }: Scanner, number: number): Promise<LazyBlock> {
  return lazyBlockOf(await chain.reader.fetchCompleteBlock(number + 1), network.tokens);
}

/** Reads the newest block, which pays these charges, and returns its statements. */
async function readBlock(charges: readonly Charge[], transfersEach: number): Promise<string[]> {
  for (const { address } of charges) {
    for (let n = 1; n <= transfersEach; n += 1) chain.pay(address, 1_000_000n);
  }
  chain.mine(1);
  const { db, texts } = counting(context.db);
  const scanner = await aScanner(context, chain.reader);
  const cursor = (await findCursor(context.db, "devnet")) ?? expect.fail();
  const block = await nextBlock(scanner, cursor.number);
  await scanBlocks({ ...context, db }, scanner, { cursor, blocks: [block] });
  return texts;
}

it("a block takes as many statements for hundreds of deposits of many merchants as for one", async () => {
  const [one, many] = [await chargesOf(1), await chargesOf(40)];
  const forOne = await readBlock(one, 1);
  const forMany = await readBlock(many, 10);
  const again = await readBlock(many, 10);
  // Each block but the first makes the deposits of the previous one CONFIRMING.
  expect(again.length).toBe(forMany.length);
  expect(forMany.length - forOne.length).toBe(1);
  // Two of them are about refunds: whether their addresses changed, and the addresses, which a process reads once.
  expect(forMany.length).toBeLessThanOrEqual(12);
  // No endpoint subscribes to unconfirmed deposits, so only the query for subscribers remains.
  expect(forMany.filter((text) => text.includes("webhook_"))).toEqual([
    expect.stringContaining("from webhook_endpoints"),
  ]);
});

it("orphaned deposits return in as many statements for hundreds as for one", async () => {
  const many = await chargesOf(20);
  await readBlock(many, 10);
  await readBlock([], 0);
  chain.fork(2, ["kept"]);
  const scanner = await aScanner(context, chain.reader);
  const { db, texts } = counting(context.db);
  await scanToRest({ ...context, db }, scanner);
  const changing = texts.filter((text) => /update deposits|insert into deposits /.test(text));
  // The fork orphans them; new ones are inserted, known ones return, and the next block makes them CONFIRMING.
  expect(changing).toHaveLength(4);
});

/** Makes the newest deposits CONFIRMING, and confirms up to their block. */
async function confirmNewest(db: Database) {
  chain.mine(25);
  const scanner = await aScanner(context, chain.reader);
  const cursor = (await findCursor(context.db, "devnet")) ?? expect.fail();
  const block = await nextBlock(scanner, cursor.number);
  await scanBlocks(context, scanner, { cursor, blocks: [block] });
  const head = { ...cursor, number: cursor.number + 25 };
  const scope = { network: "devnet", epoch: scanner.lease.epoch };
  const solid = { number: cursor.number, blockId: cursor.blockId, time: cursor.time };
  return db.transaction((tx) =>
    announced(context, tx, confirmDeposits(context, tx, { scope, cursor: head, solid })),
  );
}

it("a confirmation locks the rows of its orders once and then reads its charges once", async () => {
  await readBlock(await chargesOf(3), 2);
  const { db, texts } = counting(context.db);
  expect((await confirmNewest(db)).deposits).toHaveLength(6);
  const chargeTexts = texts.flatMap((text) => {
    if (/kind = 'order'[^;]*for no key update(?! of refund)/.test(text)) return ["taken"];
    return text.includes('as "confirmedUnits"') ? ["read"] : [];
  });
  expect(chargeTexts).toEqual(["taken", "read"]);
});

it("deposits are confirmed for every merchant in turn, for any backlog of one of them", async () => {
  const [whale, ...others] = await chargesOf(5);
  await readBlock([whale ?? expect.fail()], 300);
  await readBlock(others, 2);
  const { deposits, isMoreWaiting } = await confirmNewest(context.db);
  const countOf = (of: Charge) => deposits.filter(({ merchantId }) => merchantId === of.merchantId).length;
  expect([deposits.length, isMoreWaiting]).toEqual([200, true]);
  expect(others.map(countOf)).toEqual([2, 2, 2, 2]);
});
