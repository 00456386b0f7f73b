import { type QuotedDeposit, setQuotes } from "@daric/deposits/quote-store";
import { sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, storedDeposits } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { plansOf } from "@daric/testing/plans";
import { dueBy, shareRoundedUp } from "@daric/totals/sums-store";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Charge } from "../charge.ts";
import { findApplicableQuotes } from "./find-applicable-quotes.ts";

/** The deposits of one merchant's only order; other orders have a few. */
const WHALE = 20_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let orders: Charge[];

beforeAll(async () => {
  context = await createTestContext();
  for (const [n, count] of [WHALE, ...Array(40).fill(20)].entries()) {
    const { id: merchantId } = await aMerchant(context.db);
    for (let other = 0; other < 5; other += 1) await aCharge(context.db, { merchantId, fiatAmount: "1" });
    const order = await aCharge(context.db, { merchantId, fiatAmount: "100" });
    if (n === 0) orders = [order];
    else orders.push(order);
    await pastDeposits(order, count);
  }
  await context.owner.query(sql`analyze`);
}, 120_000);
afterAll(() => context.close());

async function pastDeposits({ merchantId, id }: Charge, count: number): Promise<void> {
  await context.owner.query(
    sql`${storedDeposits(
      [merchantId],
      sql`
      insert into deposits (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address, currency,
        units, status, block_number, block_id, block_time, required_confirmations, final_confirmations, late,
        past_window, unmatched, confirmed_at, quote_id, share)
      select merchant_id, gen_random_uuid(), id, 'devnet', encode(sha256((id::text || place)::bytea), 'hex'),
        'log', 0, address, 'USDT', 1, 'CONFIRMED', 1, 'x', now(), 19, 19, false, false, false, now(), newest_quote_id,
        ${shareRoundedUp(sql`1`, dueBy(sql`deposit_addresses`))}
      from deposit_addresses, generate_series(1, ${count}::integer) place
      where merchant_id = ${merchantId} and id = ${id}`,
    )} select 1`,
  );
}

/** A deposit of each of these orders, with a quote. */
async function someOf(charges: readonly Charge[]): Promise<QuotedDeposit[]> {
  return context.owner.query<QuotedDeposit>(sql`
    select distinct on (d.deposit_address_id) d.id, d.merchant_id as "merchantId", d.quote_id as "quoteId"
    from deposits d where d.deposit_address_id = any(${charges.map(({ id }) => id)}::uuid[])`);
}

it.each([
  ["the one that has nearly all deposits", () => orders.slice(0, 1)],
  ["many of many merchants", () => orders],
])("judging deposits of %s finds them by their ids", async (_whose, wanted) => {
  const url = context.config.runtime.databaseUrl;
  const plans = await plansOf({ db: context.db, url }, async (db) => {
    const tx: Transaction = { query: db.query, inTransaction: true };
    await findApplicableQuotes(tx, wanted(), new Date());
    await setQuotes(tx, await someOf(wanted()));
  });
  const scans = new Set(plans.flatMap((plan) => plan.scans));
  expect([...scans].filter((scan) => scan.startsWith("deposits "))).toEqual(["deposits by deposits_pkey"]);
});
