import { createHash } from "node:crypto";
import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import { loadCharges } from "@daric/charges/charge";
import { expireCharges } from "@daric/charges/close/close-charges";
import { type MerchantId, refKey } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { paymentState } from "@daric/domain/order";
import { quoteRateRoundedUp } from "@daric/domain/quote";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, anOffer } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import {
  applicableDue,
  credited,
  type Fiat,
  follow,
  isBelowBound,
  type ModelMoney,
  type ModelOrder,
  most,
  newestOf,
  type Prices,
  priceIn,
  quoteAt,
  type Stored,
  sumsOf,
  verdictOf,
} from "@daric/testing/credited-model";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { diceOf } from "@daric/testing/races";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { announced } from "@daric/testing/settle-charges";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, expect, it } from "vitest";
import { insertBlock } from "../block-store.ts";
import { saveChecks } from "../check-store.ts";
import { markConfirming } from "../status-store.ts";
import { confirmDeposits } from "./confirm-deposits.ts";

const ORDERS = 500;
const STEPS = 12;
const MINUTE_MS = 60_000;
const scope = { network: "devnet", epoch: 1n };
const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

let context: TestContext & { close(): Promise<void>; owner: TestContext["db"] };
let merchantId: MerchantId;

beforeEach(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterEach(() => context.close());

/** Pseudo-random numbers, the same in every run. */
function lots(seed: number) {
  const next = diceOf(seed);
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, one: <T>(of: readonly T[]): T => of[below(of.length)] as T };
}

/** The lock of the service at this price. */
function lockAt({ code }: Fiat, priceE8: bigint, timeMs: number) {
  const rateE10 = quoteRateRoundedUp(priceE8, code);
  return { rateE10, rateE4: rateE10 / 1_000_000n, lockedAt: new Date(timeMs) };
}

async function anOrder(chance: ReturnType<typeof lots>, fiat: Fiat, prices: Prices): Promise<ModelOrder> {
  const currency = chance.next() < 0.7 ? "TRX" : "USDT";
  const [feeBps = 0, toleranceBps = 0] = chance.one([
    [0, 0],
    [137, 200],
    [1_000, 0],
    [0, 37],
  ]);
  // From 1 to about 5,000 dollars.
  const dollar = Number(fiat.perTetherE8 / fiat.unit / 100n);
  const price = dollar + chance.below(5_000 * dollar);
  const decimals = 7 - String(fiat.unit).length;
  const zeros = decimals > 0 ? chance.one(["", "00"]) : "";
  const terms = { fiat, price: BigInt(price), feeBps: BigInt(feeBps), toleranceBps: BigInt(toleranceBps) };
  const expiresMs = start + (30 + chance.below(90)) * MINUTE_MS;
  const lateMs = expiresMs + (10 + chance.below(50)) * MINUTE_MS;
  const priceE8 = priceIn(fiat, currency, prices);
  const charge = await aCharge(context.db, {
    merchantId,
    currency,
    fiatCurrency: fiat.code,
    fiatAmount: `${(price / 10 ** decimals).toFixed(decimals)}${zeros}`,
    quote: lockAt(fiat, priceE8, start),
    toleranceBasisPoints: toleranceBps,
    ...(feeBps > 0 && { feeMode: "client", feeBasisPoints: feeBps }),
    expiresAt: new Date(expiresMs),
    lateUntil: new Date(lateMs),
  });
  const offers = [quoteAt(terms, priceE8, start)];
  return { charge, ...terms, expiresMs, lateMs, offers, money: [], status: "ACTIVE", announced: [] };
}

/** A possible payment now. */
function someUnits(order: ModelOrder, chance: ReturnType<typeof lots>): bigint {
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
  paid: readonly (readonly [ModelOrder, bigint])[],
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
  const final = { scope, cursor: solid, solid };
  await context.db.transaction((tx) => markConfirming(tx, scope, { below: solid.number }));
  const untilDone = async (work: () => Promise<{ isMoreWaiting: boolean }>) => {
    while ((await work()).isMoreWaiting);
  };
  const confirm = (late: boolean) => () =>
    context.db.transaction((tx) => announced(context, tx, confirmDeposits(context, tx, { ...final, late })));
  await untilDone(confirm(false));
  await untilDone(() =>
    context.db.transaction((tx) =>
      announced(context, tx, expireCharges(context, tx, { chainTime: new Date(timeMs) })),
    ),
  );
  await untilDone(confirm(true));
}

