import type { Database, Sql, Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { scanChain } from "./scan-chain.ts";

const MINUTE_MS = 60_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.close());

/** The database with a count of its statements. */
function counting(db: Database): { db: Database; statements: () => number } {
  let times = 0;
  return {
    statements: () => times,
    db: {
      query: (statement) => {
        times += 1;
        return db.query(statement);
      },
      transaction: (work) => {
        times += 1;
        return db.transaction(work);
      },
      answeringWithin: () => expect.fail("no request waits for the watcher"),
      forTenant: () => expect.fail("the watcher has no merchant"),
      close: () => db.close(),
    },
  };
}

async function atRest() {
  const chain = createForkChain(Date.now() - 10 * MINUTE_MS);
  chain.mine(30);
  const scanner = await aScanner(context, chain.reader);
  await scanToRest(context, scanner);
  const { db, statements } = counting(context.db);
  return { chain, scanner, statements, quiet: { ...context, db } };
}

it("a step without a new block sends no statement to the database, and a step with one reads it", async () => {
  const { chain, scanner, statements, quiet } = await atRest();
  await scanChain(quiet, scanner);
  const before = statements();
  for (let poll = 0; poll < 5; poll++) await scanChain(quiet, scanner);
  expect(statements()).toBe(before);
  chain.mine(1);
  await scanChain(quiet, scanner);
  expect(statements()).toBeGreaterThan(before);
  expect((await findCursor(context.db, "devnet"))?.number).toBe((await chain.reader.getHeadBlock()).number);
});

it("a block without anything of ours costs three transactions: what is due is read in one, its own write, and what waits in one", async () => {
  const { chain, scanner, statements, quiet } = await atRest();
  // The first ones come with what a new watcher writes once.
  chain.mine(2);
  await scanToRest(quiet, scanner);
  const before = statements();
  chain.mine(1);
  await scanChain(quiet, scanner);
  expect(statements() - before).toBe(3);
});

it("the cached cursor is forgotten with the lease, since another holder may have moved it", async () => {
  const { scanner, statements, quiet } = await atRest();
  await scanChain(quiet, scanner);
  const before = statements();
  await scanChain(quiet, { ...scanner, lease: { ...scanner.lease, epoch: scanner.lease.epoch + 1n } });
  expect(statements()).toBeGreaterThan(before);
});

it("the nodes' answers are forgotten with the lease, since another holder may have followed another chain", async () => {
  const { scanner, quiet } = await atRest();
  const { following } = scanner;
  const { standing } = following.verifying;
  following.verifying = {
    ...following.verifying,
    standing: { ...standing, agreedHeights: new Map([[0, 12]]) },
  };
  await scanChain(quiet, scanner);
  expect(following.verifying.standing.agreedHeights.size).toBe(1);
  await scanChain(quiet, { ...scanner, lease: { ...scanner.lease, epoch: scanner.lease.epoch + 1n } });
  expect(following.verifying.standing.agreedHeights.size).toBe(0);
});

it("only a block with an event wakes the deliveries, after its commit", async () => {
  const { chain, scanner, quiet } = await atRest();
  const { id: merchantId } = await aMerchant(context.db);
  await anEndpointRow(context.db, merchantId, { eventTypes: ["deposit.detected"] });
  const { address } = await aCharge(context.db, { merchantId, amount: "5", currency: "TRX" });
  const heights: (number | undefined)[] = [];
  const afterCommit = () => {
    void findCursor(context.db, "devnet").then((cursor) => heights.push(cursor?.number));
  };
  chain.mine(1);
  await scanToRest(quiet, { ...scanner, afterCommit });
  chain.pay(address, 5_000_000n);
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  await scanToRest(quiet, { ...scanner, afterCommit });
  await expect.poll(() => heights[0], { timeout: 10_000 }).toBe(number);
});

it("a confirmed deposit wakes the deliveries before anything else is read", async () => {
  const { chain, scanner, quiet } = await atRest();
  const { id: merchantId } = await aMerchant(context.db);
  const { address } = await aCharge(context.db, { merchantId, amount: "5", currency: "TRX" });
  chain.pay(address, 5_000_000n);
  chain.mine(1);
  await scanToRest(quiet, scanner);
  chain.mine(20);
  const steps: string[] = [];
  const { db } = quiet;
  const noting = {
    ...db,
    query: <Row>(statement: Sql) => {
      steps.push("read");
      return db.query<Row>(statement);
    },
    transaction: async <T>(work: (tx: Transaction) => Promise<T>) => {
      const result = await db.transaction(work);
      steps.push("commit");
      return result;
    },
  };
  await scanChain({ ...quiet, db: noting }, { ...scanner, afterCommit: () => steps.push("wake") });
  const committed = steps.lastIndexOf("commit");
  expect(steps.slice(committed, committed + 3)).toEqual(["commit", "wake", "read"]);
});
