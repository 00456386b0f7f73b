import { createHash } from "node:crypto";
import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import { type Charge, loadCharges } from "@daric/charges/charge";
import { expireCharges } from "@daric/charges/close/close-charges";
import { type MerchantId, refKey } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { paymentState } from "@daric/domain/order";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, anOffer } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { announced } from "@daric/testing/settle-charges";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertBlock } from "../block-store.ts";
import { saveChecks } from "../check-store.ts";
import { markConfirming } from "../status-store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";

/*
 * Orders in USD against an independent model: the worth of each deposit, the credited amount, and the state of the order.
 * The model follows the rules of docs/usd.md and docs/webhooks.md, and uses no code of the service.
 */

const ORDERS = 433;
const STEPS = 12;
const MINUTE_MS = 60_000;
const WHOLE = 10n ** 18n;
const scope = { network: "devnet", epoch: 1n };
const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

let context: TestContext & { close(): Promise<void>; owner: TestContext["db"] };
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

/** Pseudo-random numbers, the same in every run: mulberry32. */
function lots(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, one: <T>(of: readonly T[]): T => of[below(of.length)] as T };
}

const ceilDiv = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom;
const least = (left: bigint, right: bigint) => (left < right ? left : right);
const most = (left: bigint, right: bigint) => (left > right ? left : right);

type Quote = { rateE4: bigint; due: bigint; fromMs: number; untilMs: number };
type Money = { units: bigint; due: bigint; timeMs: number; isFinal: boolean };
type Order = {
  charge: Charge;
  cents: bigint;
  feeBps: bigint;
  toleranceBps: bigint;
  expiresMs: number;
  lateMs: number;
  offers: Quote[];
  money: Money[];
  status: string;
  announced: string[];
};
type Stored = { minuteMs: number; rateE4: bigint };

function dueAt({ cents, feeBps }: Pick<Order, "cents" | "feeBps">, rateE4: bigint): bigint {
  return ceilDiv(cents * rateE4 * 10_000n, 10_000n - feeBps);
}

const newestOf = ({ offers }: Order) => offers.at(-1) as Quote;

/** The due by the quote that applies to money of this time. */
function applicableDue(order: Order, timeMs: number, stored: readonly Stored[]): bigint {
  const holding = order.offers.filter(
    ({ fromMs, untilMs }, index) => (index === 0 || timeMs >= fromMs) && timeMs <= untilMs + 15 * MINUTE_MS,
  );
  const cheapest = holding.reduce<bigint | null>(
    (low, { due }) => (low === null || due < low ? due : low),
    null,
  );
  if (cheapest !== null) return cheapest;
  const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
  const late = stored
    .filter((deposit) => deposit.minuteMs <= minuteMs && deposit.minuteMs >= minuteMs - 60 * MINUTE_MS)
    .at(-1);
  return order.charge.currency === "TRX" && late ? dueAt(order, late.rateE4) : newestOf(order).due;
}

/** Money below the bound of its currency counts for nothing. No order here asks for less than the bound. */
function isDust({ charge: { currency } }: Order, { units }: Money): boolean {
  return units < (currency === "USDT" ? 10_000n : 100_000n);
}

/** The credited amount of money against the current due, compared with exact fractions. */
function credited(order: Order, which: (money: Money) => boolean): bigint {
  const { due } = newestOf(order);
  const money = order.money.filter((part) => which(part) && !isDust(order, part));
  const sum = money.reduce((all, { units, due: applicable }) => all + ceilDiv(units * WHOLE, applicable), 0n);
  const worth = (sum * due) / WHOLE;
  const exact = money.reduce(
    ({ top, bottom }, { units, due: applicable }) => ({
      top: top * applicable + units * due * bottom,
      bottom: bottom * applicable,
    }),
    { top: 0n, bottom: 1n },
  );
  // Rounding loses no unit, and adds one only if the fraction was less than a millionth short of it.
  const isNear =
    worth * exact.bottom <= exact.top + exact.bottom / 1_000_000n && (worth + 1n) * exact.bottom > exact.top;
  if (!isNear) throw new Error(`${worth} is not ${exact.top} / ${exact.bottom}`);
  return worth;
}

