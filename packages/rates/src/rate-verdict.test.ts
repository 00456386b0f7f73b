import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Instant } from "./answer.ts";
import { type Evidence, rateVerdict, type SourceState } from "./rate-verdict.ts";
import type { Priced, SourceName } from "./sources.ts";

const T0 = Date.UTC(2026, 10, 21, 12);
const now: Instant = { wallMs: T0, monotonicMs: 1_000_000 };

/** An answer of a source that states its time, which is the receipt, this long ago. */
function stateOf(source: SourceName, price: bigint, ageMs = 0): SourceState {
  const received = { wallMs: now.wallMs - ageMs, monotonicMs: now.monotonicMs - ageMs };
  return {
    source,
    quotation: "coin/USD",
    answer: { price, trueMs: received.wallMs, isTimed: true, received },
  };
}

/** An answer without a stated time, whose price changed this long ago, if ever. */
function untimed(source: SourceName, price: bigint, changedAgoMs?: number): SourceState {
  const { answer, ...rest } = stateOf(source, price);
  const changedMs = changedAgoMs === undefined ? undefined : now.monotonicMs - changedAgoMs;
  return { ...rest, answer: answer && { ...answer, isTimed: false }, changedMs };
}

const inUsdt = (source: SourceState): SourceState => ({ ...source, quotation: "coin/USDT" });

type Hour = readonly bigint[] | undefined;

function evidence(
  parts: Partial<Record<Priced, readonly SourceState[]>>,
  lastHour: Hour = [],
  dayAgo?: bigint,
): Evidence {
  return {
    now,
    statesOf: (priced) => parts[priced] ?? [],
    keptOf: () => lastHour && { lastHour, dayAgo },
  };
}

const usdtOf = (...sources: SourceState[]) => rateVerdict("USDT", evidence({ USDT: sources }));
const verdictsOf = ({ sources }: ReturnType<typeof rateVerdict>) => sources.map(({ verdict }) => verdict);

describe("the rate of USDT", () => {
  it("is the median of the agreeing sources, with their names in order and the oldest time", () => {
    const result = usdtOf(
      stateOf("kraken", 99_966_000n, 3_000),
      stateOf("coinbase", 99_970_000n, 9_000),
      stateOf("bitstamp", 99_960_000n),
    );
    expect(result.rate).toEqual({
      currency: "USDT",
      fiatCurrency: "USD",
      priceE8: 99_966_000n,
      source: "bitstamp+coinbase+kraken",
      fetchedAt: new Date(T0 - 9_000),
    });
    expect(verdictsOf(result)).toEqual(["used", "used", "used"]);
  });

  it("leaves an outlier out of its price and its source", () => {
    const result = usdtOf(
      stateOf("kraken", 99_960_000n),
      stateOf("coinbase", 999_600_000n),
      stateOf("okx", 99_961_001n),
    );
    expect(result.rate).toMatchObject({ priceE8: 99_960_500n, source: "kraken+okx" });
    expect(verdictsOf(result)).toEqual(["used", "outlier", "used"]);
  });

  it.each([
    [89_999_999n, false],
    [90_000_000n, true],
    [110_000_000n, true],
    [110_000_001n, false],
  ])("at %d from all sources counts: %s", (price, counts) => {
    const { rate, refusal } = usdtOf(stateOf("kraken", price), stateOf("coinbase", price));
    expect(rate !== undefined).toBe(counts);
    if (!counts) expect(refusal).toBe("the price is outside of 0.90 to 1.10");
  });

  it("is missing if two lying sources beyond the band outnumber an honest one", () => {
    const result = usdtOf(
      stateOf("kraken", 999_600_000n),
      stateOf("coinbase", 999_610_000n),
      stateOf("okx", 99_960_000n),
    );
    expect(result.rate).toBeUndefined();
    expect(verdictsOf(result)).toEqual(["outlier", "outlier", "outlier"]);
  });

  it("is missing with one source, with none, and with two that disagree", () => {
    expect(usdtOf(stateOf("kraken", 99_960_000n)).refusal).toBe(
      "1 of the sources has a fresh price, and it takes 2",
    );
    expect(usdtOf().rate).toBeUndefined();
    expect(usdtOf(stateOf("kraken", 99_960_000n), stateOf("okx", 101_000_000n)).refusal).toBe(
      "the sources do not agree",
    );
  });

  it("of the devnet comes from its own source alone, and names it", () => {
    expect(usdtOf(stateOf("devnet", 99_940_000n)).rate?.source).toBe("devnet");
  });
});

