import { depositStatuses } from "@daric/domain/deposit";
import type { ChargeId, DepositId, MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, storedCharges, storedDeposits } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { timesPlannedForAny } from "@daric/testing/plans";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DepositFilter, findDeposit, listDeposits, pageStatement } from "./list-store.ts";

const PAGE = { limit: 20, offset: 0 };
/** Enough rows to tell a plan that reads all of them from one that reads few. */
const MANY = 3_000;
/** In a plan that reads many rows, and not in that of a page. */
const MANY_ROWS = /Rows Removed by (Join )?Filter: \d{3,}|rows=\d{3,}/;
const TX_ID = "ab".repeat(32);

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let outsider: MerchantId;
/** A merchant with many CONFIRMED deposits, one for each charge. */
let big: MerchantId;
let orderId: ChargeId;
let usdtId: DepositId;
let trxId: DepositId;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  outsider = (await aMerchant(context.db)).id;
  orderId = (await aCharge(context.db, { merchantId, orderRef: "A-7" })).id;
  const foreign = await aCharge(context.db, { merchantId: outsider, orderRef: "A-7" });
  const [early, late] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-02-01T00:00:00Z")];
  usdtId = (await aDeposit(context.db, { chargeId: orderId, txId: TX_ID, createdAt: early })).id;
  trxId = (
    await aDeposit(context.db, {
      chargeId: orderId,
      currency: "TRX",
      status: "CONFIRMING",
      createdAt: late,
    })
  ).id;
  await aDeposit(context.db, { chargeId: foreign.id });
  big = (await aMerchant(context.db)).id;
  const { id } = await aCharge(context.db, { merchantId: big, orderRef: "rare" });
  await aDeposit(context.db, { chargeId: id });
  await manyPaidCharges(big);
});
afterAll(() => context.close());

describe("the list of deposits", () => {
  it.each<[Omit<DepositFilter, "merchantId">, string[]]>([
    [{}, ["trx", "usdt"]],
    [{ status: "CONFIRMED" }, ["usdt"]],
    [{ currency: "TRX" }, ["trx"]],
    [{ status: "CONFIRMED", currency: "TRX" }, []],
    [{ txHash: TX_ID }, ["usdt"]],
    [{ orderRef: "A-7" }, ["trx", "usdt"]],
    [{ orderRef: "A-7", status: "CONFIRMING" }, ["trx"]],
    [{ orderRef: "A-8" }, []],
    [{ from: new Date("2026-02-01T00:00:00Z") }, ["trx"]],
    [{ to: new Date("2026-02-01T00:00:00Z") }, ["usdt"]],
  ])("filtered by %j shows the merchant's own, newest first, and counts them", async (partial, expected) => {
    const filter = { merchantId, ...partial };
    const ids = { usdt: usdtId, trx: trxId } as Record<string, string>;
    const { rows, total } = await listDeposits(context.db, filter, PAGE);
    expect(rows.map((row) => row.id)).toEqual(expected.map((name) => ids[name]));
    expect(total).toBe(expected.length);
  });

  it("shows no deposit of another merchant by address, transaction or id", async () => {
    const others = { merchantId: outsider };
    const nothing = { rows: [], total: 0 };
    expect(await listDeposits(context.db, { ...others, chargeId: orderId }, PAGE)).toEqual(nothing);
    expect(await listDeposits(context.db, { ...others, txHash: TX_ID }, PAGE)).toEqual(nothing);
    expect(await findDeposit(context.db, { ...others, id: usdtId })).toBeUndefined();
    expect(await findDeposit(context.db, { merchantId, id: usdtId })).toMatchObject({ orderRef: "A-7" });
  });

  it("by reference does not read the merchant's other deposits", async () => {
    const filter = { merchantId: big, orderRef: "rare" };
    expect((await listDeposits(context.db, filter, PAGE)).rows).toHaveLength(1);
    const text = await planOf(filter);
    expect(text).toMatch(
      /deposit_addresses_order_ref[^\n]*\n\s*Index Cond: \(\(merchant_id = .* AND \(order_ref = /,
    );
    expect(text).not.toMatch(MANY_ROWS);
  });

  it("continues after a row, for any page from there, and not after a row of another merchant", async () => {
    const page = (after: DepositId, offset = 0) => ({ limit: 1, offset, after });
    expect(await listDeposits(context.db, { merchantId }, page(trxId))).toMatchObject({
      rows: [{ id: usdtId }],
      total: 2,
    });
    const end = { rows: [], total: 2 };
    expect(await listDeposits(context.db, { merchantId }, page(trxId, 1))).toEqual(end);
    expect(await listDeposits(context.db, { merchantId }, page(usdtId))).toEqual(end);
    await expect(listDeposits(context.db, { merchantId: outsider }, page(trxId))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "after", message: "must be the id of a row of this list" }],
    });
  });

  it("continues in the middle of many without reading those before it", async () => {
    const { rows } = await listDeposits(context.db, { merchantId: big }, { limit: 100, offset: MANY / 2 });
    const middle = rows.at(50)?.id;
    const next = await listDeposits(context.db, { merchantId: big }, { ...PAGE, after: middle });
    expect(next.rows.map(({ id }) => id)).toEqual(rows.slice(51, 51 + PAGE.limit).map(({ id }) => id));
    expect(await planOf({ merchantId: big }, middle)).not.toMatch(MANY_ROWS);
  });

  it("is planned once, not for every request", async () => {
    const statement = pageStatement({ merchantId: big }, PAGE);
    expect(await timesPlannedForAny(context.ownerUrl, statement)).toBeGreaterThan(0);
  });

  it.each(depositStatuses)("of status %s does not read the merchant's other deposits", async (status) => {
    expect(await planOf({ merchantId: big, status })).not.toMatch(MANY_ROWS);
  });
});