function verdictOf(order: Order, worth: bigint): string {
  const { due } = newestOf(order);
  if (worth <= 0n) return "none";
  if (worth - due > most(least(due / 100n, 1_000_000n), 10_000n)) return "over";
  const tolerance = most(least(due / 100n, 10_000n), (due * order.toleranceBps) / 10_000n);
  return worth >= most(due - tolerance, 1n) ? "exact" : "under";
}

function sumsOf(order: Order) {
  return {
    onTime: credited(order, ({ timeMs, isFinal }) => isFinal && timeMs <= order.expiresMs),
    inWindow: credited(order, ({ timeMs, isFinal }) => isFinal && timeMs <= order.lateMs),
    total: credited(order, ({ isFinal }) => isFinal),
  };
}

function settle(order: Order): void {
  const { onTime, inWindow, total } = sumsOf(order);
  const isPaid = (worth: bigint) => ["exact", "over"].includes(verdictOf(order, worth));
  const made = [
    ...(isPaid(inWindow) ? ["order.paid"] : []),
    ...(verdictOf(order, inWindow) === "over" ? ["order.overpaid"] : []),
    ...(isPaid(total) && !isPaid(onTime) ? ["order.paid_late"] : []),
  ];
  order.announced.push(...made.filter((type) => !order.announced.includes(type)));
  if (isPaid(inWindow)) order.status = "ARCHIVED";
}

/** One step of the chain to this time: money in time, then the order's expiry, then late money. */
function follow(order: Order, timeMs: number): void {
  const confirm = (isLate: boolean) => {
    const now = order.money.filter((money) => !money.isFinal && money.timeMs > order.expiresMs === isLate);
    for (const money of now) money.isFinal = true;
    if (now.length > 0) settle(order);
  };
  confirm(false);
  if (order.status === "ACTIVE" && timeMs > order.expiresMs) {
    order.status = "EXPIRED";
    const came = order.money.some(
      (money) => money.isFinal && money.timeMs <= order.expiresMs && !isDust(order, money),
    );
    order.announced.push(came ? "order.underpaid" : "order.expired");
  }
  confirm(true);
}

const quoteAt = (of: Pick<Order, "cents" | "feeBps">, rateE4: bigint, fromMs: number): Quote => ({
  rateE4,
  due: dueAt(of, rateE4),
  fromMs,
  untilMs: fromMs + 10 * MINUTE_MS,
});

const rateOf = (usdE8: bigint) => ceilDiv(10n ** 12n, usdE8);

async function anOrder(
  chance: ReturnType<typeof lots>,
  prices: Record<"USDT" | "TRX", bigint>,
): Promise<Order> {
  const currency = chance.next() < 0.7 ? "TRX" : "USDT";
  const [feeBps = 0, toleranceBps = 0] = chance.one([
    [0, 0],
    [137, 200],
    [1_000, 0],
    [0, 37],
  ]);
  const cents = 100 + chance.below(500_000);
  const terms = { cents: BigInt(cents), feeBps: BigInt(feeBps), toleranceBps: BigInt(toleranceBps) };
  const expiresMs = start + (30 + chance.below(90)) * MINUTE_MS;
  const lateMs = expiresMs + (10 + chance.below(50)) * MINUTE_MS;
  const offer = quoteAt(terms, rateOf(prices[currency]), start);
  const charge = await aCharge(context.db, {
    merchantId,
    currency,
    fiatAmount: (cents / 100).toFixed(2),
    quote: { rateE4: offer.rateE4, lockedAt: new Date(start) },
    toleranceBasisPoints: toleranceBps,
    ...(feeBps > 0 && { feeMode: "client", feeBasisPoints: feeBps }),
    expiresAt: new Date(expiresMs),
    lateUntil: new Date(lateMs),
  });
  return { charge, ...terms, expiresMs, lateMs, offers: [offer], money: [], status: "ACTIVE", announced: [] };
}