describe("an answer", () => {
  const other = stateOf("okx", 99_960_000n);
  const verdictOf = (source: SourceState) => usdtOf(source, other).sources[0];

  it("counts for 60 s and not a millisecond longer", () => {
    expect(verdictOf(stateOf("kraken", 99_960_000n, 60_000))?.verdict).toBe("used");
    expect(verdictOf(stateOf("kraken", 99_960_000n, 60_001))).toMatchObject({
      verdict: "stale",
      ageMs: 60_001,
    });
  });

  it("is as old as the clock with the larger age shows, within the allowed drift", () => {
    const kept = (wallAgo: number, monotonicAgo: number): SourceState => {
      const received = { wallMs: T0 - wallAgo, monotonicMs: now.monotonicMs - monotonicAgo };
      return {
        source: "kraken",
        quotation: "coin/USD",
        answer: { price: 99_960_000n, trueMs: T0 - wallAgo, isTimed: true, received },
      };
    };
    expect(verdictOf(kept(58_000, 59_000))?.verdict).toBe("used");
    expect(verdictOf(kept(58_000, 62_000))).toMatchObject({ verdict: "stale", ageMs: 62_000 });
    expect(verdictOf(kept(62_000, 58_000))).toMatchObject({ verdict: "stale", ageMs: 62_000 });
  });

  it("is as old as its stated time, if that is older than its receipt", () => {
    const { answer } = stateOf("kraken", 99_960_000n, 10_000);
    const stated = answer && { ...answer, trueMs: answer.received.wallMs - 51_000 };
    expect(verdictOf({ source: "kraken", quotation: "coin/USD", answer: stated })).toMatchObject({
      verdict: "stale",
      ageMs: 61_000,
    });
  });

  it("counts while it is fresh after a failure, and then is an error with the failure's reason", () => {
    const failure = "www.example: answered HTTP 500";
    expect(verdictOf({ ...stateOf("kraken", 99_960_000n, 30_000), failure })?.verdict).toBe("used");
    expect(verdictOf({ ...stateOf("kraken", 99_960_000n, 61_000), failure })).toMatchObject({
      verdict: "error",
      why: `older than 60 s: ${failure}`,
    });
    expect(verdictOf({ source: "kraken", quotation: "coin/USD", failure })).toEqual({
      source: "kraken",
      verdict: "error",
      why: failure,
    });
  });

  it.each([
    ["goes back while an old answer is kept", -3_600_000, 90_000],
    ["goes back a little", -6_000, 1_000],
    ["jumps forward", 3_600_000, 1_000],
    ["stands still while time goes on", -90_000, 90_000],
  ])("does not count after the wall clock %s", (_what, setByMs, passedMs) => {
    const received = { wallMs: T0, monotonicMs: 5_000 };
    const answer = { price: 99_960_000n, trueMs: T0, isTimed: true, received };
    const later = { wallMs: T0 + passedMs + setByMs, monotonicMs: 5_000 + passedMs };
    const sources = (["kraken", "okx"] as const).map((source) => ({
      source,
      quotation: "coin/USD" as const,
      answer,
    }));
    const result = rateVerdict("USDT", { ...evidence({ USDT: sources }), now: later });
    expect(result.rate).toBeUndefined();
    expect(result.sources[0]).toMatchObject({
      verdict: "stale",
      why: "this machine's clock was set since",
    });
  });
});

