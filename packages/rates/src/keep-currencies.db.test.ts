import { ApiError } from "@daric/domain/errors";
import { type FiatCurrency, fiatCurrencies } from "@daric/domain/fiat";
import type { MarketName } from "@daric/domain/market";
import { sql } from "@daric/postgres/sql";
import { type Clock, systemClock } from "@daric/runtime/clock";
import { globally } from "@daric/runtime/global-statements";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { type MarketState, type RateSources, startRateSources } from "@daric/testing/rate-sources";
import { until } from "@daric/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RatePace } from "./feed.ts";
import { type RateKeeper, startRateKeeper } from "./keep-rates.ts";
import { defaultMarkets, type Priced } from "./sources.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let sources: RateSources;
let clock: Clock & { aheadMs: number };
const keepers: RateKeeper[] = [];

/** A Wednesday at noon, and a Saturday at noon, in New York. */
const WEDNESDAY = Date.UTC(2026, 10, 25, 17);
const SATURDAY = Date.UTC(2026, 10, 28, 17);
const quick: RatePace = { fetchEveryMs: 50, firstBackoffMs: 50, maxBackoffMs: 100, checkEveryMs: 20 };

beforeAll(async () => {
  context = await createTestContext({ TRON_NETWORK: "nile" });
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.owner.query(sql`delete from rates`);
  sources = await startRateSources();
  clock = {
    aheadMs: 0,
    now() {
      return new Date(Date.now() + offMs + this.aheadMs);
    },
    monotonicMs() {
      return systemClock.monotonicMs() + this.aheadMs;
    },
  };
  setTime(WEDNESDAY);
});
afterEach(async () => {
  await stopAll();
  await sources.stop();
});

const stopAll = () => Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));

let offMs = 0;

/** The time of this machine and of all markets. */
function setTime(ms: number): void {
  offMs = ms - Date.now();
  for (const name of Object.keys(sources.addresses) as MarketName[]) set(name, {});
}

function set(market: MarketName, state: Partial<MarketState>): void {
  sources.setState(market, { clockOffMs: offMs, ...state });
}

function keep(pace: RatePace = quick): RateKeeper {
  const keeper = startRateKeeper({ ...context, clock, rateAddresses: sources.addresses }, pace);
  keepers.push(keeper);
  return keeper;
}

const stateOf = (keeper: RateKeeper, code: FiatCurrency) =>
  keeper.currencies().find((currency) => currency.code === code) ?? expect.fail();

const refusalOf = (keeper: RateKeeper, priced: Priced) => keeper.verdictOf(priced).refusal;

const callsOf = (market: MarketName) => sources.calls.get(market) ?? 0;

async function refused(keeper: RateKeeper, code: FiatCurrency): Promise<ApiError> {
  const error: unknown = await keeper.findRate("USDT", code).catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  return expect.fail(`${code} was priced`);
}

const storedOf = (code: string) =>
  context.db.query(sql`select usd_e8, tether_e8 from rates where currency = ${code}`);

const keepRate = (code: string, priceE8: bigint) =>
  context.owner.query(sql`
    insert into rates (currency, minute, tether_e8, source, fetched_at)
    values (${code}, now() - interval '5 minutes', ${priceE8}, 'test', now())`);