/** A possible payment now. */
function someUnits(order: Order, chance: ReturnType<typeof lots>): bigint {
  const { due } = newestOf(order);
  const rest = most(due - credited(order, () => true), 0n);
  const part = (of: bigint) => (of * BigInt(1 + chance.below(999))) / 1_000n;
  const dust = order.charge.currency === "TRX" ? 99_999 : 9_999;
  const units = chance.one([
    () => BigInt(1 + chance.below(dust)),
    () => 100_000n,
    () => part(due),
    () => part(rest),
    () => rest,
    () => rest,
    () => rest - 10_000n + BigInt(chance.below(3) - 1),
    () => (rest * 13n) / 10n,
  ])();
  return most(units, 1n);
}

/** Puts each deposit of these orders into one block of this time. */
async function mine(
  paid: readonly (readonly [Order, bigint])[],
  timeMs: number,
  number: number,
): Promise<void> {
  const id = number.toString(16).padStart(16, "0") + "a".repeat(48);
  const header = aHeader({ number, id, timeMs });
  const transfers = paid.map(([{ charge }, units], index): Transfer => {
    const txId = createHash("sha256").update(`${number} ${index}`).digest("hex");
    const fromHex = `41${"11".repeat(20)}`;
    const of = { txId, eventIndex: 0, fromHex, toHex: addressToHex(charge.address), isMerkleProven: true };
    return charge.currency === "USDT"
      ? { ...of, source: "log", currency: "USDT", units: amountIn("USDT", units) }
      : { ...of, source: "transfer", currency: "TRX", units: amountIn("TRX", units) };
  });
  await context.db.transaction(async (tx) => {
    const counts = { transactionCount: 1, transferCount: 1 };
    const { parentId, witnessHex } = header;
    const block = {
      id,
      number,
      time: new Date(timeMs),
      parentId,
      witnessHex,
      ...counts,
      ...{ infosDigest: undefined, sourceNode: "node 1" },
    };
    await insertBlock(tx, { network: scope.network, block, epoch: 1n });
    const { detected } = await recordBlockOf(context, tx, { scope, header, transfers });
    const check = { name: "quorum", result: "passed", detail: "told alike" } as const;
    const checks = detected.map((deposit) => ({
      ...check,
      merchantId: deposit.merchantId,
      depositId: deposit.id,
    }));
    await saveChecks(tx, { blockId: id, checks });
  });
}

/** Settles all blocks up to this time, in the order of `finalize`. */
async function settleAll(timeMs: number): Promise<void> {
  const solid = { number: 1_000_000, blockId: "0".repeat(64), time: new Date(timeMs) };
  const final = { scope, cursor: { ...solid, solidNumber: solid.number }, solid };
  await context.db.transaction((tx) => markConfirming(tx, scope, { below: solid.number }));
  const untilDone = async (work: () => Promise<{ isMoreWaiting: boolean }>) => {
    while ((await work()).isMoreWaiting);
  };
  const confirm = (late: boolean) => () =>
    context.db.transaction((tx) => announced(context, tx, confirmDeposits(tx, { ...final, late })));
  await untilDone(confirm(false));
  await untilDone(() =>
    context.db.transaction((tx) =>
      announced(context, tx, expireCharges(context, tx, { chainTime: new Date(timeMs) })),
    ),
  );
  await untilDone(confirm(true));
}