describe("frozen books", () => {
  const frozen = (changedAgoMs?: number) => [
    untimed("coinbase", 100_000_000n, changedAgoMs),
    untimed("kraken", 100_000_000n, changedAgoMs),
  ];
  const refusal =
    "no source of the agreeing ones states its time, and none has changed its price in the last 10 minutes";

  it.each([
    ["never", undefined],
    ["more than 10 minutes ago", 600_001],
  ])("that changed %s give no rate, although they outnumber the right one", (_when, ago) => {
    const result = usdtOf(...frozen(ago), stateOf("bitstamp", 93_000_000n));
    expect([result.rate, result.refusal]).toEqual([undefined, refusal]);
    expect(verdictsOf(result)).toEqual(["outlier", "outlier", "outlier"]);
    expect(usdtOf(...frozen(ago)).refusal).toBe(refusal);
  });

  it("count if one of the group changed within 10 minutes, or states its time", () => {
    expect(usdtOf(...frozen(600_000)).rate?.source).toBe("coinbase+kraken");
    const [coinbase = expect.fail(), kraken = expect.fail()] = frozen();
    expect(usdtOf(coinbase, { ...kraken, changedMs: now.monotonicMs }).rate).toBeDefined();
    expect(usdtOf(coinbase, kraken, stateOf("bitstamp", 100_100_000n)).rate?.source).toBe(
      "bitstamp+coinbase+kraken",
    );
    const TRX = [untimed("bitfinex", 31_000_000n), untimed("kraken", 31_000_000n)];
    expect(rateVerdict("TRX", evidence({ TRX }, [31_000_000n])).refusal).toBe(refusal);
  });

  it("do not matter on the devnet, whose only price is set by hand", () => {
    expect(usdtOf(untimed("devnet", 99_940_000n)).rate?.source).toBe("devnet");
  });
});

describe("the rate of TRX", () => {
  const usdt = [stateOf("kraken", 99_900_000n, 20_000), stateOf("coinbase", 99_900_000n)];
  const usual = 31_000_000n;
  const trxAt = (price: bigint, lastHour: Hour) =>
    rateVerdict("TRX", evidence({ TRX: [stateOf("kraken", price), stateOf("bitfinex", price)] }, lastHour));

  it("converts a price in USDT by the USDT rate, and is as old as that", () => {
    const TRX = [inUsdt(stateOf("okx", 31_000_000n)), stateOf("kraken", 30_969_000n)];
    const { rate } = rateVerdict("TRX", evidence({ TRX, USDT: usdt }, [usual]));
    expect(rate).toEqual({
      currency: "TRX",
      fiatCurrency: "USD",
      priceE8: 30_969_000n,
      source: "kraken+okx",
      fetchedAt: new Date(T0 - 20_000),
    });
  });

  it("ignores prices in USDT without a USDT rate: a USDT is never taken for a dollar", () => {
    const TRX = [inUsdt(stateOf("okx", usual)), inUsdt(stateOf("binance", usual)), stateOf("kraken", usual)];
    const result = rateVerdict("TRX", evidence({ TRX }, [usual]));
    expect(result.rate).toBeUndefined();
    expect(verdictsOf(result)).toEqual(["error", "error", "outlier"]);
  });

  it.each([
    [24_800_000n, true],
    [24_799_999n, false],
    [37_200_000n, true],
    [37_200_001n, false],
  ])("at %d, 20 %% around the last hour's 0.31, counts: %s", (price, counts) => {
    expect(trxAt(price, [usual]).rate !== undefined).toBe(counts);
  });

  it.each([
    [15_500_000n, true],
    [15_499_999n, false],
    [46_500_000n, true],
    [46_500_001n, false],
  ])("at %d, 50 %% around the 0.31 of a day ago, counts: %s, for any last hour", (price, counts) => {
    const TRX = [stateOf("kraken", price), stateOf("bitfinex", price)];
    for (const lastHour of [[price], []]) {
      const result = rateVerdict("TRX", evidence({ TRX }, lastHour, usual));
      expect(result.refusal).toBe(counts ? undefined : "the price is not within 50 % of that of a day ago");
    }
  });

  it("is compared with the median of the last hour, which one odd minute does not move", () => {
    expect(trxAt(usual, [usual, usual, 310_000_000n]).rate).toBeDefined();
    expect(trxAt(310_000_000n, [usual, usual, 310_000_000n]).rate).toBeUndefined();
  });

  it("without one of the last hour needs all sources answered and all fresh prices in agreement", () => {
    expect(trxAt(usual, []).rate).toBeDefined();
    const split = [stateOf("kraken", usual), stateOf("bitfinex", usual), stateOf("coingecko", 40_000_000n)];
    expect(rateVerdict("TRX", evidence({ TRX: split }, [])).refusal).toBe(
      "there is no rate of the last hour, and not all sources agree",
    );
    const early: SourceState[] = [...split.slice(0, 2), { source: "coingecko", quotation: "coin/USD" }];
    expect(rateVerdict("TRX", evidence({ TRX: early }, [])).rate).toBeUndefined();
    expect(rateVerdict("TRX", evidence({ TRX: split }, [usual])).rate?.source).toBe("bitfinex+kraken");
  });

  it("is missing until the last hour is read", () => {
    const TRX = [stateOf("kraken", usual), stateOf("bitfinex", usual)];
    const result = rateVerdict("TRX", { ...evidence({ TRX }), keptOf: () => undefined });
    expect(result.refusal).toBe("the rates of the last hour are not known yet");
  });
});

