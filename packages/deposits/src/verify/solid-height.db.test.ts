import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { someWitnesses } from "@daric/testing/witnesses";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSolidHeight } from "./solid-height.ts";

const WITNESSES = someWitnesses().map(({ address }) => address);
/** From this height on too few witnesses make blocks. */
const STALLED_FROM = 101;
const HEAD = 20_000;

let context: Awaited<ReturnType<typeof createTestContext>>;

/** A chain on which `after` of 27 witnesses take turns since a height. */
async function insertChain({ network, to, after }: { network: string; to: number; after: number }) {
  await context.owner.query(sql`
    insert into blocks (id, network, number, parent_id, time, transaction_count, transfer_count, leader_epoch, witness)
    select encode(sha256((${network} || number)::bytea), 'hex'), ${network}, number, '', now(), 0, 0, 1,
      (${WITNESSES}::text[])[1 + number % case when number < ${STALLED_FROM} then 27 else ${after}::integer end]
    from generate_series(1, ${to}::integer) number`);
}

beforeAll(async () => {
  context = await createTestContext();
  await insertChain({ network: "devnet", to: HEAD, after: 18 });
  await insertChain({ network: "private", to: 300, after: 4 });
  await context.owner.query(sql`analyze`);
}, 60_000);
afterAll(() => context.close());

const heightAt = (head: number, network = "devnet") => findSolidHeight(context.db, { network, head });

/** The same database, with its statements. */
function listened(): { db: Queryable; statements: Sql[] } {
  const statements: Sql[] = [];
  const query = <Row>(statement: Sql) => {
    statements.push(statement);
    return context.db.query<Row>(statement);
  };
  return { db: { query }, statements };
}

type Plan = { "Relation Name"?: string; "Actual Rows": number; "Actual Loops": number; Plans?: Plan[] };

/** The number of table rows that a plan reads. */
function rowsOf(plan: Plan): number {
  const own = plan["Relation Name"] === undefined ? 0 : plan["Actual Rows"] * plan["Actual Loops"];
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

it("the solid height is 18 below the head if all witnesses make blocks, and stops if too few do", async () => {
  expect(await heightAt(100)).toBe(82);
  const stalled = await heightAt(STALLED_FROM + 200);
  // The 18 continued, and the last of the 9 others stopped at block 100 at the latest.
  expect(stalled).toBeLessThan(STALLED_FROM);
  expect(stalled).toBeGreaterThan(STALLED_FROM - 27);
  expect(await heightAt(HEAD)).toBeUndefined();
});

it("a chain without solidity for thousands of blocks costs less than 1,000 rows a query", async () => {
  const { db, statements } = listened();
  await findSolidHeight(db, { network: "devnet", head: HEAD });
  expect(statements).toHaveLength(1);
  const plans = await context.owner.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    sql`explain (analyze, format json) ${statements[0] ?? expect.fail("nothing is asked")}`,
  );
  const rows = rowsOf(one(plans)["QUERY PLAN"][0]?.Plan ?? expect.fail("no plan"));
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(1_000);
});

it("on a private chain the witnesses of its last 100 headers count", async () => {
  expect(await heightAt(150, "private")).toBeGreaterThan(STALLED_FROM - 27);
  expect(await heightAt(150, "private")).toBeLessThan(STALLED_FROM);
  expect(await heightAt(300, "private")).toBe(282);
});

it("a network without a read block has no solid height", async () => {
  expect(await heightAt(7, "other")).toBeUndefined();
});

it("an orphaned block does not count", async () => {
  const left = await context.db.query(sql`
    update blocks set orphaned_at = now() where network = 'devnet' and number between 80 and 100 returning id`);
  expect(left).toHaveLength(21);
  expect(await heightAt(100)).toBeLessThan(80);
});
