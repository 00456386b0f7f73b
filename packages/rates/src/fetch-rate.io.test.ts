import { NodeError } from "@daric/chain/blocks/node-error";
import { assets, type Currency, currencies, perCurrency } from "@daric/domain/asset";
import type { MarketName } from "@daric/domain/market";
import { type Clock, systemClock } from "@daric/runtime/clock";
import { type RateSources, type SourceFault, startRateSources } from "@daric/testing/rate-sources";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SourceAnswer } from "./answer.ts";
import { fetchRate } from "./fetch-rate.ts";
import { openSource } from "./source-host.ts";
import { pairOf, sourcesFor } from "./sources.ts";

let sources: RateSources;
beforeEach(async () => {
  sources = await startRateSources();
});
afterEach(() => sources.stop());

type RequestOptions = { currency?: Currency; clock?: Clock };

async function fetchFrom(
  name: MarketName,
  { currency = "USDT", clock = systemClock }: RequestOptions = {},
): Promise<SourceAnswer> {
  const pair = pairOf(name, currency);
  if (pair === undefined) throw new Error(`${name} has no price of ${currency}`);
  const config = { chain: { network: "mainnet" as const, nodeUrls: [] }, rates: { sources: {} } };
  const host = openSource({ config, clock, rateAddresses: sources.addresses }, name);
  return fetchRate(host, { pair, clock });
}

const faultOf = async (name: MarketName, options?: RequestOptions) =>
  fetchFrom(name, options).then(
    (answer) => ({ answer }),
    (error) => (error instanceof NodeError ? error.fault : error),
  );

const offered = currencies.flatMap((currency) =>
  sourcesFor(currency).flatMap((name) => (name === "devnet" ? [] : { name, currency })),
);

describe("every source", () => {
  it.each(offered)(
    "$name is called for $currency with a user agent, and its answer is read",
    async ({ name, currency }) => {
      const before = Date.now();
      const { price, trueMs, received } = await fetchFrom(name, { currency });
      const [low, high] = assets[currency].isPegged ? [99_966_000n, 99_968_000n] : [31_260_000n, 31_280_000n];
      expect(price >= low && price <= high).toBe(true);
      expect(received.wallMs).toBeGreaterThanOrEqual(before);
      expect(trueMs).toBeLessThanOrEqual(received.wallMs);
      expect(trueMs).toBeGreaterThan(before - 1_001);
      expect([...sources.callers]).toEqual(["daric"]);
    },
  );

  it.each<[SourceFault, string]>([
    ["status_500", "http_status"],
    ["status_429", "rate_limited"],
    ["redirect", "http_status"],
    ["html", "not_json"],
    ["truncated", "unreachable"],
    ["endless", "too_large"],
    ["no_price", "unexpected_answer"],
  ])("that answers with %s has the fault %s", async (fault, expected) => {
    for (const { name, currency } of offered) {
      sources.setState(name, { fault });
      // An unquoted NaN is invalid JSON.
      const asNumber = fault === "no_price" && (name === "bitfinex" || name === "coingecko");
      expect([name, await faultOf(name, { currency })]).toEqual([name, asNumber ? "not_json" : expected]);
    }
  });

  it("that refuses with status 200 is an error, and a rate limit is recognised", async () => {
    for (const { name } of offered) {
      sources.setState(name, { fault: "refused" });
      const isLimit = name === "kraken" || name === "coingecko";
      expect([name, await faultOf(name)]).toEqual([name, isLimit ? "rate_limited" : "node_error"]);
    }
  });

  it.each(["kraken", "okx", "bitfinex", "binance", "coingecko"] as const)(
    "such as %s that answers for another pair is refused",
    async (name) => {
      sources.setState(name, { fault: "wrong_pair" });
      expect(await faultOf(name)).toBe("unexpected_answer");
    },
  );

  it.each<[string, readonly [string, string]]>([
    ["zero", ["0", "0"]],
    ["zero with decimals", ["0.0000", "0.0000"]],
    ["negative", ["-0.9996", "-0.9995"]],
    ["absurd", ["9996000", "9997000"]],
    ["with an exponent", ["9996e-4", "9997e-4"]],
  ])("whose price is %s is refused", async (_what, book) => {
    for (const { name, currency } of offered) {
      sources.setState(name, { prices: perCurrency(() => book) });
      expect([name, await faultOf(name, { currency })]).toEqual([name, "unexpected_answer"]);
    }
  });

  it("whose bid is above its ask is refused", async () => {
    for (const name of ["kraken", "coinbase", "bitstamp", "okx", "bitfinex", "gemini"] as const) {
      sources.setState(name, { prices: { USDT: ["0.9998", "0.9996"] } });
      expect(await faultOf(name)).toBe("unexpected_answer");
    }
  });
});

describe("time", () => {
  it("is the stated time of the answer, or else the time of its last byte", async () => {
    const late: Clock = { now: () => new Date(Date.now() + 45_000), monotonicMs: systemClock.monotonicMs };
    const ageOf = async (name: MarketName) => {
      const { received, trueMs } = await fetchFrom(name, { clock: late });
      return Math.round((received.wallMs - trueMs) / 5_000) * 5;
    };
    expect(await ageOf("bitstamp")).toBe(45);
    expect(await ageOf("okx")).toBe(45);
    expect(await ageOf("coingecko")).toBe(45);
    expect(await ageOf("coinbase")).toBe(45);
    for (const name of ["kraken", "bitfinex", "binance"] as const) expect(await ageOf(name)).toBe(0);
  });

  const ageOfCached = async (name: MarketName, age: string) => {
    sources.setState(name, { age });
    const { received, trueMs } = await fetchFrom(name);
    return Math.round((received.wallMs - trueMs) / 5_000) * 5;
  };

  it("of a cached answer is at most the receipt less the cache's age", async () => {
    for (const name of ["kraken", "coinbase", "bitfinex", "binance", "bitstamp", "okx", "gemini"] as const)
      expect([name, await ageOfCached(name, "45")]).toEqual([name, 45]);
    sources.setState("okx", { clockOffMs: -90_000 });
    expect(await ageOfCached("okx", "45")).toBe(90);
  });

  it("of an answer with two cache ages follows the first, and an invalid age is ignored", async () => {
    expect(await ageOfCached("kraken", "45, 0")).toBe(45);
    for (const age of ["-45", "45.5", "old", ""]) expect(await ageOfCached("kraken", age)).toBe(0);
    expect(await ageOfCached("kraken", "99999999999")).toBeGreaterThan(86_400);
  });

  it("ahead of this machine's clock is refused, beyond a small difference", async () => {
    for (const name of ["bitstamp", "okx", "coingecko", "gemini"] as const) {
      sources.setState(name, { clockOffMs: 3_600_000 });
      expect([name, await faultOf(name)]).toEqual([name, "ahead_of_clock"]);
      sources.setState(name, { clockOffMs: 5_000 });
      const { trueMs, received } = await fetchFrom(name);
      expect(trueMs).toBeLessThanOrEqual(received.wallMs);
    }
  });
});

it.each(["hang", "drip"] as const)(
  "a source that answers with %s times out after 5 s in all",
  async (fault) => {
    sources.setState("kraken", { fault });
    const since = performance.now();
    expect(await faultOf("kraken")).toBe("timeout");
    expect(performance.now() - since).toBeGreaterThan(4_900);
  },
  30_000,
);

it("a source's Retry-After is passed on", async () => {
  sources.setState("kraken", { fault: "status_429" });
  await expect(fetchFrom("kraken")).rejects.toMatchObject({ retryAfterMs: 7_000 });
});
