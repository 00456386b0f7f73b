import { randomBytes } from "node:crypto";
import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import { type Charge, getCharge } from "@daric/charges/charge";
import { requoteCharge } from "@daric/charges/quote/requote-charge";
import type { Currency } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { amountIn, formatAmount } from "@daric/domain/money";
import { openDatabase } from "@daric/postgres/database";
import { one, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, anOffer, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { countOutcomes, raceLimitMs, raceRounds, startTogether } from "@daric/testing/races";
import { aRate, freshRates } from "@daric/testing/rate-builders";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { orphanDeposits } from "./status-store.ts";
import { failDeposits } from "./verify/write-final.ts";

const MINUTE_MS = 60_000;
const scope = { network: "devnet", epoch: 1n };
/** On a minute, so that a stored rate is easy to place. */
const start = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
const at = (minutes: number, ms = 0) => new Date(start.getTime() + minutes * MINUTE_MS + ms);
let context: TestContext & { close(): Promise<void>; owner: TestContext["db"] };
let merchantId: MerchantId;
let number = 0;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());
beforeEach(() => context.owner.query(sql`delete from rates`));

/** 100 USD, offered at 1.0100 from minute 0 to 10. */
function anOrder(overrides: Partial<ChargeOverrides> = {}) {
  const quote = { rateE4: 10_100n, lockedAt: at(0) };
  return aCharge(context.db, { merchantId, fiatAmount: "100", quote, expiresAt: at(120), ...overrides });
}

function transferTo(charge: Charge, txId = randomBytes(32).toString("hex"), currency?: Currency): Transfer {
  const coin = currency ?? charge.currency;
  const fromHex = `41${"11".repeat(20)}`;
  const of = { txId, eventIndex: 0, fromHex, toHex: addressToHex(charge.address), isMerkleProven: true };
  const source = coin === "TRX" ? "transfer" : "log";
  return { ...of, source, currency: coin, units: amountIn(coin, 5_000_000n) } as Transfer;
}

/** Records these transfers in a block of this time. */
function pay(time: Date, ...transfers: Transfer[]) {
  return context.db.transaction((tx) => payIn(tx, time, transfers));
}

function payIn(tx: Transaction, time: Date, transfers: readonly Transfer[]) {
  number += 1;
  const id = number.toString(16).padStart(16, "0") + "a".repeat(48);
  const header = aHeader({ number, id, timeMs: time.getTime() });
  return recordBlockOf(context, tx, { scope, header, transfers });
}

/** The rate of each deposit's quote, in the order of their blocks; null without a quote. */
async function ratesOf(charge: Charge) {
  const rows = await context.db.query<{ rateE4: bigint | null }>(sql`
    select quote.rate_e4 as "rateE4" from deposits d
    left join quotes quote on quote.merchant_id = d.merchant_id and quote.id = d.quote_id
    where d.merchant_id = ${merchantId} and d.deposit_address_id = ${charge.id} order by d.block_number`);
  return rows.map(({ rateE4 }) => rateE4);
}

async function dueOf(charge: Charge) {
  const { terms, quote } = await getCharge(context.db, charge);
  return [terms.due && formatAmount(terms.due), quote?.rate];
}

