import { sql } from "@daric/postgres/sql";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendOnlyTables, grants } from "./grants.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const isRefused = (statement: string) =>
  expect(test.db.query(raw(statement)), statement).rejects.toMatchObject({ code: "42501" });

describe("the service", () => {
  it("has a line for every table: a new one says what may be written", async () => {
    const tables = await test.owner.query<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(grants).toSorted());
  });

  it.each(appendOnlyTables)("may add to %s, and neither change nor delete what is there", async (table) => {
    const [column] = await test.owner.query<{ name: string }>(sql`
      select column_name::text as name from information_schema.columns where table_name = ${table} and is_identity = 'NO' and is_generated = 'NEVER' limit 1`);
    await isRefused(`update ${table} set ${column?.name} = ${column?.name}`);
    await isRefused(`delete from ${table}`);
  });

  it.each(Object.keys(grants))("may read %s and not empty it at once", async (table) => {
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

  it("has history and attempts, which are only ever added to", () => {
    expect(appendOnlyTables).toEqual(expect.arrayContaining(["deposit_events", "webhook_attempts"]));
  });
});