async function planOf(filter: DepositFilter, after?: DepositId): Promise<string> {
  const plan = await context.db.query<{ "QUERY PLAN": string }>(
    sql`explain (analyze, costs off, timing off, summary off) ${pageStatement(filter, { ...PAGE, after })}`,
  );
  return plan.map((line) => line["QUERY PLAN"]).join("\n");
}

/** Copies of the merchant's one charge, each with a reference and a deposit of its own. */
async function manyPaidCharges(owner: MerchantId): Promise<void> {
  await context.db.query(
    sql`${storedCharges(sql`
    insert into deposit_addresses (id, merchant_id, kind, account_key_id, derivation_index, address,
      currency, fee_mode, fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, order_ref,
      checkout_token, expires_at, late_until)
    select gen_random_uuid(), merchant_id, kind, account_key_id, 1000000 + i,
      'T' || lpad(translate(i::text, '0', 'a'), 33, 'z'), currency, fee_mode, 0, 0, 0, expected_units,
      'ref-' || i, 'token-' || i, expires_at, late_until
    from deposit_addresses, generate_series(1, ${MANY}::integer) i where merchant_id = ${owner}`)} select 1`,
  );
  await context.db.query(
    sql`${storedDeposits(
      [owner],
      sql`
    insert into deposits (id, merchant_id, deposit_address_id, network, tx_id, source, event_index,
      address, currency, units, status, block_number, block_id, block_time, required_confirmations,
      final_confirmations, late, past_window, unmatched, confirmed_at)
    select gen_random_uuid(), merchant_id, id, 'devnet', encode(sha256(id::text::bytea), 'hex'), 'log', 0, address,
      currency, 1000000, 'CONFIRMED', derivation_index, 'x', now(), 19, 19, false, false, false, now()
    from deposit_addresses where merchant_id = ${owner} and order_ref <> 'rare'`,
    )} select 1`,
  );
  await context.owner.query(sql`analyze deposits, deposit_addresses`);
}