async function requireAlike(orders: readonly Order[]): Promise<void> {
  const charges = await loadCharges(
    context.db,
    orders.map(({ charge }) => charge),
  );
  const events = await context.db.query<{ id: string; types: string[] }>(sql`
    select resource_id as id, array_agg(type order by sequence) as types from webhook_events
    where merchant_id = ${merchantId} and type like 'order.%' group by resource_id`);
  const announced = new Map(events.map(({ id, types }) => [id, types]));
  for (const order of orders) {
    const now = charges.get(refKey(order.charge)) ?? expect.fail();
    const total = order.money.filter(({ isFinal }) => isFinal);
    const dust = order.money.filter((money) => isDust(order, money));
    const sum = (money: readonly Money[]) => money.reduce((all, { units }) => all + units, 0n);
    const confirmed = sumsOf(order);
    expect({
      due: now.terms.due,
      confirmed: now.confirmed,
      credited: now.credited,
      received: now.received,
      verdict: paymentState(now.terms, now.confirmed.total),
      status: now.status,
      announced: announced.get(now.id) ?? [],
    }).toEqual({
      due: newestOf(order).due,
      confirmed,
      credited: credited(order, () => true),
      received: {
        onTime: sum(total.filter(({ timeMs }) => timeMs <= order.expiresMs)),
        total: sum(total),
        inWindow: sum(total.filter((money) => money.timeMs <= order.lateMs && !isDust(order, money))),
        pending: sum(order.money.filter(({ isFinal }) => !isFinal)),
        dust: sum(dust.filter(({ isFinal }) => isFinal)),
        dustPending: sum(dust.filter(({ isFinal }) => !isFinal)),
      },
      verdict: verdictOf(order, confirmed.total),
      status: order.status,
      announced: order.announced,
    });
  }
}

it("433 orders with requotes, parts, dust, late money, fees and tolerances match the model", async () => {
  const chance = lots(20_261_123);
  const prices = { USDT: 99_950_000n, TRX: 30_000_000n };
  const orders: Order[] = [];
  while (orders.length < ORDERS)
    orders.push(...(await Promise.all(Array.from({ length: 8 }, () => anOrder(chance, prices)))));
  orders.length = ORDERS;
  const stored: Stored[] = [];
  let nowMs = start;
  for (let step = 1; step <= STEPS; step += 1) {
    nowMs += (2 + chance.below(26)) * MINUTE_MS;
    prices.TRX = (prices.TRX * BigInt(920 + chance.below(161))) / 1_000n;
    prices.USDT = 99_500_000n + BigInt(chance.below(1_000_000));
    if (chance.next() < 0.6) {
      stored.push({ minuteMs: nowMs, rateE4: rateOf(prices.TRX) });
      await context.owner.query(sql`
        insert into rates (currency, minute, usd_e8, source, fetched_at)
        values ('TRX', ${new Date(nowMs)}, ${prices.TRX}, 'stored', ${new Date(nowMs)})`);
    }
    const lapsed = orders.filter(
      (order) => order.status === "ACTIVE" && nowMs <= order.expiresMs && newestOf(order).untilMs <= nowMs,
    );
    for (const order of lapsed.filter(() => chance.next() < 0.5)) {
      const offer = quoteAt(order, rateOf(prices[order.charge.currency as keyof typeof prices]), nowMs);
      await anOffer(context.db, order.charge, { rateE4: offer.rateE4, lockedAt: new Date(nowMs) });
      order.offers.push(offer);
    }
    const timeMs = nowMs + MINUTE_MS / 2;
    const paid: [Order, bigint][] = [];
    for (const order of orders) {
      for (const chanceOfPayment of [0.25, 0.06]) {
        if (chance.next() >= chanceOfPayment) continue;
        const units = someUnits(order, chance);
        order.money.push({ units, due: applicableDue(order, timeMs, stored), timeMs, isFinal: false });
        paid.push([order, units]);
      }
    }
    await mine(paid, timeMs, step);
    // The last payments stay pending.
    if (step === STEPS) break;
    await settleAll(timeMs);
    for (const order of orders) follow(order, timeMs);
    if (step % 4 === 0) await requireAlike(orders);
  }
  await requireAlike(orders);
  await requireDerivedTables(context.owner);
  const having = (type: string) => orders.filter(({ announced }) => announced.includes(type)).length;
  const atSeveralRates = orders.filter(({ money }) => new Set(money.map(({ due }) => due)).size > 1).length;
  expect(atSeveralRates).toBeGreaterThan(100);
  for (const type of ["paid", "overpaid", "paid_late", "underpaid", "expired"])
    expect(having(`order.${type}`), type).toBeGreaterThan(20);
}, 240_000);
