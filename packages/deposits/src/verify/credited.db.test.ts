import { randomBytes } from "node:crypto";
import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import { type Charge, getCharge } from "@daric/charges/charge";
import { acceptCharge } from "@daric/charges/close/accept-charge";
import { expireCharges } from "@daric/charges/close/close-charges";
import { requoteCharge } from "@daric/charges/quote/requote-charge";
import { orderPaymentStatus } from "@daric/domain/charge-state";
import type { MerchantId } from "@daric/domain/ids";
import { amountIn, creditedRoundedDown, formatAmount, WHOLE_SHARE } from "@daric/domain/money";
import { paymentState } from "@daric/domain/order";
import { one, sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, anOffer, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { freshRates } from "@daric/testing/rate-builders";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { announced } from "@daric/testing/settle-charges";
import { aHeader } from "@daric/testing/witnesses";
import { shareRoundedUp } from "@daric/totals/sums-store";
import { addressToHex } from "@daric/tron/address";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertBlock } from "../block-store.ts";
import { saveChecks } from "../check-store.ts";
import { markConfirming, orphanDeposits } from "../status-store.ts";
import type { Deposit } from "../store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";
import { failDeposits } from "./write-final.ts";

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
    await requireDerivedTables(context.owner);
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
  const of = { txId, eventIndex: 0, fromHex, toHex: addressToHex(charge.address), isMerkleProven: true };
  const transfer: Transfer =
    charge.currency === "USDT"
      ? { ...of, source: "log", currency: "USDT", units: amountIn("USDT", units) }
      : { ...of, source: "transfer", currency: "TRX", units: amountIn("TRX", units) };
  const { detected } = await context.db.transaction((tx) =>
    recordBlockOf(context, tx, { scope, header, transfers: [transfer] }),
  );
  return detected[0] ?? expect.fail();
}

/** Passes the checks, as the second reading of their blocks does. */
async function passChecks(tx: Transaction, deposits: readonly Deposit[]): Promise<void> {
  for (const { blockId, merchantId: ownerId, id: depositId } of deposits) {
    const check = { name: "quorum", result: "passed", detail: "told alike" } as const;
    await saveChecks(tx, { blockId, checks: [{ ...check, merchantId: ownerId, depositId }] });
  }
}

const solid = { number: 1_000_000, blockId: "0".repeat(64), time: at(60 * DAY) };

/** Puts only the blocks of these deposits into our chain, and confirms them. */
async function confirm(...deposits: Deposit[]): Promise<void> {
  await context.db.transaction(async (tx) => {
    for (const { blockId: id, blockNumber, blockTime: time } of deposits) {
      const counts = { transactionCount: 1, transferCount: 1 };
      const { parentId, witnessHex } = aHeader({ number: blockNumber, id, timeMs: time.getTime() });
      const origin = { infosDigest: undefined, sourceNode: "node 1" };
      const block = { id, number: blockNumber, time, parentId, witnessHex, ...counts, ...origin };
      await insertBlock(tx, { network: scope.network, block, epoch: 1n });
    }
    await passChecks(tx, deposits);
    await markConfirming(tx, scope, { below: solid.number });
    const confirmed = await announced(
      context,
      tx,
      confirmDeposits(context, tx, {
        scope,
        cursor: solid,
        solid,
      }),
    );
    expect(confirmed.deposits).toHaveLength(deposits.length);
  });
}

const expire = (minute: number) =>
  context.db.transaction((tx) =>
    announced(context, tx, expireCharges(context, tx, { chainTime: at(minute) })),
  );

async function eventsOf(charge: Charge) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select event.type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} and resource_id = ${charge.id} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

/** The charge's due and credited amounts, its deposits and its events. */
async function stateOf(charge: Charge) {
  const now = await getCharge(context.db, charge);
  const types = (await eventsOf(charge)).map(({ type }) => type);
  return {
    due: now.terms.due && formatAmount(now.terms.due),
    credited: formatAmount(now.confirmed.total),
    status: orderPaymentStatus(now),
    verdict: paymentState(now.terms, now.confirmed.total),
    types,
  };
}

