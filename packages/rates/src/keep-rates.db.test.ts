import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import type { MarketName } from "@daric/domain/market";
import { sql } from "@daric/postgres/sql";
import type { Clock } from "@daric/runtime/clock";
import { systemClock } from "@daric/runtime/clock";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { aDevchain } from "@daric/testing/devchain-client";
import { createOfflineContext } from "@daric/testing/offline-context";
import { type RateSources, type SourceFault, startRateSources } from "@daric/testing/rate-sources";
import { until } from "@daric/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RatesContext } from "./context.ts";
import type { RatePace } from "./feed.ts";
import { type RateKeeper, startRateKeeper } from "./keep-rates.ts";
import { rateCheck } from "./readiness.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let sources: RateSources;
const keepers: RateKeeper[] = [];

beforeAll(async () => {
  context = await createTestContext({ TRON_NETWORK: "nile" });
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.owner.query(sql`delete from rates`);
  sources = await startRateSources();
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));
  await sources.stop();
});

const quick: RatePace = { fetchEveryMs: 50, firstBackoffMs: 50, maxBackoffMs: 100, checkEveryMs: 20 };

function keep(parts: Partial<RatesContext> = {}, pace?: RatePace): RateKeeper {
  const keeper = startRateKeeper({ ...context, rateAddresses: sources.addresses, ...parts }, pace);
  keepers.push(keeper);
  return keeper;
}

/** A keeper whose sources have all answered. */
async function settled(parts: Partial<RatesContext> = {}, pace?: RatePace): Promise<RateKeeper> {
  const keeper = keep(parts, pace);
  await until("the sources were heard", async () =>
    (["USDT", "TRX"] as const).every((currency) => keeper.verdictOf(currency).rate !== undefined),
  );
  return keeper;
}

const storedRates = (): Promise<{ currency: Currency; usdE8: bigint; source: string }[]> =>
  context.db.query(sql`select currency, usd_e8 as "usdE8", source from rates order by currency desc`);

/** A clock whose wall time and monotonic time are set independently. */
function createLooseClock(): Clock & { wallMs: number; monotonicOffMs: number } {
  return {
    wallMs: 0,
    monotonicOffMs: 0,
    now() {
      return new Date(Date.now() + this.wallMs);
    },
    monotonicMs() {
      return systemClock.monotonicMs() + this.monotonicOffMs;
    },
  };
}

const refusal = expect.objectContaining({
  code: "RATE_UNAVAILABLE",
  status: 503,
  retryAfterSeconds: expect.any(Number),
});

describe("a rate", () => {
  it("is available to the first caller, uses three sources, and costs one call each", async () => {
    const keeper = keep();
    const rates = await Promise.all(Array.from({ length: 50 }, () => keeper.findRate("USDT", "USD")));
    await keeper.findRate("TRX", "USD");
    await until(
      "all answered",
      async () => keeper.verdictOf("USDT").rate?.source === "bitstamp+coinbase+kraken",
    );
    expect(new Set(rates.map(({ priceE8 }) => priceE8))).toEqual(new Set([99_967_000n]));
    expect(keeper.verdictOf("TRX").rate).toMatchObject({ priceE8: expect.any(BigInt), currency: "TRX" });
    expect(sources.calls.get("coinbase")).toBe(1);
    expect(sources.calls.get("kraken")).toBe(2);
  });

  it("is returned at once while it is fresh, although every source hangs", async () => {
    const keeper = await settled();
    for (const market of ["bitstamp", "coinbase", "kraken", "okx", "bitfinex"] as const)
      sources.setState(market, { fault: "hang" });
    const since = performance.now();
    for (let times = 0; times < 100; times += 1) await keeper.findRate("USDT", "USD");
    expect(performance.now() - since).toBeLessThan(500);
  });

  it.each<SourceFault>(["hang", "drip", "endless", "status_500", "html"])(
    "does not wait for a source that answers with %s from the start on",
    async (fault) => {
      sources.setState("coinbase", { fault });
      const since = performance.now();
      const { source } = await keep().findRate("USDT", "USD");
      expect(source).toBe("bitstamp+kraken");
      expect(performance.now() - since).toBeLessThan(2_500);
    },
  );

  it("leaves out the one source that lies", async () => {
    sources.setState("kraken", { prices: { USDT: ["9.9966", "9.9968"], TRX: ["0.3126", "0.3128"] } });
    const keeper = await settled();
    expect((await keeper.findRate("USDT", "USD")).source).toBe("bitstamp+coinbase");
    const lie = keeper.verdictOf("USDT").sources.find(({ source }) => source === "kraken");
    expect(lie).toMatchObject({ verdict: "outlier", why: "not within 1 % of the others" });
  });
});

