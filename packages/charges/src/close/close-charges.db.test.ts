import type { DepositStatus } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, storedCharges } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { announced } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCharge } from "../charge.ts";
import { archiveQuietCharges, expireCharges, hasChargesToExpire } from "./close-charges.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const expiresAt = new Date("2026-01-01T12:00:00Z");
const onTime = new Date(expiresAt.getTime() - 1_000);
const late = new Date(expiresAt.getTime() + 1_000);
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext({ ARCHIVE_AFTER: "30d" });
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

function expire(chainTime: Date) {
  return context.db.transaction((tx) => announced(context, tx, expireCharges(context, tx, { chainTime })));
}

function archiveQuiet(chainTime: Date) {
  return context.db.transaction((tx) => archiveQuietCharges(context, tx, { chainTime }));
}

async function statusOf(id: ChargeId) {
  return (await findCharge(context.db, { merchantId, id }))?.status;
}

async function eventsOf(id: string) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where resource_id = ${id} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

describe("expiry", () => {
  it("comes when the chain is past expires_at, not at it", async () => {
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    // The merchant needs another charge to expire, or the sweep would skip it.
    const before = await aCharge(context.db, { merchantId, expiresAt: onTime });
    await expire(expiresAt);
    expect(await statusOf(before.id)).toBe("EXPIRED");
    expect(await statusOf(id)).toBe("ACTIVE");
    await expire(late);
    expect(await statusOf(id)).toBe("EXPIRED");
    expect(await expire(late)).toEqual({ moved: 0, isMoreWaiting: false });
  });

  it("of an unpaid order is announced as order.expired, once", async () => {
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    await expire(late);
    await expire(late);
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual(["order.expired"]);
    expect(events[0]?.data).toMatchObject({
      amountReceived: "0",
      difference: "-25",
      paymentState: "none",
      paidAt: null,
      deposits: [],
    });
  });

  it("of a short order is announced as order.underpaid with its deposits", async () => {
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    const deposit = await aDeposit(context.db, { chargeId: id, amount: "10", blockTime: onTime });
    await expire(late);
    const [event] = await eventsOf(id);
    expect(event?.type).toBe("order.underpaid");
    expect(event?.data).toMatchObject({
      amountReceived: "10",
      difference: "-15",
      paymentState: "under",
      deposits: [{ depositId: deposit.id, amount: "10" }],
    });
  });

  it.each([
    {
      onTimeAmount: null,
      type: "order.expired",
      amountReceived: "0",
      difference: "-25",
      paymentState: "none",
    },
    {
      onTimeAmount: "5",
      type: "order.underpaid",
      amountReceived: "5",
      difference: "-20",
      paymentState: "under",
    },
  ])("is announced as $type by money on time, whatever is confirmed later", async (expected) => {
    const { onTimeAmount, type, ...sums } = expected;
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    await aDeposit(context.db, { chargeId: id, amount: "10", blockTime: late });
    if (onTimeAmount !== null)
      await aDeposit(context.db, { chargeId: id, amount: onTimeAmount, blockTime: onTime });
    await expire(late);
    const deposits = onTimeAmount === null ? [] : [{ amount: onTimeAmount }];
    expect(await eventsOf(id)).toMatchObject([{ type, data: { ...sums, paidLate: false, deposits } }]);
  });

  it("of an open address makes no event, and a receive address has none", async () => {
    const open = await aCharge(context.db, { merchantId, kind: "open", expiresAt });
    const receive = await aCharge(context.db, { merchantId, kind: "receive" });
    await expire(late);
    expect(await statusOf(open.id)).toBe("EXPIRED");
    expect(await eventsOf(open.id)).toEqual([]);
    expect(await statusOf(receive.id)).toBe("ACTIVE");
  });

  const waiting = ["DETECTED", "CONFIRMING", "STUCK", "REORG_PENDING"] as const;
  it.each(waiting)("waits for a deposit on time that is %s", async (status) => {
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    await aDeposit(context.db, { chargeId: id, status, blockTime: expiresAt });
    await expire(late);
    expect(await statusOf(id)).toBe("ACTIVE");
    expect((await findCharge(context.db, { merchantId, id }))?.isExpired).toBe(false);
  });

  it.each([
    { title: "late", deposit: { status: "CONFIRMING" as DepositStatus, blockTime: late } },
    {
      title: "of the other currency",
      deposit: { status: "CONFIRMING" as DepositStatus, currency: "TRX" as const },
    },
    { title: "that has failed", deposit: { status: "FAILED" as DepositStatus } },
    { title: "of dust", deposit: { status: "CONFIRMING" as DepositStatus, amount: "0.009999" } },
  ])("does not wait for a deposit $title", async ({ deposit }) => {
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    await aDeposit(context.db, { chargeId: id, blockTime: onTime, ...deposit });
    await expire(late);
    expect(await statusOf(id)).toBe("EXPIRED");
  });

  it("moves a bounded number of rows in one transaction, and reports that more may wait", async () => {
    const own = await createTestContext();
    try {
      const { id } = await aMerchant(own.db);
      const { id: first } = await aCharge(own.db, { merchantId: id, expiresAt });
      await own.db.query(
        sql`${storedCharges(sql`
        insert into deposit_addresses (
          id, merchant_id, kind, account_key_id, derivation_index, address, currency, status, fee_mode, fee_basis_points,
          fee_fixed_units, tolerance_basis_points, expected_units, checkout_token, expires_at, late_until)
        select gen_random_uuid(), merchant_id, kind, account_key_id, 1000000 + n,
          'T' || translate(lpad(n::text, 33, 'A'), '0', 'B'), currency, status, fee_mode, fee_basis_points,
          fee_fixed_units, tolerance_basis_points, expected_units, 'token-' || n, expires_at, late_until
        from deposit_addresses, generate_series(1, 509) n where merchant_id = ${id} and id = ${first}`)} select 1`,
      );
      const batch = () =>
        own.db.transaction((tx) => announced(own, tx, expireCharges(own, tx, { chainTime: late })));
      expect(await batch()).toEqual({ moved: 500, isMoreWaiting: true });
      expect(await hasChargesToExpire(own.db, { chainTime: late })).toBe(true);
      expect(await batch()).toEqual({ moved: 10, isMoreWaiting: false });
      expect(await hasChargesToExpire(own.db, { chainTime: late })).toBe(false);
    } finally {
      await own.close();
    }
  });
});

