import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCharge } from "../charge.ts";
import { lockCharge } from "../status-store.ts";

const HOUR_MS = 3_600_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

function anOrder(overrides: Partial<ChargeOverrides> = {}) {
  return aCharge(context.db, { merchantId, ...overrides });
}

function settle(id: ChargeId) {
  return context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
}

async function eventsOf(id: string) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where resource_id = ${id} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

async function eventTypesOf(id: string) {
  return (await eventsOf(id)).map(({ type }) => type);
}

async function statusOf(id: ChargeId) {
  return (await findCharge(context.db, { merchantId, id }))?.status;
}

describe("a confirmed deposit", () => {
  it("that pays an order archives it and announces order.paid once", async () => {
    const order = await anOrder({ orderRef: "r-1", label: "shelf" });
    const deposit = await aDeposit(context.db, { chargeId: order.id, amount: "25" });
    await settle(order.id);
    await settle(order.id);
    expect(await statusOf(order.id)).toBe("ARCHIVED");
    const events = await eventsOf(order.id);
    expect(events.map(({ type }) => type)).toEqual(["order.paid"]);
    expect(events[0]?.data).toEqual({
      orderRefPaid: false,
      paymentLinkId: null,
      payerRef: null,
      restOf: null,
      restCompletes: false,
      depositAddressId: order.id,
      address: order.address,
      orderRef: "r-1",
      label: "shelf",
      chain: "tron",
      currency: "USDT",
      orderAmount: "25",
      payAmount: null,
      amountReceived: "25",
      difference: "0",
      paymentState: "exact",
      feeMode: "merchant",
      metadata: null,
      fiatCurrency: null,
      fiatAmount: null,
      quoteRate: null,
      paidLate: false,
      expiresAt: order.expiresAt?.toISOString(),
      paidAt: expect.stringMatching(/^\d{4}-.*Z$/),
      deposits: [
        { depositId: deposit.id, txHash: deposit.txId, amount: "25", confirmedAt: expect.any(String) },
      ],
    });
  });

  it("that leaves an order short changes nothing until the rest is confirmed", async () => {
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "10" });
    await settle(order.id);
    expect(await statusOf(order.id)).toBe("ACTIVE");
    expect(await eventsOf(order.id)).toEqual([]);
    const before = new Date();
    await aDeposit(context.db, { chargeId: order.id, amount: "15" });
    await settle(order.id);
    const [event] = await eventsOf(order.id);
    expect(new Date(event?.data.paidAt).getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(event?.data).toMatchObject({
      amountReceived: "25",
      difference: "0",
      deposits: [{ amount: "15" }, { amount: "10" }],
    });
  });

  it("of the other currency never pays", async () => {
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "25", currency: "TRX" });
    await settle(order.id);
    expect(await statusOf(order.id)).toBe("ACTIVE");
    expect(await eventsOf(order.id)).toEqual([]);
  });

  it("far above the due is announced as overpaid and paid", async () => {
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "30" });
    await settle(order.id);
    expect(await eventTypesOf(order.id)).toEqual(["order.paid", "order.overpaid"]);
  });

  it("on top of a paid order announces order.overpaid only", async () => {
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id });
    await settle(order.id);
    await aDeposit(context.db, { chargeId: order.id });
    await settle(order.id);
    expect(await eventTypesOf(order.id)).toEqual(["order.paid", "order.overpaid"]);
    const [paid, overpaid] = await eventsOf(order.id);
    expect(overpaid?.data).toMatchObject({
      amountReceived: "50",
      difference: "25",
      paidAt: paid?.data.paidAt,
    });
  });

  it("inside the late window pays an expired order late", async () => {
    const order = await anOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - HOUR_MS) });
    await aDeposit(context.db, { chargeId: order.id, late: true });
    await settle(order.id);
    expect(await statusOf(order.id)).toBe("ARCHIVED");
    expect(await eventTypesOf(order.id)).toEqual(["order.paid", "order.paid_late"]);
    expect((await eventsOf(order.id))[0]?.data).toMatchObject({ paidLate: true });
  });

  it("after the late window is announced as paid late and leaves the order expired", async () => {
    const order = await anOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - 48 * HOUR_MS) });
    await aDeposit(context.db, { chargeId: order.id, late: true });
    await settle(order.id);
    expect(await statusOf(order.id)).toBe("EXPIRED");
    expect(await eventTypesOf(order.id)).toEqual(["order.paid_late"]);
  });

  it("pays an order that its merchant had archived", async () => {
    const order = await anOrder({ status: "ARCHIVED" });
    await aDeposit(context.db, { chargeId: order.id });
    await settle(order.id);
    expect(await eventTypesOf(order.id)).toEqual(["order.paid"]);
  });

  it("pays an order of zero with any amount above dust, never short and never over", async () => {
    const order = await anOrder({ amount: "0" });
    await aDeposit(context.db, { chargeId: order.id, amount: "0.009999" });
    await settle(order.id);
    expect(await eventsOf(order.id)).toEqual([]);
    await aDeposit(context.db, { chargeId: order.id, amount: "0.01" });
    await settle(order.id);
    const [event, ...others] = await eventsOf(order.id);
    expect(others).toEqual([]);
    expect(event?.data).toMatchObject({ orderAmount: "0", difference: null, paymentState: "exact" });
  });

  it.each(["receive", "open"] as const)("to a %s address makes no order event", async (kind) => {
    const charge = await anOrder({ kind });
    await aDeposit(context.db, { chargeId: charge.id });
    await settle(charge.id);
    expect(await statusOf(charge.id)).toBe("ACTIVE");
    expect(await eventsOf(charge.id)).toEqual([]);
  });

  it("is listed with the first twenty at most", async () => {
    const order = await anOrder();
    for (let n = 0; n < 25; n++) {
      const confirmedAt = new Date(Date.now() - 60_000 + n);
      await aDeposit(context.db, { chargeId: order.id, amount: "1", confirmedAt });
    }
    await settle(order.id);
    const [event] = await eventsOf(order.id);
    expect(event?.data.deposits).toHaveLength(20);
    expect(event?.data.amountReceived).toBe("25");
  });
});

