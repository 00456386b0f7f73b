import { type Queryable, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findOpenGroups, readOpenGroups } from "./open-store.ts";

const range = { network: "devnet", statuses: ["STUCK", "CONFIRMING"] } as const;
let context: Awaited<ReturnType<typeof createTestContext>>;
let statements = 0;
let db: Queryable;

/** 2,500 blocks with a CONFIRMING deposit each, and five with a STUCK one. */
beforeAll(async () => {
  context = await createTestContext();
  for (const [status, blocks] of [
    ["CONFIRMING", 2_500],
    ["STUCK", 5],
  ] as const)
    await context.owner.query(sql`
      insert into open_deposits (network, status, block_number, merchant_id, deposit_id)
      select 'devnet', ${status}, block, gen_random_uuid(), gen_random_uuid()
      from generate_series(1, ${blocks}::integer) block`);
  db = {
    query: (statement) => {
      statements += 1;
      return context.db.query(statement);
    },
  };
});
afterAll(async () => {
  // These groups have no deposits.
  await context.owner.query(sql`delete from open_deposits`);
  await context.close();
});

const read = async (find: typeof findOpenGroups) => {
  statements = 0;
  const groups = await find(db, range);
  return { groups: groups.map(({ status, blockNumber }) => `${status} ${blockNumber}`), statements };
};
const blocks = (status: string, to: number) => Array.from({ length: to }, (_, n) => `${status} ${n + 1}`);

it("the first pages of all statuses are one statement, by status and block", async () => {
  expect(await read(findOpenGroups)).toEqual({
    groups: [...blocks("STUCK", 5), ...blocks("CONFIRMING", 1_000)],
    statements: 1,
  });
});

it("all groups are listed, with the next pages of long statuses alone", async () => {
  expect(await read(readOpenGroups)).toEqual({
    groups: [...blocks("STUCK", 5), ...blocks("CONFIRMING", 2_500)],
    statements: 3,
  });
});

it("a range has both its ends", async () => {
  const groups = await findOpenGroups(context.db, { ...range, from: 3, to: 4 });
  expect(groups.map(({ status, blockNumber, size }) => [status, blockNumber, size])).toEqual([
    ["STUCK", 3, 1],
    ["STUCK", 4, 1],
    ["CONFIRMING", 3, 1],
    ["CONFIRMING", 4, 1],
  ]);
});
