import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { collateLargeTables } from "./collate-tables.ts";

const ROWS = 20_100;
const OURS = ["large", "small"];

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
  const { drop } = database;
  onTestFinished(() => drop());
});

/** A table with an index of each form, a check of each kind and a text array. */
async function makeTable(name: string, collation = ""): Promise<void> {
  for (const statement of [
    `create table ${name} (shop uuid not null, ref text${collation} not null, state text${collation} not null default 'new'
       check (state in ('new', 'old')), tags text[]${collation}, at timestamptz, note text${collation},
       constraint ${name}_key primary key (shop, ref), constraint ${name}_ref unique (ref, shop) with (fillfactor = 70))`,
    `alter table ${name} add constraint ${name}_old check (note <> 'x') not valid`,
    `create index ${name}_most on ${name} (shop, ref text_pattern_ops desc nulls last) include (at) where state = 'new'`,
    `create index ${name}_few on ${name} (shop, at) where state = 'old'`,
    `create unique index ${name}_noted on ${name} (shop, note) where note is not null`,
    `create index ${name}_folded on ${name} (shop, lower(ref))`,
    `create index ${name}_at on ${name} (at)`,
  ])
    await database.owner.query(raw(statement));
}

async function fill(name: string, rows: number): Promise<void> {
  await database.owner.query(
    raw(`insert into ${name} (shop, ref, state) select md5((n % 9)::text)::uuid, 'R-' || n, case when n % 100 = 0 then 'old' else 'new' end
      from generate_series(1, ${rows}) n`),
  );
  await database.owner.query(raw(`analyze ${name}`));
}

/** The definition of a table, without its name. */
async function describeTable(name: string): Promise<unknown[]> {
  return database.owner.query(
    raw(`select replace(what, '${name}', 'the_table') as what from (
      select pg_get_indexdef(indexrelid) || ' ' || indisvalid || ' ' || indcollation::text from pg_index where indrelid = '${name}'::regclass
      union all
      select conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated || coalesce(obj_description(oid, 'pg_constraint'), '')
      from pg_constraint where conrelid = '${name}'::regclass
      union all
      select attname || ' ' || attcollation || ' ' || attnotnull from pg_attribute where attrelid = '${name}'::regclass and attnum > 0
    ) described (what) order by 1`),
  );
}

it("a large table becomes what it would be if its text had compared as bytes from the start, and a small one and one of another program are left", async () => {
  await makeTable("large");
  await makeTable("small");
  await makeTable("foreign_one");
  await makeTable("wished", ' collate "C"');
  await fill("large", ROWS);
  await fill("small", 100);
  await fill("foreign_one", ROWS);
  const [small, foreign] = [await describeTable("small"), await describeTable("foreign_one")];
  expect(await describeTable("large")).not.toEqual(await describeTable("wished"));
  expect(await collateLargeTables(database.ownerUrl, OURS)).toEqual(["large"]);
  expect(await describeTable("large")).toEqual(await describeTable("wished"));
  expect([await describeTable("small"), await describeTable("foreign_one")]).toEqual([small, foreign]);
  expect(await collateLargeTables(database.ownerUrl, OURS)).toEqual([]);
});

it("a run that was interrupted is finished by the next one", async () => {
  await makeTable("large");
  await makeTable("wished", ' collate "C"');
  await fill("large", ROWS);
  const { owner, ownerUrl } = database;
  const [{ oid } = { oid: "" }] = await owner.query<{ oid: string }>(
    raw("select 'large_key'::regclass::oid::text as oid"),
  );
  const unfinished = owner.query(raw(`create unique index concurrently collated_${oid} on large (state)`));
  await expect(unfinished).rejects.toThrow("could not create unique index");
  expect(await collateLargeTables(ownerUrl, OURS)).toEqual(["large"]);
  expect(await describeTable("large")).toEqual(await describeTable("wished"));

  // The columns are changed, a partial index has its twin alone, and a check is to be validated.
  for (const statement of [
    "alter index large_most rename to collated_1",
    `comment on index collated_1 is 'CREATE INDEX large_most ON large USING btree
      (shop, ref text_pattern_ops DESC NULLS LAST) INCLUDE (at) WHERE state = ''new'' '`,
    `alter table large drop constraint large_state_check,
      add constraint large_state_check check (state in ('new', 'old')) not valid`,
    "comment on constraint large_state_check on large is 'daric: to be validated'",
  ])
    await owner.query(raw(statement));
  expect(await collateLargeTables(ownerUrl, OURS)).toEqual([]);
  expect(await describeTable("large")).toEqual(await describeTable("wished"));
});

it("a service beside it writes on with the statements that it prepared, and a long write is waited for", async () => {
  await makeTable("large");
  await fill("large", ROWS);
  const { db, ownerUrl } = database;
  const write = () => db.query(raw("update large set at = now() where ref = 'R-7' returning ref, state"));
  await write();
  let changing: Promise<string[]> | undefined;
  await db.transaction(async (tx) => {
    await tx.query(raw("update large set at = now() where ref = 'R-8'"));
    changing = collateLargeTables(ownerUrl, OURS);
    await tx.query(raw("select pg_sleep(1.5)"));
  });
  expect(await changing).toEqual(["large"]);
  expect(await write()).toEqual([{ ref: "R-7", state: "new" }]);
});