/** The Retry-After of a refusal. */
async function retryAfterSeconds(keeper: RateKeeper, currency: Currency): Promise<number | undefined> {
  const error: unknown = await keeper.findRate(currency, "USD").then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ApiError ? error.retryAfterSeconds : undefined;
}

describe("no rate", () => {
  const markets: readonly MarketName[] = ["bitstamp", "coinbase"];

  it.each<SourceFault>([
    "status_500",
    "status_429",
    "redirect",
    "html",
    "truncated",
    "endless",
    "refused",
    "no_price",
  ])(
    "is the result if two of three sources answer with %s: 503 with Retry-After, and nothing is stored",
    async (fault) => {
      for (const market of markets) sources.setState(market, { fault });
      await expect(keep().findRate("USDT", "USD")).rejects.toEqual(refusal);
      expect((await storedRates()).filter(({ currency }) => currency === "USDT")).toEqual([]);
    },
  );

  it("is the result if two of three prices are stale by their stated time", async () => {
    sources.setState("bitstamp", { clockOffMs: -61_000 });
    sources.setState("coinbase", { fault: "status_500" });
    await expect(keep().findRate("USDT", "USD")).rejects.toEqual(refusal);
  });

  it("comes from two frozen books without stated times, until one of them moves", async () => {
    for (const frozen of ["bitfinex", "kraken"] as const)
      sources.setState(frozen, { prices: { USDT: ["1", "1"] } });
    sources.setState("bitstamp", { prices: { USDT: ["0.93", "0.93"] } });
    const USDT = ["bitfinex", "bitstamp", "kraken"] as const;
    const keeper = keep({ config: withSettings(context, { rates: { sources: { USDT } } }).config }, quick);
    await expect(keeper.findRate("USDT", "USD")).rejects.toEqual(refusal);
    await until("all were called often", async () => (sources.calls.get("kraken") ?? 0) >= 10);
    expect(keeper.verdictOf("USDT").refusal).toContain("none has changed its price");
    sources.setState("kraken", { prices: { USDT: ["1", "1.0001"], TRX: ["0.3126", "0.3128"] } });
    await until("one of them moved", async () => keeper.verdictOf("USDT").rate?.source === "bitfinex+kraken");
  });

  it("is the result if two sources report the same price beyond the band", async () => {
    for (const market of markets) sources.setState(market, { prices: { USDT: ["9.9966", "9.9968"] } });
    const keeper = keep();
    await expect(keeper.findRate("USDT", "USD")).rejects.toEqual(refusal);
    expect(keeper.verdictOf("USDT").refusal).toBe("the price is outside of 0.90 to 1.10");
  });

  it.each<[string, { wallMs: number; monotonicOffMs: number }]>([
    ["a minute has passed", { wallMs: 60_500, monotonicOffMs: 60_500 }],
    ["a minute has passed and the clock was set back meanwhile", { wallMs: -60_500, monotonicOffMs: 60_500 }],
    ["the clock was set back by a day", { wallMs: -86_400_000, monotonicOffMs: 0 }],
    ["the clock was set forward by a day", { wallMs: 86_400_000, monotonicOffMs: 0 }],
    ["the machine slept for a minute", { wallMs: 60_500, monotonicOffMs: 0 }],
  ])("is the result once %s, at the moment of use", async (_what, moved) => {
    const clock = createLooseClock();
    const keeper = await settled({ clock });
    await keeper.findRate("USDT", "USD");
    Object.assign(clock, moved);
    await expect(keeper.findRate("USDT", "USD")).rejects.toEqual(refusal);
    await expect(keeper.findRate("TRX", "USD")).rejects.toEqual(refusal);
  });

  it("lasts no longer than the outage", async () => {
    for (const market of markets) sources.setState(market, { fault: "status_500" });
    const keeper = keep({}, quick);
    await expect(keeper.findRate("USDT", "USD")).rejects.toEqual(refusal);
    for (const market of markets) sources.setState(market, { fault: undefined });
    await until("it is back", async () => keeper.verdictOf("USDT").rate !== undefined);
  });

  it("names a Retry-After at which a source of this currency is called again", async () => {
    for (const market of ["bitstamp", "coinbase", "kraken"] as const)
      sources.setState(market, { fault: "status_429" });
    expect(await retryAfterSeconds(keep({}, quick), "USDT")).toBeGreaterThanOrEqual(7);
  });

  it("of TRX priced in USDT names a Retry-After at which a source of USDT is called", async () => {
    const TRX = ["okx", "binance"] as const;
    const config = withSettings(context, { rates: { sources: { TRX } } }).config;
    for (const market of markets) sources.setState(market, { fault: "status_500" });
    const slow: RatePace = { ...quick, fetchEveryMs: 600_000, firstBackoffMs: 5_000, maxBackoffMs: 5_000 };
    expect(await retryAfterSeconds(keep({ config }, slow), "TRX")).toBeLessThanOrEqual(7);
  });

  it("of TRX priced in USDT is the result while USDT has no rate", async () => {
    const TRX = ["okx", "binance"] as const;
    const config = withSettings(context, { rates: { sources: { TRX } } }).config;
    for (const market of markets) sources.setState(market, { fault: "status_500" });
    await expect(keep({ config }).findRate("TRX", "USD")).rejects.toEqual(refusal);
  });
});

