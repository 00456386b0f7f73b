import type { Grants } from "@daric/postgres/grants";
import { sql } from "@daric/postgres/sql";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { serviceSources } from "@daric/testing/service-sources";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendOnlyTables, grants } from "./grants.ts";

const unchangeable = (table: string, columns: readonly string[]) =>
  columns.map((column) => [table, column] as const);

/** The texts of all files with statements of the service. */
const storeTexts = () => serviceSources(/[/-]store\.ts$/).map(({ text }) => text);

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const isRefused = (statement: string) =>
  expect(test.db.query(raw(statement)), statement).rejects.toMatchObject({ code: "42501" });

describe("the service", () => {
  it("has a line for every table, so a new table needs one", async () => {
    const tables = await test.owner.query<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(grants).toSorted());
  });

  it.each(appendOnlyTables)("may add to %s, and neither change nor delete its rows", async (table) => {
    const [column] = await test.owner.query<{ name: string }>(sql`
      select column_name::text as name from information_schema.columns where table_name = ${table} and is_identity = 'NO' and is_generated = 'NEVER' limit 1`);
    await isRefused(`update ${table} set ${column?.name} = ${column?.name}`);
    await isRefused(`delete from ${table}`);
  });

  it.each(Object.keys(grants))("may read %s and not truncate it", async (table) => {
    await test.db.query(raw(`select from ${table} limit 1`));
    await isRefused(`truncate ${table} cascade`);
  });

  it.each([
    "create table mine (id int)",
    "create schema mine",
    "alter table merchants add column mine int",
    "drop table rates",
    "create index on merchants (name)",
    "update schema_version set md5 = ''",
  ])("may not: %s", isRefused);

  it("has the rights of its lines and no others, for every column of every table", async () => {
    const may = await test.db.query<{
      table: string;
      column: string;
      inserts: boolean;
      updates: boolean;
    }>(sql`
      select relname::text as table, attname::text as column,
        has_column_privilege(c.oid, attnum, 'insert') as inserts,
        has_column_privilege(c.oid, attnum, 'update') as updates
      from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
    const lines: Grants = grants;
    const granted = may.map(({ table, column }) => {
      const { insert, update } = lines[table] ?? {};
      const inserts = insert === true || insert?.includes(column) === true;
      return { table, column, inserts, updates: update?.includes(column) === true };
    });
    expect(may).toEqual(granted);
    for (const { table, delete: deletes } of Object.entries(lines).map(([name, line]) => ({
      table: name,
      ...line,
    }))) {
      const [row] = await test.db.query<{ may: boolean }>(
        sql`select has_table_privilege(${table}, 'delete') as may`,
      );
      expect({ table, ...row }).toEqual({ table, may: deletes === true });
    }
  });

  it("is the role of the tests: a missing right fails the tests of the store", async () => {
    const [role] = await test.db.query<{ isOwner: boolean; isSuper: boolean }>(sql`
      select pg_has_role(session_user, (select relowner from pg_class where oid = 'deposits'::regclass), 'usage') as "isOwner",
        rolsuper as "isSuper" from pg_roles where rolname = session_user`);
    expect(role).toEqual({ isOwner: false, isSuper: false });
  });

  it.each([
    ...unchangeable("deposit_addresses", [
      ...[
        "address",
        "account_key_id",
        "derivation_index",
        "checkout_token",
        "merchant_id",
        "id",
        "kind",
        "chain",
      ],
      ...["currency", "settlement_account_id", "fee_mode", "fee_basis_points", "fee_fixed_units"],
      ...["tolerance_basis_points", "fiat_currency", "fiat_amount", "created_at"],
    ]),
    ...unchangeable("deposits", [
      ...["id", "merchant_id", "deposit_address_id", "address", "network", "tx_id", "source", "event_index"],
      "required_confirmations",
    ]),
    ...unchangeable("merchants", ["id", "fee_basis_points", "fixed_fees"]),
    ...unchangeable("settlement_accounts", ["address", "is_default", "status"]),
    ...unchangeable("api_keys", ["secret_hash", "scopes", "lookup_id", "merchant_id"]),
    ...unchangeable("address_directory", ["address", "merchant_id", "charge_id"]),
    ...unchangeable("webhook_deliveries", ["event_id", "endpoint_id"]),
    ...unchangeable("account_keys", ["xpub"]),
    ...unchangeable("scan_cursors", ["network"]),
  ])("never changes %s.%s", (table, column) => isRefused(`update ${table} set ${column} = ${column}`));

  it.each(["merchants", "settlement_accounts"])("inserts no whole row of %s", (table) =>
    isRefused(`insert into ${table} select * from ${table}`),
  );

  it("has no right to a column that no statement changes", async () => {
    const stores = storeTexts();
    const unused = Object.entries<Grants[string]>(grants).flatMap(([table, { update = [] }]) => {
      // A store may pass its set clause to the statement of another one.
      const handsOn = (text: string) => table === "deposits" && text.includes('from "../status-store.ts"');
      const writers = stores.filter(
        (text) => handsOn(text) || new RegExp(`(update|insert into) ${table}\\b`).test(text),
      );
      const isSet = (column: string) => writers.some((text) => new RegExp(`\\b${column} = `).test(text));
      return update.filter((column) => !isSet(column)).map((column) => `${table}.${column}`);
    });
    expect(unused).toEqual([]);
  });

  it("only adds to history and attempts", () => {
    expect(appendOnlyTables).toEqual(expect.arrayContaining(["deposit_events", "webhook_attempts"]));
  });
});
