import { type Sql, sql } from "@daric/postgres/sql";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { tenantColumn, tenantTables } from "./schema.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const { tables } = inject("postgres");

type Key = { name: string; table: string; first: string };
const keysThatBeginOtherwise = async (keys: Sql) => {
  const found = await test.db.query<Key>(keys);
  expect(found.length).toBeGreaterThan(3);
  return found.filter(({ table, first }) => first !== tenantColumn(tables, table)).map(({ name }) => name);
};

it("every primary and unique key of a merchant's rows begins with the merchant", async () => {
  const keys = sql`
    select indexrelid::regclass::text as name, indrelid::regclass::text as table, attname::text as first
    from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indisunique and indrelid = any(${tenantTables(tables)}::regclass[])
    order by name`;
  expect(await keysThatBeginOtherwise(keys)).toEqual([]);
});

it("every foreign key between merchants' rows includes the merchant", async () => {
  const keys = sql`
    select conname::text as name, conrelid::regclass::text as table, attname::text as first
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and conparentid = 0
      and conrelid = any(${tenantTables(tables)}::regclass[]) and confrelid = any(${tenantTables(tables)}::regclass[])
    order by name`;
  expect(await keysThatBeginOtherwise(keys)).toEqual([]);
});