describe("for any answers and any clock", () => {
  const drift = fc.oneof(
    fc.constant(0),
    fc.integer({ min: -6_000, max: 6_000 }),
    fc.integer({ min: -1e8, max: 1e8 }),
  );
  const age = fc.nat({ max: 70_000 });
  const near = fc.bigInt({ min: 98_000_000n, max: 102_000_000n });
  const price = fc.oneof(near, near, near, fc.bigInt({ min: 1n, max: 10_000_000_000n }));
  const statedAgo = fc.integer({ min: -5_000, max: 60_000 });
  const changedAgo = fc.option(fc.nat({ max: 1_200_000 }), { nil: undefined });
  const answered = fc.record({ price, age, drift, statedAgo, isTimed: fc.boolean(), changedAgo });
  const names: readonly SourceName[] = ["bitstamp", "coinbase", "kraken", "okx", "gemini"];

  it("a rate has at least two fresh sources within 1 % and the band, and at least one of them moves", () => {
    let rates = 0;
    fc.assert(
      fc.property(fc.array(answered, { maxLength: names.length }), (given) => {
        const USDT = given.map(
          (
            { price: text, age: ageMs, drift: driftMs, statedAgo, isTimed, changedAgo },
            index,
          ): SourceState => {
            const received = { wallMs: now.wallMs - ageMs - driftMs, monotonicMs: now.monotonicMs - ageMs };
            const trueMs = Math.min(received.wallMs - statedAgo, received.wallMs);
            return {
              source: names[index] ?? "kraken",
              quotation: "coin/USD",
              answer: { price: text, trueMs, isTimed, received },
              changedMs: changedAgo === undefined ? undefined : now.monotonicMs - changedAgo,
            };
          },
        );
        const { rate, sources } = rateVerdict("USDT", evidence({ USDT }));
        if (rate === undefined) return;
        rates += 1;
        const members = USDT.filter((_each, index) => sources[index]?.verdict === "used");
        const isMoving = ({ answer, changedMs = -Infinity }: SourceState) =>
          answer?.isTimed === true || now.monotonicMs - changedMs <= 600_000;
        expect(members.some(isMoving)).toBe(true);
        const used = members.flatMap(({ answer }) => answer ?? []);
        expect(used.length).toBeGreaterThanOrEqual(2);
        for (const { received, trueMs } of used) {
          const set = now.wallMs - received.wallMs - (now.monotonicMs - received.monotonicMs);
          expect(now.wallMs - trueMs).toBeLessThanOrEqual(60_000);
          expect(now.monotonicMs - received.monotonicMs).toBeLessThanOrEqual(60_000);
          expect(Math.abs(set)).toBeLessThanOrEqual(5_000);
          expect(trueMs).toBeGreaterThanOrEqual(rate.fetchedAt.getTime());
        }
        const text = used
          .map((source) => source.price)
          .toSorted((source, right) => (source < right ? -1 : 1));
        expect((text.at(-1) ?? 0n) * 100n <= (text[0] ?? 0n) * 101n).toBe(true);
        expect(rate.priceE8 >= (text[0] ?? 0n) && rate.priceE8 <= (text.at(-1) ?? 0n)).toBe(true);
        expect(rate.priceE8 >= 90_000_000n && rate.priceE8 <= 110_000_000n).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(rates).toBeGreaterThan(20);
  });
});
