import { createAddressSource } from "@daric/addresses/address-source";
import { orderPaymentStatus, possibleActions } from "@daric/domain/charge-state";
import { ApiError } from "@daric/domain/errors";
import { type ChargeId, idOf, type MerchantId } from "@daric/domain/ids";
import { formatAmount } from "@daric/domain/money";
import { dueOf } from "@daric/domain/order";
import type { Rate } from "@daric/domain/rate";
import { openDatabase } from "@daric/postgres/database";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { startTogether } from "@daric/testing/races";
import { announced, settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Charge, getCharge } from "../charge.ts";
import { acceptCharge } from "../close/accept-charge.ts";
import { archiveCharge } from "../close/archive-charge.ts";
import { expireCharges } from "../close/close-charges.ts";
import { findFamily } from "../order-family.ts";
import { askForRest } from "./ask-for-rest.ts";
import { createChargeMemory, type IssuingContext } from "./write-charge.ts";

const HOUR_MS = 3_600_000;
let context: Awaited<ReturnType<typeof createTestContext>> & IssuingContext;
let merchantId: MerchantId;
let rate: Partial<Rate> = {};

beforeAll(async () => {
  const made = await createTestContext();
  context = {
    ...made,
    addresses: createAddressSource(made),
    ...createChargeMemory(made.db),
    findRate: async (currency, fiatCurrency) => ({
      currency,
      fiatCurrency,
      priceE8: 100_000_000n,
      source: "alpha+beta+gamma",
      fetchedAt: new Date(),
      ...rate,
    }),
  };
});
afterAll(async () => {
  await requireDerivedTables(context.db);
  await context.addresses.stop();
  await context.close();
});
beforeEach(async () => {
  rate = {};
  merchantId = (await aMerchant(context.db)).id;
  await context.owner.query(sql`delete from scan_cursors`);
});

const anOrder = (overrides: Partial<ChargeOverrides> = {}) =>
  aCharge(context.db, { merchantId, ...overrides });
const ask = (id: ChargeId, as = merchantId) => askForRest(context, { merchantId: as, id, apiKeyId: null });
const read = ({ id }: { id: ChargeId }) => getCharge(context.db, { merchantId, id });
const due = (charge: Charge) => formatAmount(dueOf(charge) ?? expect.fail("no due"));
const accept = (id: ChargeId) => acceptCharge(context, { merchantId, id, reason: null });

async function pay(charge: { id: ChargeId }, amount: string, more: { blockTime?: Date } = {}) {
  await aDeposit(context.db, { chargeId: charge.id, amount, ...more });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id: charge.id }]));
}

/** An order of 25 of which this much has arrived. */
async function aShortOrder(overrides: Partial<ChargeOverrides> = {}, amount = "10") {
  const order = await anOrder(overrides);
  await pay(order, amount);
  return order;
}

const expire = (chainTime: Date) =>
  context.db.transaction((tx) => announced(context, tx, expireCharges(context, tx, { chainTime })));

async function codeOf(asking: Promise<unknown>): Promise<string> {
  return asking.then(
    () => "made",
    (error) => (error instanceof ApiError ? error.code : String(error)),
  );
}