describe("the credited amount of an order in USD", () => {
  it("is the worth of each deposit by its own quote: two halves at two rates pay the order", async () => {
    const charge = await aCharge(context.db, {
      merchantId,
      currency: "TRX",
      fiatAmount: "1000",
      quote: { rateE4: 33_334n, lockedAt: at(0) },
      expiresAt: at(60),
    });
    await confirm(await pay(charge, 1, 1_666_700_000n));
    await anOffer(context.db, charge, { rateE4: 50_000n, lockedAt: at(40) });
    expect(await stateOf(charge)).toMatchObject({ due: "5000", credited: "2500", verdict: "under" });
    await confirm(await pay(charge, 41, 2_500_000_000n));
    const paid = { due: "5000", credited: "5000", status: "paid", verdict: "exact", types: ["order.paid"] };
    expect(await stateOf(charge)).toEqual(paid);
    const [{ data } = expect.fail()] = await eventsOf(charge);
    expect(data).toMatchObject({
      amountReceived: "4166.7",
      difference: "0",
      quoteRate: "5",
      payAmount: null,
    });
  });

  it("gives no free option for a small payment: money after a fall of the price is worth its rate then", async () => {
    const charge = await aCharge(context.db, {
      merchantId,
      currency: "TRX",
      fiatAmount: "1000",
      quote: { rateE4: 33_334n, lockedAt: at(0) },
      expiresAt: at(60),
    });
    await confirm(await pay(charge, 1, 100_000n));
    await expire(61);
    await storeRate(1_200, 20_000_000n);
    await confirm(await pay(charge, 1_200, 3_333_300_000n));
    // 3,333.3 of 5,000 are two thirds of 3,333.4
    expect(await stateOf(charge)).toEqual({
      due: "3333.4",
      credited: "2222.344444",
      status: "expired",
      verdict: "under",
      types: ["order.underpaid"],
    });
  });

  it.each([
    ["inside the late window", 300],
    ["past it", 20 * DAY],
  ])("is the whole once the order is paid, and a deposit %s adds its worth", async (_when, minute) => {
    const charge = await inTrx();
    await confirm(await pay(charge, 1, 400_000_000n));
    const paid = { due: "400", credited: "400", status: "paid", verdict: "exact", types: ["order.paid"] };
    expect(await stateOf(charge)).toEqual(paid);
    await storeRate(minute, 30_000_000n);
    const later = await pay(charge, minute, 500_000n);
    expect(await stateOf(charge)).toEqual(paid);
    await confirm(later);
    // 0.5 of 333.34, of 400
    expect(await stateOf(charge)).toEqual({ ...paid, credited: "400.599988" });
  });

  it("stays short after the merchant accepts it, and the order is not requoted again", async () => {
    const charge = await inTrx();
    await confirm(await pay(charge, 1, 350_000_000n));
    await acceptCharge(context, { merchantId, id: charge.id, reason: null });
    const accepted = {
      due: "400",
      credited: "350",
      status: "paid",
      verdict: "under",
      types: ["order.accepted"],
    };
    expect(await stateOf(charge)).toEqual(accepted);
    await expect(requoteCharge({ db: context.db, findRate: freshRates }, charge)).rejects.toMatchObject({
      code: "ORDER_ALREADY_PAID",
    });
  });

  it("follows the rate of the deposit's time past the late window, and is announced as paid late", async () => {
    const charge = await inTrx();
    await expire(61);
    await storeRate(20 * DAY, 20_000_000n);
    await confirm(await pay(charge, 20 * DAY, 500_000_000n));
    expect(await stateOf(charge)).toEqual({
      due: "400",
      credited: "400",
      status: "expired",
      verdict: "exact",
      types: ["order.expired", "order.paid_late"],
    });
  });

  it("includes pending money, each deposit by its own quote", async () => {
    const charge = await inUsdt();
    await pay(charge, 9, 50_500_000n);
    await offerCheaper(charge, 12);
    await pay(charge, 13, 20_000_000n);
    const now = await getCharge(context.db, charge);
    expect([now.terms.due, now.credited, now.confirmed.total]).toEqual([100_000_000n, 70_000_000n, 0n]);
    expect(now.received).toMatchObject({ onTime: 0n, total: 0n, pending: 70_500_000n });
    await context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));
    await context.db.transaction((tx) => failDeposits(context, tx, { scope, solid }));
    expect((await getCharge(context.db, charge)).credited).toBe(0n);
  });

  it("follows an older valid quote in full, though the newest quote has a higher due", async () => {
    const charge = await inUsdt();
    await anOffer(context.db, charge, { rateE4: 10_300n, lockedAt: at(11) });
    await confirm(await pay(charge, 24, 101_000_000n));
    expect(await stateOf(charge)).toMatchObject({ due: "103", credited: "103", verdict: "exact" });
  });
});

it("each share is rounded up and their sum down once: parts of one due give their exact sum", async () => {
  const due = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const parts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(due, parts, async (whole, units) => {
      const { shares } = one(
        await context.db.query<{ shares: string }>(sql`
          select sum(${shareRoundedUp(sql`units`, sql`${whole}::bigint`)}) as shares
          from unnest(${units}::bigint[]) units`),
      );
      const exact = units.reduce((sum, unit) => sum + (unit * WHOLE_SHARE + whole - 1n) / whole, 0n);
      expect(BigInt(shares)).toBe(exact);
      const sum = units.reduce((all, unit) => all + unit, 0n);
      expect(creditedRoundedDown(exact, amountIn("TRX", whole))).toBe(sum);
    }),
    { numRuns: 200 },
  );
});
