import { selectRefsByToken } from "@daric/charges/checkout-token-store";
import type { MerchantId } from "@daric/domain/ids";
import { findMerchant, listMerchants } from "@daric/merchants/store";
import { openDatabase } from "@daric/postgres/database";
import { type Database, one, sql } from "@daric/postgres/sql";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { executeAsAdmin, urlOfDatabase } from "../admin-connection.ts";
import { aMerchant, anApiKey, aSettlementAccount } from "../builders.ts";
import { aCharge } from "../charge-builders.ts";
import { standOnServers } from "../cluster.ts";
import { createTestContext } from "../context.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";

let test: TestDatabase;
/** The database with visible decoys, as the service's statements see it. */
let all: Database;
let merchantId: MerchantId;
beforeEach(async () => {
  test = await createTestDatabase();
  all = openDatabase({ url: test.ownerUrl, onError: () => undefined });
  merchantId = (await aMerchant(test.db)).id;
});
afterEach(async () => {
  await all.close();
  await test.drop();
});

const nameOf = ({ ownerUrl }: TestDatabase) => new URL(ownerUrl).pathname.slice(1);

describe("a statement of the service", () => {
  it("finds every row twice unless it names the merchant", async () => {
    const { id } = await aSettlementAccount(test.db, merchantId);
    expect(await all.query(sql`select id from settlement_accounts where id = ${id}`)).toEqual([
      { id },
      { id },
    ]);
    const one = sql`select id from settlement_accounts where merchant_id = ${merchantId} and id = ${id}`;
    expect(await all.query(one)).toEqual([{ id }]);
  });

  it("that changes, removes or copies a row by its id alone fails at once, with the table's name", async () => {
    const { id } = await aSettlementAccount(test.db, merchantId);
    const violations = [
      sql`update settlement_accounts set label = 'x' where id = ${id}`,
      sql`delete from settlement_accounts where id = ${id}`,
      sql`insert into webhook_endpoints (merchant_id, id, url, event_types, secret_ciphertext)
        select merchant_id, id, 'http://127.0.0.1', '{deposit.confirmed}', '' from settlement_accounts where id = ${id}`,
    ];
    const refused = "a statement reached the decoy of another merchant in";
    for (const violation of violations) await expect(all.query(violation)).rejects.toThrow(refused);
    await all.query(
      sql`update settlement_accounts set label = 'x' where merchant_id = ${merchantId} and id = ${id}`,
    );
  });
});

it("rows have decoys, however and in whatever order they are inserted", async () => {
  const [first, second, parent] = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
  await all.query(sql`
    with event as (
      insert into webhook_events (merchant_id, id, type, sequence) values (${merchantId}, ${parent}, 'x', 1)),
    body as (insert into webhook_event_bodies (merchant_id, event_id, body) values (${merchantId}, ${parent}, '')),
    endpoint as (
      insert into webhook_endpoints (merchant_id, id, url, event_types, secret_ciphertext)
      values (${merchantId}, ${parent}, 'x', '{x}', ''))
    insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, event_type, next_attempt_at)
    values (${merchantId}, ${first}, ${parent}, ${parent}, 'x', now())`);
  await all.query(sql`
    insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, event_type, next_attempt_at)
    values (${merchantId}, ${second}, ${parent}, ${parent}, 'x', now())
    on conflict (merchant_id, event_id, endpoint_id) do update set attempt_count = 1`);
  const counts = await all.query<{ of: number; decoys: number }>(sql`
    select count(*) filter (where merchant_id = ${merchantId})::int as of,
      count(*) filter (where merchant_id <> ${merchantId})::int as decoys from webhook_deliveries`);
  expect(counts).toEqual([{ of: 1, decoys: 1 }]);
  expect(await all.query(sql`select from webhook_event_bodies where event_id = ${parent}`)).toHaveLength(2);
});

it("a test's own query sees no decoys, inside and outside a transaction", async () => {
  const { id } = await aSettlementAccount(test.db, merchantId);
  const byId = sql`select id from settlement_accounts where id = ${id}`;
  expect(await test.db.query(byId)).toEqual([{ id }]);
  await test.db.transaction(async (tx) => {
    expect(await tx.query(byId)).toEqual([{ id }]);
    expect(await findMerchant(tx, merchantId)).toBeDefined();
  });
  expect(await all.query(byId)).toHaveLength(2);
  const table = sql`select has_table_privilege('settlement_accounts', 'delete') as may`;
  expect(await test.db.query(table)).toEqual([{ may: false }]);
  await test.owner.query(sql`update settlement_accounts set label = 'new' where id = ${id}`);
  const rows = await test.db.query<{ label: string }>(sql`select label from settlement_accounts`);
  expect(one(rows).label).toBe("new");
});

it("directories have no decoys: a key finds its one merchant", async () => {
  const context = await createTestContext();
  const { id } = await aMerchant(context.db);
  await anApiKey(context, id);
  const found = await context.db.query<{ merchantId: string }>(
    sql`select merchant_id as "merchantId" from api_key_directory`,
  );
  expect(found).toEqual([{ merchantId: id }]);
  await context.close();
});

it("a token finds its one charge on a distributed database too: no service makes a token twice", async () => {
  const context = await createTestContext();
  const { id } = await aMerchant(context.db);
  const { checkoutToken } = await aCharge(context.db, { merchantId: id });
  const asOneServer = await standOnServers(context);
  const found = await selectRefsByToken(context.db, [checkoutToken]);
  await asOneServer();
  expect(found.map(({ merchantId }) => merchantId)).toEqual([id]);
  await context.close();
});

it("a merchant's decoy is a merchant with an id that finds nothing", async () => {
  expect(await listMerchants(test.db)).toHaveLength(2);
  expect(await findMerchant(test.db, merchantId)).toMatchObject({ id: merchantId });
});

it("decoys that changed behind all triggers are found later, and a truncated table is ignored", async () => {
  const own = await createTestDatabase();
  const account = await aSettlementAccount(own.db, (await aMerchant(own.db)).id);
  const asReplica = (statement: string) =>
    executeAsAdmin(
      urlOfDatabase(inject("postgres").adminUrl, nameOf(own)),
      `set session_replication_role = replica; ${statement}`,
    );
  const changed = () => own.db.query<{ table: string }>(sql`select table_name as table from decoys.changed`);
  expect(await changed()).toEqual([]);
  await asReplica("update settlement_accounts set label = 'x'");
  expect(await changed()).toEqual([{ table: "settlement_accounts" }]);
  await asReplica("update settlement_accounts set label = null");
  expect(await changed()).toEqual([]);
  await asReplica(`delete from settlement_accounts where id = '${account.id}'`);
  await expect(own.drop()).rejects.toThrow(
    "rows of the decoy of another merchant have changed: settlement_accounts (1 made, 0 found)",
  );
  const other = await createTestDatabase();
  await aSettlementAccount(other.db, (await aMerchant(other.db)).id);
  await other.owner.query(sql`truncate settlement_accounts cascade`);
  await other.drop();
});

it("a listed global statement may change rows of any merchant", async () => {
  await aSettlementAccount(test.db, merchantId);
  await all.query(sql`/* global: merchant-list */ update settlement_accounts set label = 'all'`);
  const rows = await all.query<{ label: string }>(sql`select label from settlement_accounts`);
  expect(rows).toEqual([{ label: "all" }, { label: "all" }]);
});
