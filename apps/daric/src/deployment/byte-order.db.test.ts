import { type Queryable, sql } from "@daric/postgres/sql";
import { createTestDatabase } from "@daric/testing/database";
import { expect, it } from "vitest";

/** Keys of indexes, and columns of tables, that compare text in the order of the database. */
async function findTrusting(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and 'pg_catalog.default'::regcollation = any(indcollation)
    union all
    select attrelid::regclass || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and attcollation = 'pg_catalog.default'::regcollation
    order by 1`);
  return rows.map(({ name }) => name);
}

it("no index and no column compares text in the order of the database", async () => {
  const { db, owner, drop } = await createTestDatabase();
  expect(await findTrusting(db)).toEqual([]);
  await owner.query(sql`create table planted (id text primary key, label text collate "C")`);
  await owner.query(sql`create index planted_folded on planted (lower(label collate "default"))`);
  expect(await findTrusting(db)).toEqual(["planted.id", "planted_folded", "planted_pkey"]);
  await drop();
});