async function eventsOf({ id }: { id: ChargeId }) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} and resource_id = ${id} order by sequence`);
  return rows.map(({ type, body }) => {
    const { orderRefPaid, restOf, restCompletes } = JSON.parse(body.toString()).data;
    return [type, { orderRefPaid, restOf, restCompletes }];
  });
}

describe("the rest of an order", () => {
  it("is an order of exactly what is missing, with the same reference, links, metadata and wallet", async () => {
    const { id: settlementAccountId } = await aSettlementAccount(context.db, merchantId);
    const order = await aShortOrder(
      {
        orderRef: "A-1042",
        label: "spring",
        successUrl: "https://shop.example/thanks",
        cancelUrl: "https://shop.example/cart",
        settlementAccountId,
      },
      "12.750001",
    );
    const rest = await ask(order.id);
    expect(rest).toMatchObject({
      kind: "order",
      status: "ACTIVE",
      restOf: order.id,
      orderRef: "A-1042",
      label: "spring",
      successUrl: "https://shop.example/thanks",
      cancelUrl: "https://shop.example/cart",
      settlementAccountId,
      metadata: null,
      currency: "USDT",
    });
    expect(due(rest)).toBe("12.249999");
    expect(rest.address).not.toBe(order.address);
    expect(await read(order)).toMatchObject({ status: "ARCHIVED", restOf: null });
  });

  it("adds no fee: neither on top in client mode nor the fixed part, and the share stays", async () => {
    await context.owner.query(sql`
      update merchants set fee_mode = 'client', fee_basis_points = 500, fixed_fees = '{"USDT": 900000}',
        underpayment_tolerance_basis_points = 500, terms_version = terms_version + 1 where id = ${merchantId}`);
    const order = await aShortOrder({
      feeMode: "client",
      feeBasisPoints: 100,
      payAmount: "25.757576",
      toleranceBasisPoints: 50,
    });
    const rest = await ask(order.id);
    expect(due(rest)).toBe("15.757576");
    expect(rest).toMatchObject({
      feeMode: "merchant",
      payAmount: null,
      fee: { basisPoints: 100, fixed: 0n },
      terms: { toleranceBasisPoints: 50 },
    });
  });

  it("of a price in fiat is the missing part in fiat, rounded up to a cent, at a fresh rate", async () => {
    const order = await aShortOrder({ fiatAmount: "19.99", quote: { rateE4: 10_300n } });
    rate = { priceE8: 50_000_000n };
    const rest = await ask(order.id);
    // 20.5897 − 10 = 10.5897 USDT, at 1.03 a USD 10.2812… USD.
    expect(rest).toMatchObject({ fiatCurrency: "USD", fiatAmount: "10.29" });
    expect([rest.quote?.rate, due(rest)]).toEqual(["2", "20.58"]);
  });

  it.each(["ACTIVE", "EXPIRED", "ARCHIVED"] as const)(
    "can be asked while the order is %s",
    async (status) => {
      const order = await aShortOrder({ status });
      expect((await ask(order.id)).restOf).toBe(order.id);
      expect((await read(order)).status).toBe("ARCHIVED");
    },
  );

  it("is one at a time: the same row while it is open, another once it has ended with nothing", async () => {
    const order = await aShortOrder();
    const first = await ask(order.id);
    expect(await ask(order.id)).toEqual(first);
    await expire(new Date(Date.now() + 2 * HOUR_MS));
    expect((await read(first)).status).toBe("EXPIRED");
    const second = await ask(order.id);
    expect([second.id === first.id, second.restOf, due(second)]).toEqual([false, order.id, "15"]);
  });

  it("is one at a time for requests at the same moment, and in the database", async () => {
    const other = openDatabase({ url: context.config.runtime.databaseUrl, onError: () => undefined });
    for (let round = 0; round < 5; round += 1) {
      const order = await aShortOrder();
      const elsewhere = () =>
        askForRest({ ...context, db: other }, { merchantId, id: order.id, apiKeyId: null });
      const rests = await startTogether(round, [() => ask(order.id), elsewhere, () => ask(order.id)]);
      expect(new Set(rests.map(({ id }) => id)).size).toBe(1);
      const twin = anOrder().then(({ id }) =>
        context.owner.query(sql`update deposit_addresses set rest_of = ${order.id} where id = ${id}`),
      );
      await expect(twin).rejects.toThrow("deposit_addresses_one_open_rest");
    }
    await other.close();
  });

  it("of which a part was paid is followed by one of what is missing of all, and each names the first order", async () => {
    const order = await aShortOrder();
    const first = await ask(order.id);
    await pay(first, "12");
    expect((await ask(order.id)).id).toBe(first.id);
    await expire(new Date(Date.now() + 2 * HOUR_MS));
    const second = await ask(first.id);
    expect([second.restOf, due(second)]).toEqual([order.id, "3"]);
    expect((await ask(order.id)).id).toBe(second.id);
    await pay(second, "3");
    expect(await eventsOf(second)).toEqual([
      ["order.paid", { orderRefPaid: false, restOf: order.id, restCompletes: true }],
    ]);
    expect((await eventsOf(first)).map(([type]) => type)).toEqual(["order.underpaid"]);
    expect(await eventsOf(order)).toEqual([
      ["order.accepted", { orderRefPaid: false, restOf: null, restCompletes: false }],
    ]);
    for (const { id } of [order, first, second]) expect(await codeOf(ask(id))).toBe("ORDER_ALREADY_PAID");
  });

  it("takes the place of its order under the cap of active addresses", async () => {
    await context.owner.query(sql`update merchants set active_address_cap = 1 where id = ${merchantId}`);
    const order = await aShortOrder();
    expect((await ask(order.id)).status).toBe("ACTIVE");
    const expired = await aShortOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - HOUR_MS) });
    expect(await codeOf(ask(expired.id))).toBe("MAX_ACTIVE_ADDRESSES");
    expect((await read(expired)).status).toBe("EXPIRED");
  });
});

describe("a paid rest", () => {
  it("accepts its order, and says so in its order.paid", async () => {
    const order = await aShortOrder({ orderRef: "A-1" });
    const rest = await ask(order.id);
    await pay(rest, "15");
    expect(await eventsOf(rest)).toEqual([
      ["order.paid", { orderRefPaid: false, restOf: order.id, restCompletes: true }],
    ]);
    expect(await eventsOf(order)).toEqual([
      ["order.accepted", { orderRefPaid: true, restOf: null, restCompletes: false }],
    ]);
    const accepted = await read(order);
    expect(accepted).toMatchObject({ status: "ARCHIVED", acceptReason: "paid by rest" });
    expect(orderPaymentStatus(accepted)).toBe("paid");
    expect(await codeOf(ask(order.id))).toBe("ORDER_ALREADY_PAID");
    expect(await codeOf(ask(rest.id))).toBe("ORDER_ALREADY_PAID");
  });

  it("accepts its order by late money inside the late window, and not after it", async () => {
    for (const [hours, types] of [
      [2, ["order.expired", "order.paid", "order.paid_late"]],
      [48, ["order.expired", "order.paid_late"]],
    ] as const) {
      const order = await aShortOrder();
      const rest = await ask(order.id);
      await expire(new Date(Date.now() + 2 * HOUR_MS));
      await pay(rest, "15", { blockTime: new Date(Date.now() + hours * HOUR_MS) });
      const events = await eventsOf(rest);
      expect(events.map(([type]) => type)).toEqual(types);
      const isPaid = hours === 2;
      expect(events.at(-1)?.[1]).toMatchObject({ restOf: order.id, restCompletes: isPaid });
      expect((await read(order)).acceptedAt !== null).toBe(isPaid);
    }
  });

  it("completes nothing if its order was accepted before", async () => {
    const order = await aShortOrder({ orderRef: "A-2" });
    const rest = await ask(order.id);
    await accept(order.id);
    await pay(rest, "15");
    expect(await eventsOf(rest)).toEqual([
      ["order.paid", { orderRefPaid: true, restOf: order.id, restCompletes: false }],
    ]);
    expect((await eventsOf(order)).map(([type]) => type)).toEqual(["order.accepted"]);
  });

  it("may be accepted short: its order is accepted with it", async () => {
    const order = await aShortOrder();
    const rest = await ask(order.id);
    await pay(rest, "14");
    await accept(rest.id);
    expect(await eventsOf(rest)).toEqual([
      ["order.accepted", { orderRefPaid: false, restOf: order.id, restCompletes: true }],
    ]);
    expect((await read(order)).acceptReason).toBe("paid by rest");
  });

  it("that is short is accepted no more once its order is, and no action on it is offered", async () => {
    const order = await aShortOrder();
    const rest = await ask(order.id);
    await pay(rest, "5");
    await accept(order.id);
    const ended = await read(rest);
    const family = await findFamily(context.db, ended);
    expect(possibleActions({ ...ended, isExpired: false, isTimeOver: false }, family)).toEqual([]);
    expect(await codeOf(accept(rest.id))).toBe("ORDER_ALREADY_PAID");
    expect(await eventsOf(rest)).toEqual([]);
  });

  it("ends when its order is accepted, since nothing is missing any more", async () => {
    const order = await aShortOrder();
    const rest = await ask(order.id);
    await accept(order.id);
    expect((await read(rest)).status).toBe("ARCHIVED");
  });

  it("ends when an older rest of its order is paid", async () => {
    const order = await aShortOrder();
    const older = await ask(order.id);
    await archiveCharge(context, { merchantId, id: older.id });
    const newer = await ask(order.id);
    await pay(older, "15");
    expect((await read(order)).acceptedAt).not.toBeNull();
    expect((await read(newer)).status).toBe("ARCHIVED");
  });

  it("and its order may be confirmed in the same transaction", async () => {
    const order = await aShortOrder();
    const rest = await ask(order.id);
    await aDeposit(context.db, { chargeId: rest.id, amount: "15" });
    await aDeposit(context.db, {
      chargeId: order.id,
      amount: "1",
      blockTime: new Date(Date.now() + HOUR_MS),
    });
    const refs = [order, rest].map(({ id }) => ({ merchantId, id }));
    await context.db.transaction((tx) => settleCharges(context, tx, refs));
    expect((await eventsOf(order)).map(([type]) => type)).toEqual(["order.accepted"]);
  });
});

it("money to an order whose rest was asked is late and pays it no more, from the scanned block on", async () => {
  const chainTime = new Date(Date.now() - 60_000);
  await setChainTime(context.owner, chainTime);
  const order = await aShortOrder({}, "10");
  await context.owner.query(
    sql`update deposits set block_time = ${chainTime} where deposit_address_id = ${order.id}`,
  );
  await ask(order.id);
  expect(await read(order)).toMatchObject({ expiresAt: chainTime, lateUntil: chainTime });
  await pay(order, "15", { blockTime: new Date(chainTime.getTime() + 3_000) });
  expect(await eventsOf(order)).toEqual([
    ["order.paid_late", { orderRefPaid: false, restOf: null, restCompletes: false }],
  ]);
  const late = one(
    await context.db.query<{ late: boolean }>(
      sql`select bool_or(late) as late from deposits where merchant_id = ${merchantId} and deposit_address_id = ${order.id}`,
    ),
  );
  expect([late.late, orderPaymentStatus(await read(order))]).toEqual([true, "expired"]);
});

describe("the money of an order and all its rests is one sum", () => {
  it("that ends the open rest once the order is paid at its own address, though late", async () => {
    const order = await aShortOrder();
    const rest = await ask(order.id);
    await pay(order, "15", { blockTime: new Date(Date.now() + HOUR_MS) });
    expect((await read(rest)).status).toBe("ARCHIVED");
    expect(await codeOf(ask(order.id))).toBe("ORDER_ALREADY_PAID");
    expect(await codeOf(ask(rest.id))).toBe("ORDER_ALREADY_PAID");
    expect((await read(order)).acceptedAt).toBeNull();
  });

  it("with the money that came to ended rests, also after the next one was asked", async () => {
    const order = await aShortOrder();
    const older = await ask(order.id);
    await archiveCharge(context, { merchantId, id: older.id });
    const newer = await ask(order.id);
    expect(due(newer)).toBe("15");
    await pay(older, "5");
    const newest = await ask(order.id);
    expect([newest.restOf, due(newest)]).toEqual([order.id, "10"]);
    expect((await read(newer)).status).toBe("ARCHIVED");
    expect((await ask(newer.id)).id).toBe(newest.id);
    await pay(newest, "10");
    expect((await read(order)).acceptedAt).not.toBeNull();
  });

  it("and pays the order where parts in time add up to its price, and not by late money", async () => {
    for (const isLate of [false, true]) {
      const order = await aShortOrder();
      const older = await ask(order.id);
      await archiveCharge(context, { merchantId, id: older.id });
      const newer = await ask(order.id);
      const late = { blockTime: new Date(Date.now() + 48 * HOUR_MS) };
      await pay(older, "5", isLate ? late : {});
      expect(await eventsOf(order)).toEqual([]);
      await pay(newer, "10");
      expect((await eventsOf(order)).map(([type]) => type)).toEqual(isLate ? [] : ["order.accepted"]);
      expect((await read(newer)).status).toBe("ARCHIVED");
      expect(await codeOf(ask(order.id))).toBe("ORDER_ALREADY_PAID");
    }
  });

  it("of a price in fiat counts each part at the rate of its own order", async () => {
    const order = await aShortOrder({ fiatAmount: "20", quote: { rateE4: 10_000n } });
    rate = { priceE8: 50_000_000n };
    const first = await ask(order.id);
    expect([first.fiatAmount, due(first)]).toEqual(["10", "20"]);
    await pay(first, "12");
    await archiveCharge(context, { merchantId, id: first.id });
    rate = { priceE8: 25_000_000n };
    const second = await ask(order.id);
    expect([second.fiatAmount, due(second)]).toEqual(["4", "16"]);
    await pay(second, "16");
    expect((await read(order)).acceptReason).toBe("paid by rest");
  });

  it("holds the next rest while any of it is not final", async () => {
    const order = await aShortOrder();
    const rest = await ask(order.id);
    await archiveCharge(context, { merchantId, id: rest.id });
    await aDeposit(context.db, { chargeId: rest.id, amount: "5", status: "CONFIRMING" });
    expect(await codeOf(ask(order.id))).toBe("PAYMENT_IN_PROGRESS");
  });
});

describe("asking for the rest is refused", () => {
  it("as NOT_FOUND for another merchant's order and an unknown one", async () => {
    const order = await aShortOrder();
    expect(await codeOf(ask(order.id, (await aMerchant(context.db)).id))).toBe("NOT_FOUND");
    expect(await codeOf(ask(idOf("charge", "0193a1b2-0000-7000-8000-000000000009")))).toBe("NOT_FOUND");
  });

  it.each(["receive", "open"] as const)("as VALIDATION_ERROR for a charge of kind %s", async (kind) => {
    const charge = await anOrder({ kind });
    await aDeposit(context.db, { chargeId: charge.id, amount: "1" });
    expect(await codeOf(ask(charge.id))).toBe("VALIDATION_ERROR");
  });

  it("as ORDER_ALREADY_PAID if nothing is missing, also after the late window", async () => {
    const paid = await aShortOrder({}, "25");
    const accepted = await aShortOrder();
    await accept(accepted.id);
    const tooLate = await anOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - 48 * HOUR_MS) });
    await pay(tooLate, "25");
    for (const { id } of [paid, accepted, tooLate]) expect(await codeOf(ask(id))).toBe("ORDER_ALREADY_PAID");
  });

  it("as PAYMENT_IN_PROGRESS while money above dust is not final, and as NOTHING_RECEIVED without any", async () => {
    const empty = await anOrder();
    expect(await codeOf(ask(empty.id))).toBe("NOTHING_RECEIVED");
    for (const status of ["DETECTED", "CONFIRMING", "STUCK", "REORG_PENDING"] as const) {
      const order = await aShortOrder();
      await aDeposit(context.db, { chargeId: order.id, amount: "15", status });
      expect(await codeOf(ask(order.id)), status).toBe("PAYMENT_IN_PROGRESS");
    }
    const dusty = await aShortOrder();
    await aDeposit(context.db, { chargeId: dusty.id, amount: "0.001", status: "DETECTED" });
    expect(await codeOf(ask(dusty.id))).toBe("made");
    await aDeposit(context.db, { chargeId: empty.id, amount: "0.000001" });
  });

  it("as the creation of an order is, and then changes nothing", async () => {
    const { id: settlementAccountId } = await aSettlementAccount(context.db, merchantId);
    const order = await aShortOrder({ settlementAccountId });
    await context.owner.query(
      sql`update settlement_accounts set status = 'disabled', is_default = false where id = ${settlementAccountId}`,
    );
    expect(await codeOf(ask(order.id))).toBe("SETTLEMENT_ACCOUNT_DISABLED");
    const priced = await aShortOrder({ fiatAmount: "20" });
    rate = { fetchedAt: new Date(Date.now() - 10 * 60_000) };
    expect(await codeOf(ask(priced.id))).toBe("RATE_UNAVAILABLE");
    await context.owner.query(sql`update merchants set suspended_at = now() where id = ${merchantId}`);
    expect(await codeOf(ask(priced.id))).toBe("MERCHANT_SUSPENDED");
    for (const charge of [order, priced]) expect((await read(charge)).status).toBe("ACTIVE");
  });
});

describe("orderRefPaid of an event of a charge", () => {
  it("is true if another charge of its reference is paid, whichever comes first", async () => {
    const [paid, unpaid, other] = await Promise.all([
      anOrder({ orderRef: "A-7" }),
      anOrder({ orderRef: "A-7" }),
      anOrder({ orderRef: "A-8" }),
    ]);
    await pay(paid, "25");
    await expire(new Date(Date.now() + 2 * HOUR_MS));
    const flagsOf = async (charge: { id: ChargeId }) =>
      (await eventsOf(charge)).map(([type, data]) => [
        type,
        (data as { orderRefPaid: boolean }).orderRefPaid,
      ]);
    expect(await flagsOf(paid)).toEqual([["order.paid", false]]);
    expect(await flagsOf(unpaid)).toEqual([["order.expired", true]]);
    expect(await flagsOf(other)).toEqual([["order.expired", false]]);
    await pay(unpaid, "25");
    expect((await flagsOf(unpaid)).slice(1)).toEqual([["order.paid", true]]);
  });

  it("is false for the same reference of another merchant, for none, and for one that was paid too late", async () => {
    const other = (await aMerchant(context.db)).id;
    const foreign = await aCharge(context.db, { merchantId: other, orderRef: "A-9" });
    await aDeposit(context.db, { chargeId: foreign.id });
    await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId: other, id: foreign.id }]));
    const tooLate = await anOrder({
      orderRef: "A-9",
      status: "EXPIRED",
      expiresAt: new Date(Date.now() - 48 * HOUR_MS),
    });
    await pay(tooLate, "25");
    const charges = [await anOrder({ orderRef: "A-9" }), await anOrder(), await anOrder()];
    for (const charge of charges) {
      await pay(charge, "25");
      expect((await eventsOf(charge))[0]?.[1]).toMatchObject({ orderRefPaid: false });
    }
    await accept(tooLate.id);
    expect((await eventsOf(tooLate)).at(-1)).toMatchObject(["order.accepted", { orderRefPaid: true }]);
  });
});

it("the key of the request is the key of the rest", async () => {
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  const order = await aShortOrder();
  const rest = await askForRest(context, { merchantId, id: order.id, apiKeyId });
  expect(rest.apiKeyId).toBe(apiKeyId);
});