async function storeRate(minute: Date, usdE8: bigint, coin: Currency = "TRX") {
  await context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at) values (${coin}, ${minute}, ${usdE8}, 'stored', ${minute})`);
}

/** Stores units of a currency for 1 USDT. */
async function storeLocalRate(minute: Date, tetherE8: bigint, code = "EUR") {
  await context.owner.query(sql`
    insert into rates (currency, minute, tether_e8, source, fetched_at)
    values (${code}, ${minute}, ${tetherE8}, 'market', ${minute})`);
}

describe("a deposit of an order in USD", () => {
  it("is credited by the only quote, in time and later", async () => {
    const charge = await anOrder();
    await pay(at(1), transferTo(charge));
    await pay(at(60), transferTo(charge));
    expect(await ratesOf(charge)).toEqual([10_100n, 10_100n]);
    expect(await dueOf(charge)).toEqual(["101", "1.01"]);
  });

  it("is credited by an older quote up to 15 minutes past its end, if that has the lower due", async () => {
    const charge = await anOrder();
    await anOffer(context.db, charge, { rateE4: 10_300n, lockedAt: at(11) });
    await pay(at(24), transferTo(charge));
    expect(await dueOf(charge)).toEqual(["103", "1.03"]);
    expect(await ratesOf(charge)).toEqual([10_100n]);
  });

  it("is credited by the newest quote 16 minutes past the end of the older one", async () => {
    const charge = await anOrder();
    await anOffer(context.db, charge, { rateE4: 10_300n, lockedAt: at(11) });
    await pay(at(26), transferTo(charge));
    expect(await dueOf(charge)).toEqual(["103", "1.03"]);
    expect(await ratesOf(charge)).toEqual([10_300n]);
  });

  it("is credited by no quote that was locked after its block", async () => {
    const charge = await anOrder();
    await anOffer(context.db, charge, { rateE4: 10_000n, lockedAt: at(11) });
    await pay(at(10, 59_999), transferTo(charge));
    expect(await ratesOf(charge)).toEqual([10_100n]);
    await pay(at(11), transferTo(charge));
    expect(await ratesOf(charge)).toEqual([10_100n, 10_000n]);
  });

  it("has no quote in the other currency, and changes nothing", async () => {
    const charge = await anOrder();
    await anOffer(context.db, charge, { rateE4: 10_300n, lockedAt: at(11) });
    await pay(at(12), transferTo(charge, undefined, "TRX"));
    expect(await ratesOf(charge)).toEqual([null]);
    expect(await dueOf(charge)).toEqual(["103", "1.03"]);
  });

  it("gets a quote anew in the block that includes it again", async () => {
    const charge = await anOrder();
    await anOffer(context.db, charge, { rateE4: 10_300n, lockedAt: at(11) });
    const transfer = transferTo(charge);
    await pay(at(12), transfer);
    // 5 of 101, of 103
    expect((await getCharge(context.db, charge)).credited).toBe(5_099_009n);
    await context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));
    expect((await getCharge(context.db, charge)).credited).toBe(5_099_009n);
    await pay(at(26), transfer);
    expect(await ratesOf(charge)).toEqual([10_300n]);
    expect((await getCharge(context.db, charge)).credited).toBe(5_000_000n);
  });

  it("is credited nothing once it has FAILED", async () => {
    const charge = await anOrder();
    await pay(at(12), transferTo(charge));
    expect((await getCharge(context.db, charge)).credited).toBe(5_000_000n);
    await context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));
    const solid = { number: 1_000_000, blockId: "0".repeat(64), time: at(48 * 60) };
    const { deposits } = await context.db.transaction((tx) => failDeposits(context, tx, { scope, solid }));
    expect(deposits.map(({ status }) => status)).toContain("FAILED");
    expect((await getCharge(context.db, charge)).credited).toBe(0n);
  });
});

describe("a deposit of an order in TRX without a valid quote", () => {
  const trx = { currency: "TRX", quote: { rateE4: 40_000n, lockedAt: at(0) } } as const;

  it("is credited by the newest rate stored up to the minute of its block, which becomes a quote", async () => {
    const charge = await anOrder(trx);
    for (const minute of [28, 30, 31]) await storeRate(at(minute), 20_000_000n + BigInt(minute) * 100_000n);
    await pay(at(30, 59_999), transferTo(charge));
    // 1 / 0.23
    expect(await ratesOf(charge)).toEqual([43_479n]);
    expect(await dueOf(charge)).toEqual(["400", "4"]);
    // 5 of 434.79, of 400
    expect((await getCharge(context.db, charge)).credited).toBe(4_599_921n);
    const [late] = await context.db.query(sql`
      select source, was_offered as offered, locked_at as at from quotes
      where merchant_id = ${merchantId} and deposit_address_id = ${charge.id} and rate_e4 = 43479`);
    expect(late).toEqual({ source: "stored", offered: false, at: at(30) });
  });

  it("is credited by the newest quote if the stored rate is older than an hour, or missing", async () => {
    const [none, old, just] = [await anOrder(trx), await anOrder(trx), await anOrder(trx)];
    await pay(at(30), transferTo(none));
    await storeRate(at(30), 20_000_000n);
    await pay(at(91), transferTo(old));
    await pay(at(90, 59_999), transferTo(just));
    expect([await ratesOf(none), await ratesOf(old), await ratesOf(just)]).toEqual([
      [40_000n],
      [40_000n],
      [50_000n],
    ]);
  });

  it("has the same quote after a second read of its block: one quote for each minute", async () => {
    const charge = await anOrder(trx);
    await storeRate(at(30), 20_000_000n);
    const [first, second] = [transferTo(charge), transferTo(charge)];
    await pay(at(30), first);
    await pay(at(30, 3_000), first, second);
    expect(await ratesOf(charge)).toEqual([50_000n, 50_000n]);
    const { count } = one(
      await context.db.query<{ count: bigint }>(sql`
        select count(*) from quotes where merchant_id = ${merchantId} and deposit_address_id = ${charge.id}`),
    );
    expect(count).toBe(2n);
  });

  it("shares the quote that was made for it with no other deposit", async () => {
    const charge = await anOrder(trx);
    await storeRate(at(30), 50_000_000n);
    await pay(at(30), transferTo(charge));
    await storeRate(at(31), 20_000_000n);
    await pay(at(31), transferTo(charge));
    expect(await ratesOf(charge)).toEqual([20_000n, 50_000n]);
    // 5 of 200 and 5 of 500, of 400
    expect((await getCharge(context.db, charge)).credited).toBe(14_000_000n);
  });

  it("is credited by a valid offer, whatever rate is stored", async () => {
    const charge = await anOrder(trx);
    await storeRate(at(24), 50_000_000n);
    await pay(at(25), transferTo(charge));
    expect(await ratesOf(charge)).toEqual([40_000n]);
  });
});

describe("a deposit of an order in TRX that is priced in EUR, without a valid quote", () => {
  /** 100 EUR, offered at 3.7 TRX. */
  const inEur = {
    currency: "TRX",
    fiatCurrency: "EUR",
    quote: { rateE10: 37_000_000_000n, lockedAt: at(0) },
  } as const;

  /** The rate of each deposit's quote in 10^-10, as {@link ratesOf}. */
  async function localRatesOf(charge: Charge) {
    const rows = await context.db.query<{ rateE4: bigint | null; rateE10: bigint }>(sql`
      select quote.rate_e4 as "rateE4", quote.rate_e10 as "rateE10" from deposits d
      join quotes quote on quote.merchant_id = d.merchant_id and quote.id = d.quote_id
      where d.merchant_id = ${merchantId} and d.deposit_address_id = ${charge.id}
      order by d.block_number, d.created_at, d.id`);
    expect(rows.every(({ rateE4 }) => rateE4 === null)).toBe(true);
    return rows.map(({ rateE10 }) => rateE10);
  }

  it("is credited by the stored rates of TRX and of EUR, which may be two minutes older than the offer", async () => {
    const charge = await anOrder(inEur);
    await storeRate(at(29), 31_260_000n);
    await storeRate(at(-3), 99_970_000n, "USDT");
    await storeRate(at(29), 90_000_000n, "USDT");
    await storeLocalRate(at(-3), 80_000_000n);
    await storeLocalRate(at(-2), 86_130_000n);
    await storeLocalRate(at(31), 99_000_000n);
    await pay(at(30, 59_999), transferTo(charge));
    // 1 / (0.3126 × 0.8613 / 0.9997): the dollars of a USDT are those of the minute of EUR
    expect(await localRatesOf(charge)).toEqual([37_130_113_982n]);
    expect(await dueOf(charge)).toEqual(["370", "3.7"]);
    // 5 of 371.30114, of 370
    expect((await getCharge(context.db, charge)).credited).toBe(4_982_478n);
    const late = await context.db.query(sql`
      select source, was_offered as offered, locked_at as at, expected_units as units from quotes
      where merchant_id = ${merchantId} and deposit_address_id = ${charge.id} and not was_offered`);
    expect(late).toEqual([{ source: "market+stored", offered: false, at: at(29), units: 371_301_140n }]);
  });

  it("is credited by the newest offer if the rate of EUR is older, although that of TRX is of its minute", async () => {
    const charge = await anOrder(inEur);
    await storeRate(at(30), 31_260_000n);
    await storeRate(at(30), 99_970_000n, "USDT");
    await storeLocalRate(at(-3), 80_000_000n);
    await pay(at(30), transferTo(charge));
    expect(await localRatesOf(charge)).toEqual([37_000_000_000n]);
  });

  it("in USDT too is credited by the rate of EUR, since USDT follows the dollar alone", async () => {
    const charge = await anOrder({
      ...inEur,
      currency: "USDT",
      quote: { ...inEur.quote, rateE10: 11_000_000_000n },
    });
    await storeLocalRate(at(30), 80_000_000n);
    await pay(at(400), transferTo(charge));
    expect(await localRatesOf(charge)).toEqual([12_500_000_000n]);
  });

  it("is credited by the newest offer without any row of EUR or of USDT, or if that of TRX is older than an hour", async () => {
    const [noEur, noUsdt, old] = [await anOrder(inEur), await anOrder(inEur), await anOrder(inEur)];
    await storeRate(at(30), 31_260_000n);
    await storeRate(at(30), 99_970_000n, "USDT");
    await storeLocalRate(at(30), 15_637_000_000n, "JPY");
    await pay(at(30), transferTo(noEur));
    await storeLocalRate(at(30), 86_130_000n);
    await pay(at(91), transferTo(old));
    await context.owner.query(sql`delete from rates where currency = 'USDT'`);
    await pay(at(31), transferTo(noUsdt));
    for (const charge of [noEur, noUsdt, old]) expect(await localRatesOf(charge)).toEqual([37_000_000_000n]);
  });

  it("is credited by the price of EUR of its own minute, although that of TRX is the same as before", async () => {
    const charge = await anOrder(inEur);
    await storeRate(at(30), 31_260_000n);
    await storeRate(at(30), 99_970_000n, "USDT");
    await storeLocalRate(at(30), 86_130_000n);
    await pay(at(30), transferTo(charge));
    await storeLocalRate(at(31), 90_000_000n);
    const again = transferTo(charge);
    await pay(at(31), again);
    await pay(at(31, 3_000), again, transferTo(charge));
    expect(await localRatesOf(charge)).toEqual([37_130_113_982n, 35_533_519_089n, 35_533_519_089n]);
  });

  it("has the rate of its own currency, beside deposits of orders in other currencies in the same block", async () => {
    const yen = { ...inEur, fiatCurrency: "JPY", quote: { rateE10: 200_000_000n, lockedAt: at(0) } } as const;
    const [eur, jpy] = [await anOrder(inEur), await anOrder(yen)];
    const usd = await anOrder({ currency: "TRX", quote: { rateE4: 40_000n, lockedAt: at(0) } });
    await storeRate(at(30), 31_260_000n);
    await storeRate(at(30), 99_970_000n, "USDT");
    await storeLocalRate(at(30), 86_130_000n);
    await storeLocalRate(at(30), 15_637_000_000n, "JPY");
    await pay(at(30), transferTo(eur), transferTo(jpy), transferTo(usd));
    expect(await localRatesOf(eur)).toEqual([37_130_113_982n]);
    expect(await localRatesOf(jpy)).toEqual([204_515_997n]);
    // 1 / 0.3126
    expect(await ratesOf(usd)).toEqual([31_990n]);
  });
});

describe("a block", () => {
  async function statementsOf(charges: readonly Charge[], time: Date): Promise<string[]> {
    const texts: string[] = [];
    await context.db.transaction((tx) => {
      const query = <Row>(statement: Sql) => {
        texts.push(statement.text);
        return tx.query<Row>(statement);
      };
      return payIn(
        { ...tx, query },
        time,
        charges.flatMap((charge) => [transferTo(charge), transferTo(charge)]),
      );
    });
    return texts;
  }

  it("assigns quotes to any number of deposits in a constant number of statements, and in none without such deposits", async () => {
    const plain = await statementsOf([await aCharge(context.db, { merchantId })], at(30));
    expect(plain.filter((text) => text.includes("quotes"))).toEqual([]);
    const orders = await Promise.all(Array.from({ length: 30 }, () => anOrder({ currency: "TRX" })));
    await storeRate(at(30), 20_000_000n);
    const forSingle = await statementsOf(orders.slice(0, 1), at(30));
    const forMany = await statementsOf(orders, at(30));
    expect([forSingle.length, forMany.length]).toEqual([plain.length + 5, plain.length + 5]);
  });
});

describe("a requote and a concurrent deposit", () => {
  const lapsed = () => ({
    expiresAt: new Date(Date.now() + 60 * MINUTE_MS),
    quote: { rateE4: 10_300n, lockedAt: new Date(Date.now() - 11 * MINUTE_MS) },
  });
  const requoting = () => ({ db: context.db, findRate: freshRates });
  const offersOf = async (charge: Charge) =>
    one(
      await context.db.query<{ count: bigint }>(sql`
        select count(*) from quotes where merchant_id = ${merchantId} and deposit_address_id = ${charge.id}`),
    ).count;

  it("the requote that waited for the deposit's block is refused", async () => {
    const charge = await anOrder(lapsed());
    let requoted: Promise<unknown> | undefined;
    await context.db.transaction(async (tx) => {
      await payIn(tx, new Date(), [transferTo(charge)]);
      requoted = requoteCharge(requoting(), charge).catch((error) => error.code);
      await untilWaiting();
    });
    expect(await requoted).toBe("PAYMENT_IN_PROGRESS");
    expect(await offersOf(charge)).toBe(1n);
    expect(await ratesOf(charge)).toEqual([10_300n]);
  });

  it("the deposit whose block waited for the requote may be credited by the new quote", async () => {
    const charge = await anOrder(lapsed());
    let paid: Promise<unknown> | undefined;
    const later = new Date(Date.now() + 5_000);
    const meanwhile = {
      ...context.db,
      transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
        context.db.transaction(async (tx) => {
          const done = await work(tx);
          paid = pay(later, transferTo(charge));
          await untilWaiting();
          return done;
        }),
    };
    await requoteCharge({ db: meanwhile, findRate: freshRates }, charge);
    await paid;
    // The fresh rate gives 1.0004, which is below 1.03.
    expect(await ratesOf(charge)).toEqual([10_004n]);
    expect(await dueOf(charge)).toEqual(["100.04", "1.0004"]);
  });

  it(
    "race: either the requote is refused, or the deposit may use the new quote; both happen",
    async () => {
      const seen = countOutcomes("requote, deposit", ["refused", "requoted"]);
      const watcher = openDatabase({ url: context.config.runtime.databaseUrl, onError: () => undefined });
      for (let round = 0; round < raceRounds; round += 1) {
        const charge = await anOrder(lapsed());
        const time = new Date(Date.now() + 5_000);
        const requote = () =>
          requoteCharge(requoting(), charge).then(
            () => "requoted" as const,
            ({ code }) => code,
          );
        const deposit = () => watcher.transaction((tx) => payIn(tx, time, [transferTo(charge)]));
        const [outcome] = await startTogether(round, [requote, deposit]);
        const offers = await offersOf(charge);
        const { terms } = await getCharge(context.db, charge);
        expect([outcome, offers, await ratesOf(charge), terms.due]).toEqual(
          outcome === "requoted"
            ? ["requoted", 2n, [10_004n], 100_040_000n]
            : ["PAYMENT_IN_PROGRESS", 1n, [10_300n], 103_000_000n],
        );
        seen.add(outcome === "requoted" ? "requoted" : "refused");
      }
      await watcher.close();
      await requireDerivedTables(context.db);
      seen.requireEach();
    },
    raceLimitMs,
  );

  it("a rate that was fetched too long ago is never locked", async () => {
    const charge = await anOrder(lapsed());
    const findRate = async (currency: Currency) =>
      aRate(currency, { fetchedAt: new Date(Date.now() - 61_000) });
    await expect(requoteCharge({ db: context.db, findRate }, charge)).rejects.toMatchObject({
      code: "RATE_UNAVAILABLE",
      retryAfterSeconds: 1,
    });
    expect(await offersOf(charge)).toBe(1n);
  });

  /** Until a statement in this database waits for a lock. */
  async function untilWaiting(): Promise<void> {
    const waiting = async () =>
      context.db.query(sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  }
});
