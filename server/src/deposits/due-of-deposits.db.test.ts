import { randomBytes } from "node:crypto";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, anOffer, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { requireKeptTruths } from "@daric/testing/kept-truths";
import { freshRates } from "@daric/testing/rate-builders";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Transfer } from "../chain/decode-transfers.ts";
import { acceptCharge } from "../charges/accept-charge.ts";
import { type Charge, getCharge } from "../charges/charge.ts";
import { expireCharges } from "../charges/close-charges.ts";
import { repriceCharges } from "../charges/reprice-charges.ts";
import { requoteCharge } from "../charges/requote-charge.ts";
import type { MerchantId } from "../domain/ids.ts";
import { amountIn, formatAmount } from "../domain/money.ts";
import { orderPaymentStatus, paymentState } from "../domain/order.ts";
import { insertBlock } from "./block-store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import { failDeposits } from "./fail-deposits.ts";
import { buryDeposits, orphanDeposits } from "./status-store.ts";
import type { Deposit } from "./store.ts";

const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const scope = { network: "devnet", epoch: 1n };
/** On a minute, so that a stored rate is easy to place. */
const start = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
const at = (minutes: number) => new Date(start.getTime() + minutes * MINUTE_MS);
let context: TestContext & { close(): Promise<void>; owner: TestContext["db"] };
let merchantId: MerchantId;
let number = 0;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  try {
    await requireKeptTruths(context.owner);
  } finally {
    await context.close();
  }
});
beforeEach(() => context.owner.query(sql`delete from rates`));

/** 100 USD, offered at 4 TRX from minute 0 to 10, over after an hour. */
const inTrx = () =>
  aCharge(context.db, {
    merchantId,
    currency: "TRX",
    fiatAmount: "100",
    quote: { rateE4: 40_000n, lockedAt: at(0) },
    expiresAt: at(60),
  });

/** 100 USD, offered at 1.01 USDT from minute 0 to 10. */
const inUsdt = (overrides: Partial<ChargeOverrides> = {}) =>
  aCharge(context.db, {
    merchantId,
    fiatAmount: "100",
    quote: { rateE4: 10_100n, lockedAt: at(0) },
    expiresAt: at(120),
    ...overrides,
  });

/** One more offer, at 1.00 USDT, locked at this minute, as a requote makes it. */
async function offerCheaper(charge: Charge, minute: number): Promise<void> {
  await anOffer(context.db, charge, { rateE4: 10_000n, lockedAt: at(minute) });
  await context.db.transaction((tx) => repriceCharges(tx, [charge]));
}

