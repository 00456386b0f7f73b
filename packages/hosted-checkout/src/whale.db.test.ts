import { type Charge, findCharge } from "@daric/charges/charge";
import { listCharges } from "@daric/charges/list-charges";
import type { Currency } from "@daric/domain/asset";
import { booked } from "@daric/ledger/store";
import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, confirmedEntries } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { counted } from "@daric/totals/list-store";
import { changedSums } from "@daric/totals/sums-store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCheckouts } from "./store.ts";

/** Their table has several times the buffers of {@link FEW_BUFFERS}. */
const DEPOSITS = 10_000;
/** The most buffers (8 kB) for a page of 20 charges or a checkout with 10 deposits, with room to spare. */
const FEW_BUFFERS = 250;

let context: Awaited<ReturnType<typeof createTestContext>>;
/** a charge with nearly all deposits */
let whale: Charge;
/** another charge of the same merchant, with one deposit */
let beside: Charge;

beforeAll(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  whale = await aCharge(context.db, { merchantId, kind: "receive" });
  beside = await aCharge(context.db, { merchantId });
  for (let n = 0; n < 40; n += 1) await aCharge(context.db, { merchantId });
  await aDeposit(context.db, { chargeId: beside.id, status: "CONFIRMING" });
  await aDeposit(context.db, { chargeId: whale.id, status: "CONFIRMING", createdAt: new Date(0) });
  for (const currency of ["USDT", "TRX"] as const) await fill(currency);
  await context.db.query(sql`analyze`);
}, 120_000);
afterAll(() => context.close());

/** Older deposits of the whale, half of them of the other currency. */
async function fill(currency: "USDT" | "TRX") {
  const { id } = await aDeposit(context.db, { chargeId: whale.id, currency });
  // The service has 8 s for a statement; a test has no limit.
  const after = sql`select * from deposit`;
  await context.owner.query(sql`
    with deposit as (insert into deposits (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address, currency,
      units, status, block_number, block_id, block_time, required_confirmations, final_confirmations, late,
      past_window, unmatched, confirmed_at, created_at)
    select merchant_id, gen_random_uuid(), deposit_address_id, network,
      encode(sha256((${currency} || n::text)::bytea), 'hex'), source, 0, address, currency, units, status,
      block_number, block_id, block_time, required_confirmations, final_confirmations, late, past_window, unmatched,
      confirmed_at, created_at - n * interval '1 second'
    from deposits, generate_series(1, ${DEPOSITS / 2}::integer) n
    where merchant_id = ${whale.merchantId} and id = ${id} returning *),
    summed as (${changedSums({ before: sql`${after} where false`, after })}),
    ${booked(confirmedEntries(after))}
    ${counted("deposits", sql`select merchant_id, array[status, currency] as facets, 1 as delta from deposit`)}`);
}

/** Explains the statements of a read, in the plan for these values and in the generic one. */
async function plansOf(read: (db: Queryable) => Promise<unknown>) {
  const statements: Sql[] = [];
  await read({
    query: (statement) => {
      statements.push(statement);
      return context.db.query(statement);
    },
  });
  const explain = async (options: Sql, statement: Sql) => {
    const lines = await context.db.query<{ "QUERY PLAN": string }>(sql`explain (${options}) ${statement}`);
    return lines.map((line) => line["QUERY PLAN"]).join("\n");
  };
  const plans = await Promise.all(
    statements.map(async (statement) => ({
      own: await explain(sql`analyze, buffers, costs off, timing off, summary off`, statement),
      any: await explain(sql`generic_plan`, statement),
    })),
  );
  const buffers = plans.map(({ own }) => Number(/Buffers: shared hit=(\d+)/.exec(own)?.[1]));
  const pages = plans.map(({ own }) => Number(/Buffers: shared.* read=(\d+)/.exec(own)?.[1] ?? 0));
  return {
    text: plans.map(({ own, any }) => `${own}\n${any}`).join("\n"),
    buffers: [...buffers, ...pages].reduce((sum, count) => sum + count, 0),
  };
}

describe("with nearly all deposits on one charge", () => {
  const reads: [string, (charge: Charge) => (db: Queryable) => Promise<unknown>][] = [
    ["a checkout", (charge) => (db) => findCheckouts(db, [charge.checkoutToken])],
    ["many checkouts at once", (charge) => (db) => findCheckouts(db, [charge.checkoutToken, "A".repeat(40)])],
    ["a charge that is retrieved", (charge) => (db) => findCharge(db, charge)],
    [
      "a page of the list",
      ({ merchantId }) =>
        (db) =>
          listCharges(db, { merchantId }, { limit: 20, offset: 0 }),
    ],
  ];

  it.each(reads)("%s reads few deposits beside those that it shows, of either charge", async (_, readOf) => {
    for (const charge of [whale, beside]) {
      const { text, buffers } = await plansOf(readOf(charge));
      expect(text).not.toContain("Seq Scan on deposits");
      expect(buffers).toBeLessThan(FEW_BUFFERS);
    }
  });

  it("a checkout has all unmatched money by coin, also of deposits that it does not show", async () => {
    const { id, checkoutToken } = await aCharge(context.db, { merchantId: whale.merchantId });
    const of = (currency: string, amount: string) =>
      aDeposit(context.db, { chargeId: id, currency: currency as Currency, amount });
    for (let n = 0; n < 12; n += 1) await of("TRX", "2");
    await of("USDX", "5");
    await of("TRX", "0.000001");
    const found = await findCheckouts(context.db, [checkoutToken, whale.checkoutToken]);
    expect(found.get(checkoutToken)?.record.unmatched).toEqual([
      { currency: "TRX", amount: 24_000_000n },
      { currency: "USDX", amount: 5_000_000n },
    ]);
    const amount = BigInt(DEPOSITS / 2 + 1) * 25_000_000n;
    expect(found.get(whale.checkoutToken)?.record.unmatched).toEqual([{ currency: "TRX", amount }]);
  });

  it("a checkout shows the deposit that can still change first, and then the newest", async () => {
    const found = await findCheckouts(context.db, [whale.checkoutToken]);
    const deposits = found.get(whale.checkoutToken)?.record.deposits ?? [];
    expect(deposits.map(({ status }) => status)).toEqual(["CONFIRMING", ...Array(9).fill("CONFIRMED")]);
  });
});
