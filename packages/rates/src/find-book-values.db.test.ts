import type { Currency } from "@daric/domain/asset";
import { formatBookAmount } from "@daric/domain/book-value";
import type { FiatCurrency } from "@daric/domain/fiat";
import { amountFromUnits, formatPrice } from "@daric/domain/money";
import { type Sql, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findBookValues } from "./find-book-values.ts";
import type { Priced } from "./sources.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(() => context.owner.query(sql`delete from rates`));

/** 12:00 on a past day, and so many minutes and seconds later. */
const at = (minutes: number, seconds = 0) => new Date(Date.UTC(2026, 2, 4, 12, minutes, seconds));

async function store(priced: Priced, minute: Date | Sql, priceE8: bigint, source = "test"): Promise<void> {
  const isCoin = priced === "USDT" || priced === "TRX";
  await context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
    values (${priced}, ${minute}, ${isCoin ? priceE8 : null}, ${isCoin ? null : priceE8}, ${source}, now())`);
}

const valuesOf = (book: FiatCurrency, ...moments: readonly (readonly [Currency, bigint, Date])[]) =>
  findBookValues(
    context.db,
    book,
    moments.map(([currency, units, time]) => ({ currency, units: amountFromUnits(units), at: time })),
  );

async function shown(book: FiatCurrency, ...moments: readonly (readonly [Currency, bigint, Date])[]) {
  const values = await valuesOf(book, ...moments);
  return values.map((value) => value && `${formatBookAmount(value)} at ${formatPrice(value.rateE8)}`);
}

describe("the value of money at the time of its block", () => {
  it("is by the rate of the block's minute, else by the newest of the five minutes before it, else unknown", async () => {
    await store("TRX", at(0), 30_000_000n);
    await store("TRX", at(1), 31_000_000n);
    const of = (time: Date) => ["TRX", 10_000_000n, time] as const;
    expect(
      await shown("USD", of(at(-1, 59)), of(at(0)), of(at(0, 59)), of(at(1)), of(at(6, 59)), of(at(7))),
    ).toEqual([undefined, "3.00 at 0.3", "3.00 at 0.3", "3.10 at 0.31", "3.10 at 0.31", undefined]);
  });

  it("has the rate, its sources and its oldest minute", async () => {
    await store("TRX", at(3), 30_000_000n, "kraken+okx");
    await store("USDT", at(2), 100_000_000n, "bitstamp+kraken");
    await store("EUR", at(1), 90_000_000n, "coinbase+kraken");
    expect(await valuesOf("EUR", ["TRX", 100_000_000n, at(3, 7)])).toEqual([
      {
        ...{ currency: "EUR", amount: 2_700n, rateE8: 27_000_000n },
        ...{ sources: "bitstamp+coinbase+kraken+okx", at: at(1) },
      },
    ]);
  });

  it("keeps the order of a page of several coins and minutes, by one statement", async () => {
    await store("TRX", at(0), 30_000_000n);
    await store("USDT", at(0), 100_000_000n);
    await store("JPY", at(0), 15_000_000_000n);
    const moments = [
      ["USDT", 1_000_000n, at(0)],
      ["TRX", -1_000_000n, at(2)],
      ["USDT", 2_000_000n, at(60)],
      ["USDT", 3_000_000n, at(5)],
    ] as const;
    const page = [...moments, ...Array.from({ length: 96 }, () => moments[0])];
    const statements = context.db;
    let queries = 0;
    const counting = {
      query: <Row>(statement: Sql) => {
        queries += 1;
        return statements.query<Row>(statement);
      },
    };
    const values = await findBookValues(
      counting,
      "JPY",
      page.map(([currency, units, time]) => ({ currency, units: amountFromUnits(units), at: time })),
    );
    expect(values.slice(0, 5).map((value) => value?.amount)).toEqual([150n, -45n, undefined, 450n, 150n]);
    expect([values.length, queries]).toEqual([100, 1]);
  });

  it("is unknown in another currency while one part of its rate is", async () => {
    await store("TRX", at(0), 30_000_000n);
    await store("EUR", at(0), 90_000_000n);
    const moments = [["TRX", 10_000_000n, at(0)] as const, ["USDT", 10_000_000n, at(0)] as const];
    expect(await shown("EUR", ...moments)).toEqual([undefined, "9.00 at 0.9"]);
    await store("USDT", at(0), 100_000_000n);
    expect(await shown("EUR", ...moments)).toEqual(["2.70 at 0.27", "9.00 at 0.9"]);
  });

  it("is unknown until the block's minute is over: the rate of that minute may still come", async () => {
    const [{ now } = expect.fail()] = await context.db.query<{ now: Date }>(sql`select now()`);
    await store("TRX", sql`date_trunc('minute', now()) - interval '2 minutes'`, 30_000_000n);
    const times = [now, new Date(now.getTime() - 2 * 60_000)];
    const values = await shown("USD", ...times.map((time) => ["TRX", 10_000_000n, time] as const));
    expect(values).toEqual([undefined, "3.00 at 0.3"]);
  });

  it("of nothing asks nothing", async () => {
    expect(await findBookValues({ query: () => expect.fail() }, "USD", [])).toEqual([]);
  });
});