describe("the rate of a currency", () => {
  it.each(["AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "JPY", "KRW", "TRY"] as const)(
    "%s is had by its first request, from three companies at least",
    async (code) => {
      const rate = await keep().findRate("USDT", code);
      expect(rate).toMatchObject({ currency: "USDT", fiatCurrency: code });
      const used = rate.source.split("+");
      expect(new Set(used).size).toBe(used.length);
      expect(defaultMarkets[code].filter((name) => used.includes(name)).length).toBeGreaterThanOrEqual(3);
    },
  );

  it("of JPY is the median of three exchange rates times the price of USDT, and names the sources of both", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "JPY");
    const all = "bitstamp+coinbase+gmo+kraken+swissquote+truefx";
    await until("all answered", async () => keeper.verdictOf("JPY").rate?.source === all);
    const { priceE8 } = await keeper.findRate("USDT", "JPY");
    expect(Number(priceE8) / 1e8).toBeCloseTo(156.37 * 0.99967, 2);
  });

  it("of TRX is its price in USD times the currency, by all sources of both", async () => {
    const keeper = keep();
    const trx = await keeper.findRate("TRX", "EUR");
    const eur = await keeper.findRate("USDT", "EUR");
    const usdt = await keeper.findRate("USDT", "USD");
    const coin = await keeper.findRate("TRX", "USD");
    expect(trx.fiatCurrency).toBe("EUR");
    expect(Number(trx.priceE8)).toBeCloseTo(
      (Number(coin.priceE8) * Number(eur.priceE8)) / Number(usdt.priceE8),
      -4,
    );
    for (const part of [coin, eur, usdt])
      for (const name of part.source.split("+")) expect(trx.source.split("+")).toContain(name);
  });

  it("leaves out a source that jumps 6 %", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "EUR");
    await until("a first rate is stored", async () => (await storedOf("EUR")).length > 0);
    set("okx", { prices: { EUR: ["0.9126", "0.9128"] } });
    await until("it jumped", async () =>
      keeper
        .verdictOf("EUR")
        .sources.some(({ source, verdict }) => source === "okx" && verdict === "outlier"),
    );
    const { source, priceE8 } = await keeper.findRate("USDT", "EUR");
    expect(source).not.toContain("okx");
    expect(Number(priceE8) / 1e8).toBeCloseTo(0.861, 3);
  });

  it("needs its markets of USDT and its exchange rates within 1 % of each other", async () => {
    for (const market of ["swissquote", "truefx"] as const)
      set(market, { prices: { EUR: ["1.14000", "1.14010"] } });
    const keeper = keep();
    expect((await refused(keeper, "EUR")).status).toBe(503);
    expect(refusalOf(keeper, "EUR")).toBe(
      "the markets of USDT and the exchange rates differ by more than 1 %",
    );
  });

  it("counts no exchange rate whose stamp is older than 10 minutes, though its bytes are fresh", async () => {
    for (const market of ["gmo", "swissquote"] as const) set(market, { clockOffMs: offMs - 601_000 });
    const keeper = keep();
    await refused(keeper, "JPY");
    expect(keeper.verdictOf("JPY").sources[0]).toMatchObject({
      verdict: "stale",
      why: "its time stamp is older than 10 minutes",
    });
    for (const market of ["gmo", "swissquote"] as const) set(market, { clockOffMs: offMs - 590_000 });
    await until("the stamps are young enough", async () => keeper.verdictOf("JPY").rate !== undefined);
  });

  it("counts no source that answers another pair", async () => {
    set("gmo", { fault: "wrong_pair" });
    const keeper = keep();
    await refused(keeper, "JPY");
    expect(keeper.verdictOf("JPY").sources.find(({ source }) => source === "gmo")?.verdict).toBe("error");
  });

  it("without one of the last hour needs three sources that agree, and then two near the hour's median", async () => {
    set("gmo", { fault: "status_500" });
    const keeper = keep();
    await refused(keeper, "JPY");
    expect(refusalOf(keeper, "JPY")).toBe(
      "there is no rate of the last hour, and no three sources agree alone",
    );
    await keepRate("JPY", 15_600_000_000n);
    const { source } = await keep().findRate("USDT", "JPY");
    expect(source.split("+")).toEqual(expect.arrayContaining(["swissquote", "truefx"]));
    await stopAll();
    await context.owner.query(sql`delete from rates`);
    await keepRate("JPY", 14_000_000_000n);
    const far = keep();
    await refused(far, "JPY");
    expect(refusalOf(far, "JPY")).toBe("the price is not within 10 % of the last hour's");
  });

  it("is stored each minute as units for 1 USDT", async () => {
    await keep().findRate("USDT", "JPY");
    await until("it is stored", async () => (await storedOf("JPY")).length > 0);
    expect(await storedOf("JPY")).toEqual([{ usd_e8: null, tether_e8: expect.any(BigInt) }]);
  });
});