const storeRate = (minute: number, usdE8: bigint) =>
  context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values ('TRX', ${at(minute)}, ${usdE8}, 'stored', ${at(minute)})`);

/** A deposit in a block of its own, made at this minute. */
async function pay(charge: Charge, minute: number, units: bigint): Promise<Deposit> {
  number += 1;
  const id = number.toString(16).padStart(16, "0") + "a".repeat(48);
  const header = aHeader({ number, id, timeMs: at(minute).getTime() });
  const txId = randomBytes(32).toString("hex");
  const fromHex = `41${"11".repeat(20)}`;
  const of = { txId, eventIndex: 0, fromHex, toHex: addressToHex(charge.address), isCovered: true };
  const transfer: Transfer =
    charge.currency === "USDT"
      ? { ...of, source: "log", currency: "USDT", units: amountIn("USDT", units) }
      : { ...of, source: "transfer", currency: "TRX", units: amountIn("TRX", units) };
  const { detected } = await context.db.transaction((tx) =>
    recordBlockOf(context, tx, { scope, header, transfers: [transfer] }),
  );
  return detected[0] ?? expect.fail();
}

const solid = { number: 1_000_000, blockId: "0".repeat(64), time: at(60 * DAY) };

/** Confirms those deposits whose blocks are in our chain: of these, and no others, they are. */
async function confirm(...deposits: Deposit[]): Promise<void> {
  await context.db.transaction(async (tx) => {
    for (const { blockId: id, blockNumber, blockTime: time } of deposits) {
      const counts = { transactionCount: 1, transferCount: 1 };
      const { parentId, witnessHex } = aHeader({ number: blockNumber, id, timeMs: time.getTime() });
      const block = { id, number: blockNumber, time, parentId, witnessHex, signerHex: witnessHex, ...counts };
      await insertBlock(tx, { network: scope.network, block, epoch: 1n });
    }
    await buryDeposits(tx, scope, { below: solid.number });
    const confirmed = await confirmDeposits(context, tx, {
      scope,
      cursor: { ...solid, solidNumber: solid.number },
      solid,
    });
    expect(confirmed.deposits).toHaveLength(deposits.length);
  });
}

const expire = (minute: number) =>
  context.db.transaction((tx) => expireCharges(context, tx, { chainTime: at(minute) }));

async function eventsOf(charge: Charge) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select event.type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} and resource_id = ${charge.id} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

/** What is due, what becomes of it, and what was told. */
async function stateOf(charge: Charge) {
  const now = await getCharge(context.db, charge);
  const types = (await eventsOf(charge)).map(({ type }) => type);
  return {
    due: now.terms.due && formatAmount(now.terms.due),
    status: orderPaymentStatus(now),
    verdict: paymentState(now.terms, now.confirmed.total),
    types,
  };
}

describe("what is due of an order in USD", () => {
  it.each([
    ["inside the late window", 300],
    ["past it", 20 * DAY],
  ])("stays once its money has paid it, whatever a deposit %s is judged by", async (_when, minute) => {
    const charge = await inTrx();
    await confirm(await pay(charge, 1, 400_000_000n));
    const paid = { due: "400", status: "paid", verdict: "exact", types: ["order.paid"] };
    expect(await stateOf(charge)).toEqual(paid);
    await storeRate(minute, 30_000_000n);
    const later = await pay(charge, minute, 1_000_000n);
    expect(await stateOf(charge)).toEqual(paid);
    await confirm(later);
    expect(await stateOf(charge)).toEqual(paid);
  });

  it("stays once its merchant has accepted it, and then is requoted no more", async () => {
    const charge = await inTrx();
    await confirm(await pay(charge, 1, 350_000_000n));
    await acceptCharge(context, { merchantId, id: charge.id, reason: null });
    const accepted = { due: "400", status: "paid", verdict: "under", types: ["order.accepted"] };
    expect(await stateOf(charge)).toEqual(accepted);
    await expect(requoteCharge({ db: context.db, findRate: freshRates }, charge)).rejects.toMatchObject({
      code: "ORDER_ALREADY_PAID",
    });
    await storeRate(59, 30_000_000n);
    await confirm(await pay(charge, 59, 1_000_000n));
    expect(await stateOf(charge)).toEqual(accepted);
  });

  it.each([
    ["dust", 1n],
    ["more than dust", 1_000_000n],
  ])("is not lowered by %s past the late window where money came inside it", async (_what, units) => {
    const charge = await inTrx();
    await confirm(await pay(charge, 1, 350_000_000n));
    await expire(61);
    const short = { due: "400", status: "expired", verdict: "under", types: ["order.underpaid"] };
    expect(await stateOf(charge)).toEqual(short);
    await storeRate(20 * DAY, 30_000_000n);
    const later = await pay(charge, 20 * DAY, units);
    expect((await stateOf(charge)).due).toBe("400");
    await confirm(later);
    expect(await stateOf(charge)).toEqual(short);
  });

  it("is what a deposit past the late window is judged by where it is all that came, and told as paid late", async () => {
    const charge = await inTrx();
    await expire(61);
    await storeRate(20 * DAY, 20_000_000n);
    await confirm(await pay(charge, 20 * DAY, 500_000_000n));
    expect(await stateOf(charge)).toEqual({
      due: "500",
      status: "expired",
      verdict: "exact",
      types: ["order.expired", "order.paid_late"],
    });
  });

  it("is never set by dust, so that a sun buys no rate for what comes later", async () => {
    const charge = await inTrx();
    await storeRate(300, 27_500_000n);
    await storeRate(1_000, 22_500_000n);
    await confirm(await pay(charge, 300, 1n));
    expect((await stateOf(charge)).due).toBe("400");
    await confirm(await pay(charge, 1_000, 363_640_000n));
    // 1 / 0.225
    expect(await stateOf(charge)).toMatchObject({ due: "444.45", verdict: "under" });
  });

  it("is lowered by deposits that are not final while none is confirmed, and by confirmed ones alone then", async () => {
    const charge = await inUsdt();
    await offerCheaper(charge, 12);
    const [dearer, cheaper] = [await pay(charge, 9, 50_000_000n), await pay(charge, 13, 20_000_000n)];
    expect((await stateOf(charge)).due).toBe("100");
    await confirm(dearer);
    expect((await stateOf(charge)).due).toBe("101");
    await confirm(cheaper);
    expect((await stateOf(charge)).due).toBe("100");
  });

  it("is never met thanks to a deposit that is not final: it neither pays nor, FAILED, takes back", async () => {
    const charge = await inUsdt();
    await confirm(await pay(charge, 1, 100_000_000n));
    await offerCheaper(charge, 12);
    await pay(charge, 13, 500_000n);
    const short = { due: "101", verdict: "under", types: [] };
    expect(await stateOf(charge)).toMatchObject({ ...short, status: "detected" });
    await context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));
    await context.db.transaction((tx) => failDeposits(context, tx, { scope, solid }));
    expect(await stateOf(charge)).toMatchObject({ ...short, status: "awaiting" });
  });

  it("moves as a deposit is confirmed, before any event says it: all that is told is of one due", async () => {
    const charge = await inUsdt();
    await confirm(await pay(charge, 1, 100_000_000n));
    await offerCheaper(charge, 12);
    const last = await pay(charge, 13, 500_000n);
    await confirm(last);
    expect(await stateOf(charge)).toMatchObject({ due: "100", status: "paid", types: ["order.paid"] });
    const [{ data } = expect.fail()] = await eventsOf({ ...charge, id: last.id as never });
    expect(data).toMatchObject({ orderAmount: "100", quoteRate: "1" });
    expect((await eventsOf(charge))[0]?.data).toMatchObject({ orderAmount: "100", quoteRate: "1" });
  });

  it("is told as short by order.underpaid, whatever dust is on its way", async () => {
    const charge = await inUsdt({ expiresAt: at(30) });
    await confirm(await pay(charge, 1, 100_000_000n));
    await offerCheaper(charge, 12);
    const dust = await pay(charge, 13, 1n);
    await expire(31);
    const [event, ...others] = await eventsOf(charge);
    expect([event?.type, event?.data.paymentState, event?.data.difference, others]).toEqual([
      "order.underpaid",
      "under",
      "-1",
      [],
    ]);
    await confirm(dust);
    expect(await stateOf(charge)).toMatchObject({ due: "101", verdict: "under", status: "expired" });
  });
});