it("two halves confirmed at the same moment in two transactions pay the order", async () => {
  const order = await anOrder();
  const half = () =>
    context.db.transaction(async (tx) => {
      await aDeposit(tx, { chargeId: order.id, amount: "12.5" });
      await tx.query(sql`select pg_sleep(0.05)`);
      await settleCharges(context, tx, [order]);
    });
  await Promise.all([half(), half()]);
  expect(await statusOf(order.id)).toBe("ARCHIVED");
  expect(await eventTypesOf(order.id)).toEqual(["order.paid"]);
});

it("an order is settled only under its row's lock, so that archiving and confirming take turns", async () => {
  const order = await anOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - 48 * HOUR_MS) });
  await aDeposit(context.db, { chargeId: order.id, late: true });
  const finished: string[] = [];
  let hold = () => {};
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const archiving = context.db.transaction(async (tx) => {
    await lockCharge(tx, order);
    hold();
    await tx.query(sql`select pg_sleep(0.3)`);
    finished.push("archiving");
  });
  await isHeld;
  await Promise.all([archiving, settle(order.id).then(() => finished.push("settling"))]);
  expect(finished).toEqual(["archiving", "settling"]);
  expect(await eventTypesOf(order.id)).toEqual(["order.paid_late"]);
});

it("many orders are settled together like each alone", async () => {
  const paid = await anOrder();
  const expired = await anOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - HOUR_MS) });
  const short = await anOrder();
  const receive = await anOrder({ kind: "receive" });
  await aDeposit(context.db, { chargeId: paid.id });
  await aDeposit(context.db, { chargeId: expired.id, late: true });
  await aDeposit(context.db, { chargeId: short.id, amount: "1" });
  await aDeposit(context.db, { chargeId: receive.id });
  const all = [paid, expired, short, receive];
  const ids = all.map(({ id }) => id);
  await context.db.transaction((tx) => settleCharges(context, tx, all));
  expect(await Promise.all(ids.map(statusOf))).toEqual(["ARCHIVED", "ARCHIVED", "ACTIVE", "ACTIVE"]);
  expect(await Promise.all(ids.map(eventTypesOf))).toEqual([
    ["order.paid"],
    ["order.paid", "order.paid_late"],
    [],
    [],
  ]);
  const [event] = await eventsOf(paid.id);
  expect(event?.data.deposits).toMatchObject([{ amount: "25" }]);
});