describe("at the weekend", () => {
  beforeEach(() => setTime(SATURDAY));

  it("JPY rests, and its refusal says until when", async () => {
    const keeper = keep();
    expect(stateOf(keeper, "JPY").resting).toBe(true);
    const error = await refused(keeper, "JPY");
    expect([error.status, error.retryAfterSeconds, error.message]).toEqual([
      503,
      3_600,
      "JPY rests: its exchange markets are closed until Sunday 17:00 in New York. Price the order in another currency.",
    ]);
    expect(stateOf(keeper, "JPY").available).toBe(false);
    expect(keeper.verdictOf("JPY").sources.map(({ verdict }) => verdict)).toEqual([
      "closed",
      "closed",
      "closed",
    ]);
    expect([callsOf("gmo"), callsOf("swissquote"), callsOf("truefx")]).toEqual([0, 0, 0]);
    const metrics = await context.metrics.registry.metrics();
    expect(metrics).toContain('daric_rate_source_used{source="kraken",currency="USDT"} 1');
    expect(metrics).not.toContain('daric_rate_source_used{source="gmo"');
  });

  it("AUD, EUR and GBP go on by their markets of USDT", async () => {
    const keeper = keep();
    for (const [code, source] of [
      ["AUD", "independentreserve+kraken+okx"],
      ["EUR", "bitstamp+coinbase+kraken+okx"],
      ["GBP", "coinbase+coinjar+kraken"],
    ] as const) {
      await keeper.findRate("USDT", code);
      await until("all answered", async () => keeper.verdictOf(code).rate?.source === source);
      expect(stateOf(keeper, code)).toMatchObject({ available: true, resting: false });
    }
  });
});

it("JPY has a price again as soon as its markets open and are asked, and none by a stamp from before", async () => {
  setTime(Date.UTC(2026, 10, 29, 21, 59, 59));
  const keeper = keep();
  expect((await refused(keeper, "JPY")).retryAfterSeconds).toBe(60);
  await until("they are open", async () => keeper.verdictOf("JPY").rate !== undefined);
  expect(stateOf(keeper, "JPY").resting).toBe(false);
  for (const market of ["gmo", "swissquote"] as const) set(market, { clockOffMs: offMs - 60_000 });
  await until("two are of before", async () => keeper.verdictOf("JPY").rate === undefined);
  expect(keeper.verdictOf("JPY").sources[0]).toMatchObject({
    verdict: "stale",
    why: "quoted while the market was closed",
  });
});

describe("the list of currencies", () => {
  it("says of each its decimals and sources, and asks no source", async () => {
    const keeper = keep();
    expect(stateOf(keeper, "JPY")).toEqual({
      code: "JPY",
      decimals: 0,
      sources: ["gmo", "swissquote", "truefx"],
      available: null,
      resting: false,
    });
    expect(stateOf(keeper, "NGN")).toMatchObject({ sources: [], available: false });
    await keeper.findRate("USDT", "USD");
    expect(stateOf(keeper, "USD").available).toBe(true);
    expect([callsOf("gmo"), callsOf("swissquote"), callsOf("truefx")]).toEqual([0, 0, 0]);
  });

  it("is answered without a key, and lists all that this deployment can and cannot price", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "EUR");
    const memory = createMemory(context, { rates: keeper });
    const app = createApp(context, { memory });
    const { statusCode, body } = await app.inject("/v1/currencies");
    await app.close();
    await memory.addresses.stop();
    const { success, data } = JSON.parse(body) as {
      success: boolean;
      data: { code: string; available: unknown }[];
    };
    expect([statusCode, success]).toEqual([200, true]);
    expect(data.map(({ code }) => code)).toEqual(fiatCurrencies);
    const known = Object.fromEntries(data.map(({ code, available }) => [code, available]));
    expect(known).toMatchObject({ USD: true, EUR: true, JPY: null, NGN: false });
  });

  it("knows for a minute after a request whether a currency can be priced", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "JPY");
    expect(stateOf(keeper, "JPY").available).toBe(true);
    clock.aheadMs += 61_000;
    expect(stateOf(keeper, "JPY").available).toBeNull();
  });

  it("refuses a currency without three markets at once, and asks nothing for it", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "USD");
    const since = performance.now();
    expect((await refused(keeper, "NGN")).code).toBe("RATE_UNAVAILABLE");
    expect(performance.now() - since).toBeLessThan(100);
    expect(keeper.watched()).toEqual(["USDT", "TRX"]);
  });
});

