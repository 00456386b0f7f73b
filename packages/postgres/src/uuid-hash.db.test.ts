import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "./sql.ts";
import { uuidHash } from "./uuid-hash.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createEmptyDatabase();
});
afterAll(() => test.drop());

it("a uuid has the hash that PostgreSQL gives it, by which a sharded engine places it", async () => {
  const rows = await test.owner.query<{ id: string; hash: number }>(sql`
    select id, uuid_hash(id) as hash
    from (
      select gen_random_uuid() as id from generate_series(1, 1000)
      union all select '00000000-0000-0000-0000-000000000000'
      union all select 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    ) uuids`);
  expect(rows).toHaveLength(1_002);
  expect(rows.map(({ id }) => uuidHash(id))).toEqual(rows.map(({ hash }) => hash));
});