describe("archiving of quiet charges", () => {
  const after = (days: number) => new Date(expiresAt.getTime() + days * DAY_MS + 1);

  it("takes an expired row after 30 days of chain time without a deposit", async () => {
    const { id } = await aCharge(context.db, { merchantId, status: "EXPIRED", expiresAt });
    await archiveQuiet(new Date(after(30).getTime() - 2));
    expect(await statusOf(id)).toBe("EXPIRED");
    await archiveQuiet(after(30));
    expect(await statusOf(id)).toBe("ARCHIVED");
  });

  it("counts the 30 days from the last deposit", async () => {
    const { id } = await aCharge(context.db, { merchantId, status: "EXPIRED", expiresAt });
    await aDeposit(context.db, { chargeId: id, blockTime: after(10), late: true });
    await archiveQuiet(after(39));
    expect(await statusOf(id)).toBe("EXPIRED");
    await archiveQuiet(after(41));
    expect(await statusOf(id)).toBe("ARCHIVED");
  });

  it("waits for the end of a late window that is longer", async () => {
    const lateUntil = after(60);
    const { id } = await aCharge(context.db, { merchantId, status: "EXPIRED", expiresAt, lateUntil });
    await archiveQuiet(after(59));
    expect(await statusOf(id)).toBe("EXPIRED");
    await archiveQuiet(after(61));
    expect(await statusOf(id)).toBe("ARCHIVED");
  });

  it("leaves active rows alone", async () => {
    const { id } = await aCharge(context.db, { merchantId, expiresAt });
    await archiveQuiet(after(100));
    expect(await statusOf(id)).toBe("ACTIVE");
  });
});
