import { findLiveApiKey } from "@daric/merchants/api-key-store";
import { sql } from "@daric/postgres/sql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aMerchant } from "./builders.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { plansOf } from "./plans.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  const { id } = await aMerchant(test.db);
  await test.owner.query(sql`
    with key as (
      insert into api_keys (merchant_id, id, lookup_id, secret_hash, scopes)
      select ${id}, gen_random_uuid(), lpad(n::text, 16, '0'), sha256(n::text::bytea), '{}' from generate_series(1, 5000) n
      returning merchant_id, id, lookup_id)
    insert into api_key_directory (merchant_id, api_key_id, lookup_id) select merchant_id, id, lookup_id from key`);
  await test.owner.query(sql`analyze`);
});
afterAll(() => test.drop());

it("a statement's plans name its tables and indexes, for given and for generic values", async () => {
  const input = { lookupId: "0000000000000042", maxAgeMs: 1 };
  const plans = await plansOf(test, (db) => findLiveApiKey(db, input));
  const scans = ["api_key_directory by api_key_directory_pkey", "api_keys by api_keys_pkey"];
  expect(plans).toEqual([
    { of: "these values", scans },
    { of: "any values", scans },
  ]);
});

it("a full scan is named as such, and a bitmap scan has the bitmap's indexes", async () => {
  const [whole, bitmap] = [
    sql`select count(*) from api_keys where lookup_id = ${"x"}`,
    sql`select count(*) from api_key_directory where lookup_id < ${"0000000000000400"} or lookup_id = ${"0000000000004000"}`,
  ];
  const plans = await plansOf(test, async (db) => [await db.query(whole), await db.query(bitmap)]);
  const scans = plans.filter((plan) => plan.of === "these values").map((plan) => plan.scans);
  expect(scans).toEqual([
    ["api_keys whole"],
    ["api_key_directory by api_key_directory_pkey and api_key_directory_pkey"],
  ]);
});