async function requireAlike(orders: readonly ModelOrder[]): Promise<void> {
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
    const dust = order.money.filter((money) => isBelowBound(order, money));
    const sum = (money: readonly ModelMoney[]) => money.reduce((all, { units }) => all + units, 0n);
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
        inWindow: sum(total.filter((money) => money.timeMs <= order.lateMs && !isBelowBound(order, money))),
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

/** Stores some of the prices of now, each at times of its own. */
async function storePrices(
  chance: ReturnType<typeof lots>,
  { prices, fiat, nowMs }: { prices: Prices; fiat: Fiat; nowMs: number },
): Promise<Stored[]> {
  const rows = [
    { code: "TRX", usdE8: prices.TRX, tetherE8: null },
    { code: "USDT", usdE8: prices.USDT, tetherE8: null },
    ...(fiat.code === "USD" ? [] : [{ code: fiat.code, usdE8: null, tetherE8: prices.local }]),
  ].filter(() => chance.next() < 0.6);
  const minute = new Date(nowMs);
  for (const { code, usdE8, tetherE8 } of rows)
    await context.owner.query(sql`
      insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
      values (${code}, ${minute}, ${usdE8}::bigint, ${tetherE8}::bigint, 'stored', ${minute})`);
  return rows.map(({ code, usdE8, tetherE8 }) => ({
    code,
    minuteMs: nowMs,
    priceE8: usdE8 ?? tetherE8 ?? 0n,
  }));
}

it.each<Fiat>([
  { code: "USD", unit: 10_000n, perTetherE8: 100_000_000n, swing: 0 },
  { code: "EUR", unit: 10_000n, perTetherE8: 86_130_000n, swing: 100 },
  { code: "JPY", unit: 1_000_000n, perTetherE8: 15_637_000_000n, swing: 100 },
  { code: "NGN", unit: 10_000n, perTetherE8: 145_700_000_000n, swing: 500 },
])(
  "500 orders in $code with requotes, parts, dust, late money, fees and tolerances match the model",
  async (fiat) => {
    const chance = lots(20_261_123);
    const prices = { USDT: 99_950_000n, TRX: 30_000_000n, local: fiat.perTetherE8 };
    const orders: ModelOrder[] = [];
    while (orders.length < ORDERS)
      orders.push(...(await Promise.all(Array.from({ length: 8 }, () => anOrder(chance, fiat, prices)))));
    orders.length = ORDERS;
    const stored: Stored[] = [];
    let nowMs = start;
    for (let step = 1; step <= STEPS; step += 1) {
      nowMs += (2 + chance.below(26)) * MINUTE_MS;
      prices.TRX = (prices.TRX * BigInt(920 + chance.below(161))) / 1_000n;
      prices.USDT = 99_500_000n + BigInt(chance.below(1_000_000));
      prices.local = (prices.local * BigInt(10_000 + chance.one([-fiat.swing, fiat.swing]))) / 10_000n;
      stored.push(...(await storePrices(chance, { prices, fiat, nowMs })));
      const lapsed = orders.filter(
        (order) => order.status === "ACTIVE" && nowMs <= order.expiresMs && newestOf(order).untilMs <= nowMs,
      );
      for (const order of lapsed.filter(() => chance.next() < 0.5)) {
        const priceE8 = priceIn(fiat, order.charge.currency as "USDT" | "TRX", prices);
        await anOffer(context.db, order.charge, lockAt(fiat, priceE8, nowMs));
        order.offers.push(quoteAt(order, priceE8, nowMs));
      }
      const timeMs = nowMs + MINUTE_MS / 2;
      const paid: [ModelOrder, bigint][] = [];
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
    const countOf = (test: (order: ModelOrder) => boolean) => orders.filter(test).length;
    expect(countOf(({ money }) => new Set(money.map(({ due }) => due)).size > 1)).toBeGreaterThan(100);
    const isOffered = ({ offers }: ModelOrder, { due }: ModelMoney) =>
      offers.some((offer) => offer.due === due);
    expect(
      countOf((order) => order.money.some((money) => !isOffered(order, money))),
      "at stored rates",
    ).toBeGreaterThan(50);
    for (const type of ["paid", "overpaid", "paid_late", "underpaid", "expired"])
      expect(having(`order.${type}`), type).toBeGreaterThan(20);
  },
  240_000,
);
