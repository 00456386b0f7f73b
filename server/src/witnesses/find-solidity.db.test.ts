import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { someWitnesses } from "@daric/testing/witnesses";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSolidity, learnFromSolid } from "./find-solidity.ts";
import { pinWitnesses } from "./pin-witnesses.ts";

const NETWORK = "devnet";
const WITNESSES = someWitnesses().map(({ address }) => address);
/** Since here too few witnesses make blocks. */
const STALLED_FROM = 101;
const HEAD = 20_000;

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext();
  const keys = WITNESSES.map((address) => ({ witnessHex: address, signerHex: address, sinceBlock: 0 }));
  const agreed = { keys, active: keys.length, fingerprint: "of a test" };
  await pinWitnesses(context.db, { network: NETWORK, agreed });
  await context.owner.query(sql`
    insert into blocks (id, network, number, parent_id, time, transaction_count, transfer_count, leader_epoch, witness, signer)
    select encode(sha256(number::text::bytea), 'hex'), ${NETWORK}, number, '', now(), 0, 0, 1, maker, maker
    from generate_series(1, ${HEAD}::integer) number,
      lateral (select (${WITNESSES}::text[])[1 + number % case when number < ${STALLED_FROM} then 27 else 18 end] as maker) by`);
  await context.owner.query(sql`analyze`);
}, 60_000);
afterAll(() => context.close());

/** The same database, and what it is asked. */
function listened(): { db: Queryable; asked: Sql[] } {
  const asked: Sql[] = [];
  const query = <Row>(statement: Sql) => {
    asked.push(statement);
    return context.db.query<Row>(statement);
  };
  return { db: { query }, asked };
}

type Plan = { "Actual Rows": number; "Actual Loops": number; Plans?: Plan[] };

function rowsOf(plan: Plan): number {
  const own = plan["Actual Rows"] * plan["Actual Loops"];
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

it("what is solid stands where it stood when too few witnesses are left, and nothing is claimed beyond it", async () => {
  const { proven, claimed } = await findSolidity(context.db, { network: NETWORK, head: HEAD });
  // The 18 went on, and of the 9 the last one to stop made block 100 at most.
  expect(proven).toBeLessThan(STALLED_FROM);
  expect(proven).toBeGreaterThan(STALLED_FROM - 27);
  expect(claimed).toBeUndefined();
});

it("a chain that has been stalled for thousands of blocks costs no more to look at", async () => {
  const { db, asked } = listened();
  await findSolidity(db, { network: NETWORK, head: HEAD });
  expect(asked).toHaveLength(2);
  let rows = 0;
  for (const statement of asked) {
    const plans = await context.owner.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    rows += rowsOf(one(plans)["QUERY PLAN"][0]?.Plan ?? expect.fail("no plan"));
  }
  expect(rows).toBeLessThan(1_000);
});

it("nothing is proven of a network of which nobody is pinned, and proof is all that it lacks", async () => {
  expect(await findSolidity(context.db, { network: "other", head: 7 })).toEqual({
    proven: undefined,
    claimed: 7,
  });
  expect(await context.db.transaction((tx) => learnFromSolid(tx, { network: "other", solid: 7 }))).toEqual({
    learned: [],
    refused: 0,
  });
});

it("a block that left the chain proves nothing", async () => {
  const before = await findSolidity(context.db, { network: NETWORK, head: HEAD });
  await context.db.query(
    sql`update blocks set orphaned_at = now() where network = ${NETWORK} and number = ${before.proven ?? 0}`,
  );
  const after = await findSolidity(context.db, { network: NETWORK, head: HEAD });
  expect(after.proven).toBeLessThan(before.proven ?? 0);
});
