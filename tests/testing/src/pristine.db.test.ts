import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { one, sql } from "@daric/postgres/sql";
import { beforeEach, describe, expect, it } from "vitest";
import { executeAsAdmin } from "./admin-connection.ts";
import { aMerchant } from "./builders.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { raw } from "./raw-sql.ts";

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
  return test.drop;
});

/** `uncounted`: connections of which the caller knows nothing. */
async function restore({ uncounted = 0 } = {}): Promise<boolean> {
  const [row] = await test.owner.query<{ restored: boolean }>(sql`
    select pristine.restore(count(*)::integer - ${uncounted}::integer) as restored from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`);
  return row?.restored ?? expect.fail("no answer");
}

async function count(table: string): Promise<bigint> {
  return one(await test.owner.query<{ rows: bigint }>(raw(`select count(*) as rows from ${table}`))).rows;
}

describe("a test database that is used again", () => {
  it("has the rows and sequences of the template, without decoys", async () => {
    const deployments = await test.owner.query(sql`select * from deployment`);
    const sequences = await test.owner.query(
      sql`select sequencename, last_value from pg_sequences order by 1`,
    );
    await aMerchant(test.owner);
    await test.owner.query(sql`delete from deployment`);
    await test.owner.query(sql`select nextval('deposit_events_id')`);
    expect(await restore()).toBe(true);
    expect(await count("merchants")).toBe(0n);
    expect(await test.owner.query(sql`select from decoys.changed`)).toEqual([]);
    expect(await test.owner.query(sql`select * from deployment`)).toEqual(deployments);
    expect(await test.owner.query(sql`select sequencename, last_value from pg_sequences order by 1`)).toEqual(
      sequences,
    );
  });
});

describe("a test database is dropped after", () => {
  it.each([
    ["a change of its schema", "alter table merchants add column note text"],
    ["a grant", "grant select on merchants to public"],
    ["statistics", "analyze deployment"],
  ])("%s", async (_, statement) => {
    await test.owner.query(raw(statement));
    expect(await restore()).toBe(false);
  });

  it("a setting", async () => {
    const name = new URL(test.ownerUrl).pathname.slice(1);
    await executeAsAdmin(test.ownerUrl, `alter database ${name} set work_mem = '8MB'`);
    expect(await restore()).toBe(false);
  });

  it("much data", async () => {
    await test.owner.query(sql`
      insert into api_key_directory select lpad(n::text, 16, '0'), gen_random_uuid(), gen_random_uuid()
      from generate_series(1, 50000) n`);
    expect(await restore()).toBe(false);
  });

  it("a connection that the caller does not count", async () => {
    expect(await restore({ uncounted: 1 })).toBe(false);
    expect(await restore()).toBe(true);
  });

  it("a lock that is still held", async () => {
    await withDedicatedClient({ connectionString: test.ownerUrl }, async (client) => {
      await client.query("select pg_advisory_lock(1)");
      expect(await restore()).toBe(false);
    });
    await expect.poll(restore).toBe(true);
  });
});
