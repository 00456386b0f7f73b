import { idOf, type MerchantId } from "@daric/domain/ids";
import { type Sql, sql } from "@daric/postgres/sql";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { counted, countListed, listPage } from "./list-store.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const one = idOf("merchant", "00000000-0000-7000-8000-000000000001");
const other = idOf("merchant", "00000000-0000-7000-8000-000000000002");

const change = (merchantId: MerchantId, facets: string[], delta: number): Sql =>
  sql`select ${merchantId}::uuid as merchant_id, ${facets}::text[] as facets, ${delta}::integer as delta`;
const totalOf = (merchantId: MerchantId, ...facets: (string | undefined)[]) =>
  countListed(test.db, "deposits", { merchantId, facets });

it("a total counts one merchant's rows of one list, for any facets", async () => {
  await test.db.query(counted("deposits", change(one, ["DETECTED", "USDT"], 3)));
  await test.db.query(counted("deposits", change(one, ["CONFIRMED", "TRX"], 2)));
  await test.db.query(counted("deposits", change(other, ["DETECTED", "USDT"], 40)));
  await test.db.query(counted("deposit_addresses", change(one, ["DETECTED", "USDT"], 500)));
  expect(await totalOf(one)).toBe(5);
  expect(await totalOf(one, "DETECTED")).toBe(3);
  expect(await totalOf(one, undefined, "TRX")).toBe(2);
  expect(await totalOf(one, "DETECTED", "TRX")).toBe(0);
});

it("a row whose facets change leaves the total unchanged", async () => {
  const before = await totalOf(other);
  await test.db.query(
    counted(
      "deposits",
      sql`${change(other, ["DETECTED", "USDT"], -1)} union all ${change(other, ["CONFIRMED", "USDT"], 1)}`,
    ),
  );
  expect(await totalOf(other)).toBe(before);
  expect(await totalOf(other, "CONFIRMED")).toBe(1);
});

it("a total is exact under concurrent changes, and a rollback does not count", async () => {
  const before = await totalOf(one, "STUCK");
  const add = () =>
    test.db.transaction(async (tx) => {
      await tx.query(counted("deposits", change(one, ["STUCK", "USDT"], 1)));
      await tx.query(counted("deposits", change(one, ["STUCK", "TRX"], 1)));
    });
  const fail = () =>
    test.db.transaction(async (tx) => {
      await tx.query(counted("deposits", change(one, ["STUCK", "USDT"], 1)));
      throw new Error("no");
    });
  await Promise.allSettled(Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? fail() : add())));
  expect(await totalOf(one, "STUCK")).toBe(before + 80);
});

it("a page past the end of its list reads no rows", async () => {
  const calls: number[] = [];
  const list = {
    rows: async ({ offset }: { offset: number }) => {
      calls.push(offset);
      return ["row"];
    },
    total: async () => 20_000,
    find: async () => undefined,
  };
  expect(await listPage({ limit: 20, offset: 0 }, list)).toEqual({ rows: ["row"], total: 20_000 });
  expect(await listPage({ limit: 20, offset: 19_980 }, list)).toEqual({ rows: ["row"], total: 20_000 });
  expect(await listPage({ limit: 20, offset: 2e10 }, list)).toEqual({ rows: [], total: 20_000 });
  expect(calls).toEqual([0, 19_980]);
});