describe("the sources", () => {
  it("are polled independently, and a Retry-After is respected", async () => {
    sources.setState("coinbase", { fault: "status_429" });
    keep({}, quick);
    await until("the others go on", async () => (sources.calls.get("bitstamp") ?? 0) >= 5);
    expect(sources.calls.get("coinbase")).toBe(1);
  });

  it("are counted in metrics: the last success, and failures by reason", async () => {
    sources.setState("coinbase", { fault: "html" });
    const counted = { ...context, metrics: createOfflineContext().metrics };
    await settled({ metrics: counted.metrics });
    const text = await counted.metrics.registry.metrics();
    expect(text).toMatch(
      /daric_rate_source_last_success_timestamp_seconds\{source="kraken",currency="USDT"\} \d{10}/,
    );
    expect(text).toContain(
      'daric_rate_source_failures_total{source="coinbase",currency="USDT",reason="not_json"} 1',
    );
    expect(text).toMatch(/daric_rate_age_seconds\{currency="USDT"\} [0-9.]+/);
  });

  it("that lie while the others agree are visible in metrics and readiness", async () => {
    sources.setState("kraken", { prices: { USDT: ["9.9966", "9.9968"], TRX: ["0.3126", "0.3128"] } });
    const { metrics } = createOfflineContext();
    const keeper = await settled({ metrics });
    await until(
      "all answered",
      async () => !keeper.verdictOf("USDT").sources.some(({ verdict }) => verdict === "error"),
    );
    const text = await metrics.registry.metrics();
    for (const [source, used] of [
      ["bitstamp", 1],
      ["coinbase", 1],
      ["kraken", 0],
    ])
      expect(text).toContain(`daric_rate_source_used{source="${source}",currency="USDT"} ${used}`);
    const { detail } = await rateCheck(keeper).check();
    expect(detail).toContain(" USD by bitstamp+coinbase (kraken outlier); TRX ");
  });

  it("are named in readiness, which stays ok without a rate", async () => {
    const check = rateCheck(await settled());
    expect(await check.check()).toEqual({
      ok: true,
      detail: expect.stringMatching(/^USDT 0\.99967 USD by bitstamp\+coinbase\+kraken; TRX 0\.3\d* USD by /),
    });
    for (const market of ["bitstamp", "coinbase"] as const) sources.setState(market, { fault: "status_500" });
    const failing = keep();
    await failing.findRate("USDT", "USD").catch(() => {});
    const { ok, detail } = await rateCheck(failing).check();
    expect(ok).toBe(true);
    expect(detail).toContain(
      "no rate of USDT: 1 of the sources has a fresh price, and it takes 2 (bitstamp error, coinbase error, kraken outlier)",
    );
  });

  it("are closed at once when the process stops, even one that hangs", async () => {
    sources.setState("kraken", { fault: "hang" });
    const keeper = keep();
    await keeper.findRate("USDT", "USD");
    const since = performance.now();
    await keeper.stop();
    expect(performance.now() - since).toBeLessThan(1_000);
  });

  it("are polled while the database is away: USDT needs no stored rate", async () => {
    const offline: TestContext = createOfflineContext({ TRON_NETWORK: "nile" });
    const keeper = keep(offline);
    expect((await keeper.findRate("USDT", "USD")).currency).toBe("USDT");
    await expect(keeper.findRate("TRX", "USD")).rejects.toEqual(refusal);
  });
});