describe("polling", () => {
  it("of a currency begins with a request and ends an hour after the last one", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "JPY");
    expect(keeper.watched()).toEqual(["USDT", "TRX", "JPY"]);
    clock.aheadMs += 3_590_000;
    await keeper.findRate("USDT", "USD").catch(() => {});
    expect(keeper.watched()).toContain("JPY");
    clock.aheadMs += 11_000;
    await until("it ended", async () => !keeper.watched().includes("JPY"));
    const ended = callsOf("gmo");
    const others = callsOf("kraken");
    await until("the coins go on", async () => callsOf("kraken") > others + 5);
    expect(callsOf("gmo")).toBeLessThanOrEqual(ended + 1);
    await keeper.findRate("USDT", "JPY").catch(() => {});
    expect(keeper.watched()).toContain("JPY");
  });

  it("of a currency of books goes on without a request, until no merchant keeps its books in it", async () => {
    await aMerchant(context.db, { bookCurrency: "JPY" });
    await aMerchant(context.db, { bookCurrency: "NGN" });
    const keeper = keep();
    await until("a rate is stored", async () => (await storedOf("JPY")).length > 0);
    expect(stateOf(keeper, "JPY").available).toBe(true);
    clock.aheadMs += 7_200_000;
    setTime(WEDNESDAY + clock.aheadMs);
    const before = callsOf("gmo");
    await until("it goes on", async () => callsOf("gmo") > before + 2);
    expect(keeper.watched()).toEqual(["USDT", "TRX", "JPY"]);
    const end = sql`update merchants set book_currency = 'USD' where book_currency <> 'USD'`;
    await context.owner.query(globally("book-currencies", end));
    clock.aheadMs += 60_000;
    await until("it ended", async () => !keeper.watched().includes("JPY"));
  });

  it("that begins again reads the stored rates again, and waits for them", async () => {
    const keeper = keep();
    await keeper.findRate("USDT", "JPY");
    clock.aheadMs += 3_601_000;
    await until("it ended", async () => !keeper.watched().includes("JPY"));
    await context.owner.query(sql`delete from rates`);
    for (const name of Object.keys(sources.addresses) as MarketName[])
      set(name, { clockOffMs: offMs + clock.aheadMs, ...(name === "gmo" && { fault: "status_500" }) });
    await until("the coins go on", async () => keeper.verdictOf("USDT").rate !== undefined);
    await refused(keeper, "JPY");
    expect(refusalOf(keeper, "JPY")).toBe(
      "there is no rate of the last hour, and no three sources agree alone",
    );
  });

  it("costs one call a source and interval, for however many requests", async () => {
    const keeper = keep({ ...quick, fetchEveryMs: 600_000 });
    await Promise.all(Array.from({ length: 20 }, () => keeper.findRate("USDT", "JPY")));
    expect([callsOf("gmo"), callsOf("swissquote"), callsOf("truefx")]).toEqual([1, 1, 1]);
  });

  it("waits for a first rate at most 3 s, and not until the sources that hang are given up after 5 s", async () => {
    for (const market of ["gmo", "swissquote", "truefx"] as const) set(market, { fault: "hang" });
    const keeper = keep();
    const since = performance.now();
    await refused(keeper, "JPY");
    expect(performance.now() - since).toBeLessThan(4_900);
  });
});
