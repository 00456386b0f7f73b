import type { Charge } from "@daric/charges/charge";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { type Database, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, storedDeposits } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { plansOf } from "@daric/testing/plans";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scanChain } from "./follow/scan-chain.ts";
import { lookUpTransaction } from "./look-up-transaction.ts";
import { findArrivals } from "./lookup/arrival-store.ts";

/** The deposits of one merchant's only charge; every other charge has one. */
const WHALE = 10_000;
let context: TestContext & { close(): Promise<void> };
let chain: ForkChain;
let charges: Charge[];
let statements: Sql[];

beforeAll(async () => {
  context = await createTestContext();
  const startMs = Date.now();
  chain = createForkChain(startMs);
  chain.mine(20);
  await scanToRest(context, await aScanner(context, chain.reader));
  charges = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const { id: merchantId } = await aMerchant(context.db);
      return aCharge(context.db, {
        merchantId,
        currency: "TRX",
        amount: "1",
        expiresAt: new Date(startMs + 90_000),
      });
    }),
  );
  const [whale, ...others] = charges;
  await pastDeposits(whale ?? expect.fail(), WHALE);
  for (const charge of others) await pastDeposits(charge, 20);
  await context.db.query(sql`analyze`);
  statements = await watch();
}, 120_000);
afterAll(() => context.close());

async function pastDeposits({ merchantId, id }: Charge, count: number): Promise<void> {
  await context.db.query(
    sql`${storedDeposits(
      [merchantId],
      sql`
      insert into deposits (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address, currency,
        units, status, block_number, block_id, block_time, required_confirmations, final_confirmations, late,
        past_window, unmatched, confirmed_at)
      select merchant_id, gen_random_uuid(), id, 'devnet', encode(sha256((id::text || place)::bytea), 'hex'),
        'transfer', 0, address, 'TRX', 1, 'CONFIRMED', 1, 'x', now(), 19, 19, false, false, false, now()
      from deposit_addresses, generate_series(1, ${count}::integer) place
      where merchant_id = ${merchantId} and id = ${id}`,
    )} select 1`,
  );
}

/** Pays every charge until the payments are final and some orders expire; returns all statements. */
async function watch(): Promise<Sql[]> {
  const seen: Sql[] = [];
  const noting = (on: Queryable): Queryable => ({
    query: (statement) => {
      seen.push(statement);
      return on.query(statement);
    },
  });
  const db: Database = {
    ...noting(context.db),
    answeringWithin: () => expect.fail("no request waits for the watcher"),
    forTenant: () => expect.fail("the watcher has no merchant"),
    close: () => context.db.close(),
    transaction: (work) => context.db.transaction((tx) => work({ ...noting(tx), inTransaction: true })),
  };
  for (const { address } of charges.slice(0, 50)) chain.pay(address, 1_000_000n);
  chain.mine(2);
  await scanChain({ ...context, db }, await aScanner(context, chain.reader));
  chain.fork(2, ["kept"]);
  chain.mine(1);
  const scanner = await aScanner(context, chain.reader);
  await scanChain({ ...context, db }, scanner);
  chain.mine(60);
  while (await scanChain({ ...context, db }, scanner));
  return seen;
}

/** The plans of the watcher's statements of several merchants that contain a text, for their values and for any. */
async function watchersPlans(part: string): Promise<string[]> {
  const found = statements.filter(({ text }) => text.includes(part));
  expect(found.length, `a statement with ${part}`).toBeGreaterThan(0);
  const textOf = (lines: readonly { "QUERY PLAN": string }[]) =>
    lines.map((line) => line["QUERY PLAN"]).join("\n");
  const valuePlans = await Promise.all(
    found.map(async (statement) => textOf(await context.db.query(sql`explain ${statement}`))),
  );
  const { databaseUrl: connectionString } = context.config.runtime;
  const anyPlan = await withDedicatedClient({ connectionString }, async (client) => {
    const { rows: versions } = await client.query("show server_version_num");
    // Earlier servers explain no plan for any values.
    if (Number(versions[0].server_version_num) < 160_000) return [];
    const texts: string[] = [];
    for (const { text } of found)
      texts.push(textOf((await client.query(`explain (generic_plan) ${text}`)).rows));
    return texts;
  });
  return [...valuePlans, ...anyPlan];
}

it.each([
  ["the look-up of owners", "from address_directory"],
  ["the insert of a block's deposits", "insert into deposits "],
  ["what of it is included again", "seen_units"],
  ["burying, orphaning and confirming", "update deposits changed"],
  ["locking orders", "for no key update"],
  ["reading charges", 'as "confirmedUnits"'],
  ["the deposits that an event lists", "order by units desc, id limit"],
  ["expiry", "archives_at = greatest"],
  ["the checks", "insert into deposit_checks"],
  ["the ledger", "insert into ledger_entries"],
  ["the events", "insert into webhook_events"],
])("%s reads rows by their keys, and no more if another charge has many", async (_what, part) => {
  for (const plan of await watchersPlans(part)) {
    expect(plan).not.toMatch(
      /Seq Scan on deposits|Bitmap [^\n]*Scan on deposits|using deposits_newest|using deposits_of_address/,
    );
  }
});

it("a transaction is found by its hash, however many deposits its merchant has", async () => {
  const { merchantId } = charges[0] ?? expect.fail();
  const txHash = "ab".repeat(32);
  const plans = await plansOf({ db: context.db, url: context.config.runtime.databaseUrl }, async (db) => {
    await lookUpTransaction(db, { merchantId, txHash }, { limit: 20, offset: 0 });
    await findArrivals(db, { merchantId, txId: txHash });
  });
  const reads = plans.flatMap(({ scans }) => scans.filter((scan) => scan.startsWith("deposits ")));
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) expect(read).toMatch(/^deposits by deposits_merchant_id_tx_id_/);
});