describe("the stored rates", () => {
  it("are the first of each minute and currency, with several processes", async () => {
    await Promise.all([settled(), settled(), settled()]);
    await until("they are kept", async () => (await storedRates()).length >= 2);
    const times = await context.db.query<{ minutes: bigint; rows: bigint; whole: boolean }>(sql`
      select count(distinct minute) as minutes, count(*) as rows,
        bool_and(minute = date_trunc('minute', minute) and fetched_at <= now()) as whole from rates`);
    const [{ minutes, rows, whole }] = times as [(typeof times)[number]];
    // A minute may end between the two writes.
    expect(rows).toBeLessThanOrEqual(2n * minutes);
    expect(whole).toBe(true);
  });

  it("cost two reads per minute and one write per minute and currency", async () => {
    const statements: string[] = [];
    const query: RatesContext["db"]["query"] = (statement) => {
      statements.push(statement.sql.includes("insert into rates") ? "write" : "read");
      return context.db.query(statement);
    };
    const minuteMs = 60_000;
    const clock = createLooseClock();
    const set = (wallMs: number) => {
      clock.wallMs = wallMs;
      for (const timed of ["bitstamp", "okx"] as const) sources.setState(timed, { clockOffMs: wallMs });
    };
    set(minuteMs / 2 - (Date.now() % minuteMs));
    const db = { ...context.db, query, answeringWithin: () => db } as RatesContext["db"];
    await settled({ clock, db }, quick);
    const requested = sources.calls.get("bitstamp") ?? 0;
    await until("they were called", async () => (sources.calls.get("bitstamp") ?? 0) >= requested + 10);
    expect(statements.toSorted()).toEqual(["read", "read", "write", "write"]);
    set(clock.wallMs + minuteMs);
    await until("the next minute is kept", async () => statements.length >= 8);
    expect(statements.slice(4).toSorted()).toEqual(["read", "read", "write", "write"]);
  });

  it("limit TRX to 20 % of the last hour and 50 % of a day ago; other times do not count", async () => {
    const keepRate = (minutes: number, usdE8 = 100_000_000n) =>
      context.owner.query(sql`
      insert into rates (currency, minute, usd_e8, source, fetched_at)
      values ('TRX', now() - ${minutes} * interval '1 minute', ${usdE8}, 'kraken+okx', now())`);
    for (const minutes of [61, 24 * 60 - 1, 25 * 60 + 1]) await keepRate(minutes);
    await (await settled()).findRate("TRX", "USD");
    await context.owner.query(sql`delete from rates`);
    await keepRate(30, 31_000_000n);
    await keepRate(24 * 60 + 30);
    const today = keep();
    await until(
      "the day is known",
      async () => today.verdictOf("TRX").refusal?.includes("a day ago") === true,
    );
    await context.owner.query(sql`delete from rates`);
    await keepRate(59);
    const keeper = keep();
    await expect(keeper.findRate("TRX", "USD")).rejects.toEqual(refusal);
    await until("it is known", async () => keeper.verdictOf("TRX").refusal?.includes("last hour's") === true);
  });
});

it("the devnet has a source of its own, which follows the set rate", async () => {
  const chain = await aDevchain();
  try {
    const devnet = withSettings(context, { chain: { network: "devnet", nodeUrls: [chain.url] } });
    const keeper = keep({ config: devnet.config }, quick);
    expect(await keeper.findRate("USDT", "USD")).toMatchObject({ priceE8: 99_940_000n, source: "devnet" });
    expect(await keeper.findRate("TRX", "USD")).toMatchObject({ priceE8: 31_270_000n, source: "devnet" });
    await chain.control("rates", { usdt: "1.0003" });
    await until("the rate follows", async () => keeper.verdictOf("USDT").rate?.priceE8 === 100_030_000n);
  } finally {
    await chain.stop();
  }
});
