import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTermWriter } from "./write-terms.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
});

/** A clock so many milliseconds ahead: rows of now are settled by it, if they are a minute. */
const ahead = (ms: number) => ({ ...systemClock, now: () => new Date(Date.now() + ms) });
const order = (orderRef: string) => aCharge(context.db, { merchantId, orderRef });
const references = async () =>
  (
    await context.db.query<{ term: string }>(sql`
      select term from search_terms where merchant_id = ${merchantId} and term like '=%' order by term`)
  ).map(({ term }) => term);
const progress = async () =>
  (
    await context.db.query<{ list: string; rows: bigint }>(sql`
      select list, rows from search_progress where merchant_id = ${merchantId} order by list`)
  ).map(({ list, rows }) => [list, Number(rows)]);
async function stepsUntilSettled(clock: typeof systemClock): Promise<void> {
  const writer = createTermWriter({ db: context.db, clock });
  for (let step = 0; step < 100; step += 1) if (!(await writer.step())) return;
  throw new Error("more than a hundred steps");
}

it("new rows get their terms in the next step, and no other step reads them again", async () => {
  const writer = createTermWriter({ db: context.db, clock: systemClock });
  await order("a-1");
  await writer.step();
  expect(await references()).toEqual(["=a-1"]);
  const { id } = await order("a-2");
  await aDeposit(context.db, { chargeId: id, amount: "12.5" });
  await writer.step();
  expect(await references()).toEqual(["=a-1", "=a-2"]);
  const sums = sql`select 1 from search_terms where merchant_id = ${merchantId} and term = '$12.5' and deposit_address_id = ${id}`;
  expect(await context.db.query(sums)).toHaveLength(1);
  await context.owner.query(sql`delete from search_terms where merchant_id = ${merchantId}`);
  await writer.step();
  expect(await references()).toEqual([]);
});

it("rows from before the upgrade, or of a killed writer, get their terms from the start of the list on", async () => {
  const { id } = await order("old-1");
  await order("old-2");
  await aDeposit(context.db, { chargeId: id, amount: "12.5" });
  await stepsUntilSettled(ahead(61_000));
  expect(await references()).toEqual(["=old-1", "=old-2"]);
  expect(await progress()).toEqual([
    ["deposit_addresses", 2],
    ["deposits", 1],
  ]);
});

it("a row that is committed behind the progress is missed by its number, and the list is read again", async () => {
  await order("b-1");
  await order("b-2");
  await stepsUntilSettled(ahead(61_000));
  // As if this row had been committed only now.
  await context.owner.query(sql`
    delete from search_terms where merchant_id = ${merchantId} and term = '=b-1'`);
  await context.owner.query(sql`
    update search_progress set rows = 1, restarted_at = now() - interval '2 hours'
    where merchant_id = ${merchantId} and list = 'deposit_addresses'`);
  await stepsUntilSettled(ahead(61_000));
  expect(await references()).toEqual(["=b-1", "=b-2"]);
  expect(await progress()).toEqual([["deposit_addresses", 2]]);
});

it("two writers at once write each term once, and count each row once", async () => {
  for (let index = 0; index < 5; index += 1) await order(`c-${index}`);
  await Promise.all([stepsUntilSettled(ahead(61_000)), stepsUntilSettled(ahead(61_000))]);
  expect(await references()).toHaveLength(5);
  expect(await progress()).toEqual([["deposit_addresses", 5]]);
});

it("the terms of a payer's free texts go with the texts, and those of its reference stay", async () => {
  const { id } = await aCharge(context.db, { merchantId, orderRef: "Mug-1", label: "mug for Ada" });
  await aCharge(context.db, { merchantId, orderRef: "Mug-2", label: "mug for Ada" });
  await context.owner.query(sql`
    update deposit_addresses set metadata = '{"mail":"ada@shop.example"}' where merchant_id = ${merchantId} and id = ${id}`);
  await createTermWriter({ db: context.db, clock: systemClock }).step();
  const variables = { ...daricVariables(context), DATABASE_DIRECT_URL: context.ownerUrl };
  await captureDaric(["erase", "--merchant", merchantId, "--order-ref", "Mug-1"], variables);
  const left = await context.db.query<{ term: string; ids: number }>(sql`
    select term, count(*)::int as ids from search_terms where merchant_id = ${merchantId} and term !~ '^[$]' group by 1 order by 1`);
  expect(left.map(({ term, ids }) => [term, ids])).toEqual([
    ["1", 1],
    ["2", 1],
    ["=mug-1", 1],
    ["=mug-2", 1],
    ["ada", 1],
    ["for", 1],
    ["mug", 2],
  ]);
});
