import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fiatCurrencies, localCurrencies, unitOf } from "./fiat.ts";
import { amountFromUnits, formatAmount, formatRate, parseAmount, parseRate, zero } from "./money.ts";
import {
  applicableQuote,
  type FiatPrice,
  fiatCovering,
  GRACE_AFTER_QUOTE_MS,
  type OfferedQuote,
  offerInFiat,
  priceInFiat,
  QUOTE_LOCK_MS,
  quoteRateRoundedUp,
} from "./quote.ts";

const byMerchant = { feeMode: "merchant", fee: { basisPoints: 0, fixed: zero } } as const;
/** from 0.0001 to 100,000 USD per unit */
const aUsdE8 = fc.bigInt({ min: 10_000n, max: 10n ** 13n });
const someCents = fc.bigInt({ min: 1n, max: 10n ** 9n });

const E4 = 1_000_000n;

function dollars(cents: bigint): FiatPrice {
  return inUsd(`${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`);
}

function inUsd(fiatAmount: string): FiatPrice {
  return { fiatCurrency: "USD", fiatAmount };
}

describe("the rate of a quote", () => {
  it.each([
    { usdE8: 100_000_000n, rate: "1" },
    { usdE8: 99_970_000n, rate: "1.0004" },
    { usdE8: 99_999_999n, rate: "1.0001" },
    { usdE8: 100_000_001n, rate: "1" },
    { usdE8: 25_000_000n, rate: "4" },
    { usdE8: 28_000_000n, rate: "3.5715" },
  ])("for $usdE8 × 10^-8 USD per unit is $rate", ({ usdE8, rate }) => {
    expect(formatRate(quoteRateRoundedUp(usdE8, "USD"))).toBe(rate);
  });

  it("is the smallest with 4 decimals that buys at least 1 USD", () => {
    fc.assert(
      fc.property(aUsdE8, (usdE8) => {
        const rateE4 = quoteRateRoundedUp(usdE8, "USD") / E4;
        expect(rateE4 * usdE8).toBeGreaterThanOrEqual(10n ** 12n);
        expect((rateE4 - 1n) * usdE8).toBeLessThan(10n ** 12n);
      }),
    );
  });
});

describe("the price of a fiat amount", () => {
  it("is the amount times the rate, exact to the last unit", () => {
    fc.assert(
      fc.property(someCents, aUsdE8, (cents, usdE8) => {
        const price = priceInFiat(dollars(cents), usdE8, byMerchant) ?? expect.fail();
        expect(price.expected * E4).toBe(cents * price.rateE10);
        expect(price.pay).toBeNull();
        // The merchant gets its price at the fetched rate.
        expect(price.expected * usdE8).toBeGreaterThanOrEqual(cents * 10n ** 12n);
      }),
    );
  });

  it("includes the payer's fee, rounded up", () => {
    const fee = { basisPoints: 100, fixed: amountFromUnits(500_000n) };
    const price = offerInFiat(inUsd("24.90"), 99_970_000n, { feeMode: "client", fee });
    // 24.9 × 1.0004 = 24.90996; (24.90996 + 0.5) / 0.99 = 25.666626…
    expect([formatAmount(price.expected), price.pay && formatAmount(price.pay)]).toEqual([
      "24.90996",
      "25.666627",
    ]);
  });

  it("of one cent is above zero at any rate", () => {
    expect(priceInFiat(inUsd("0.01"), 99_970_000n, byMerchant)?.expected).toBe(10_004n);
    expect(priceInFiat(inUsd("0.01"), 10n ** 15n, byMerchant)?.expected).toBe(1n);
  });

  it("has at most 12 digits before the point, the payer's fee included", () => {
    const largest = inUsd("999999999999.99");
    expect(priceInFiat(largest, 100_000_000n, byMerchant)?.expected).toBe(999_999_999_999_990_000n);
    expect(priceInFiat(largest, 99_999_999n, byMerchant)).toBeUndefined();
    const fee = { basisPoints: 1, fixed: zero };
    expect(priceInFiat(largest, 100_000_000n, { feeMode: "client", fee })).toBeUndefined();
    expect(() => offerInFiat(largest, 99_999_999n, byMerchant)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        details: [{ path: "amount", message: expect.stringContaining("12 digits") }],
      }),
    );
  });

  it("has no meaning in zeros behind its decimals", () => {
    const priceOf = (fiatAmount: string) => priceInFiat(inUsd(fiatAmount), 99_970_000n, byMerchant);
    expect(priceOf("19.9900")).toEqual(priceOf("19.99"));
  });
});

describe("the price in a currency other than USD", () => {
  /** units of the currency for 1 USDT or 1 TRX: from a hundredth to 200,000 */
  const aPriceE8 = fc.bigInt({ min: 10n ** 6n, max: 2n * 10n ** 13n });

  it.each(localCurrencies)(
    "in %s is never below the consensus price, and above it by at most 0.01 %% or a millionth",
    (currency) => {
      const unit = unitOf(currency);
      fc.assert(
        fc.property(fc.bigInt({ min: 1n, max: 10n ** 11n }), aPriceE8, (count, priceE8) => {
          const fiatAmount = formatAmount(amountFromUnits(count * unit));
          const price = priceInFiat({ fiatCurrency: currency, fiatAmount }, priceE8, byMerchant);
          if (price === undefined) return;
          // In 10^-6 of the coin, times `priceE8`.
          const [exact, asked] = [count * unit * 10n ** 8n, price.expected * priceE8];
          expect(asked).toBeGreaterThanOrEqual(exact);
          const [share, millionth] = [exact / 10_000n, priceE8];
          expect(asked - exact).toBeLessThanOrEqual(share > millionth ? share : millionth);
        }),
      );
    },
  );

  it.each([
    ["JPY", "1", 15_637_000_000n, "0.0063950886", "0.006396"],
    ["NGN", "100", 144_790_000_000n, "0.0006906555", "0.069066"],
    ["EUR", "19.99", 86_130_000n, "1.1610356438", "23.209103"],
    ["EUR", "19.9900", 86_130_000n, "1.1610356438", "23.209103"],
    ["LBP", "0.01", 8_957_100_000_000n, "0.0000111644", "0.000001"],
  ] as const)(
    "%s %s at %d × 10^-8 is the amount times the rate, rounded up",
    (fiatCurrency, fiatAmount, priceE8, rate, amount) => {
      const price = priceInFiat({ fiatCurrency, fiatAmount }, priceE8, byMerchant) ?? expect.fail();
      expect([formatRate(price.rateE10), formatAmount(price.expected)]).toEqual([rate, amount]);
      expect(parseRate(rate)).toBe(price.rateE10);
    },
  );

  it("is the least amount of the currency that covers what is missing of the coin", () => {
    const worth = (amount: bigint, rate: string, currency: "EUR" | "JPY" | "USD") =>
      fiatCovering(amountFromUnits(amount), rate, currency);
    expect(worth(23_209_104n, "1.1610356438", "EUR")).toBe("20");
    expect(worth(23_209_103n, "1.1610356438", "EUR")).toBe("19.99");
    expect(worth(6_397n, "0.0063950886", "JPY")).toBe("2");
    expect(worth(6_396n, "0.0063950886", "JPY")).toBe("1");
    expect(worth(10_005n, "1.0004", "USD")).toBe("0.02");
    expect(worth(10_004n, "1.0004", "USD")).toBe("0.01");
  });

  it.each(fiatCurrencies)("covers the price of each amount in %s by that amount", (currency) => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 11n }), aPriceE8, (count, priceE8) => {
        const fiatAmount = formatAmount(amountFromUnits(count * unitOf(currency)));
        const price = priceInFiat({ fiatCurrency: currency, fiatAmount }, priceE8, byMerchant);
        if (price === undefined) return;
        const covering = fiatCovering(price.expected, formatRate(price.rateE10), currency);
        const again = priceInFiat({ fiatCurrency: currency, fiatAmount: covering }, priceE8, byMerchant);
        expect(again?.expected).toBe(price.expected);
        expect((parseAmount(covering) ?? 0n) <= count * unitOf(currency)).toBe(true);
      }),
    );
  });
});

describe("the applicable quote", () => {
  const start = new Date("2026-11-20T10:00:00Z").getTime();
  const at = (ms: number) => new Date(start + ms);
  const quote = (rateE10: bigint, lockedMs: number, chainMs?: number): OfferedQuote => ({
    rateE10,
    lockedAt: at(lockedMs),
    expiresAt: at(lockedMs + QUOTE_LOCK_MS),
    chainTime: chainMs === undefined ? null : at(chainMs),
  });
  /** Whether a later, lower quote applies at these times; the first quote is from long ago. */
  const applicable = (later: OfferedQuote, times: readonly number[]) =>
    times.map((ms) => applicableQuote([quote(20_000n, -10 * QUOTE_LOCK_MS), later], at(ms)) === later);

  it("applies from its lock until 15 minutes after its end", () => {
    const end = QUOTE_LOCK_MS + GRACE_AFTER_QUOTE_MS;
    expect(applicable(quote(10_000n, 0), [-1, 0, QUOTE_LOCK_MS, end, end + 1])).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it("is the first one for all earlier blocks: before it the address did not exist", () => {
    const first = quote(10_000n, 0);
    expect(applicableQuote([first, quote(9_000n, QUOTE_LOCK_MS)], at(-3_600_000))).toBe(first);
  });

  it("applies from the newest block scanned at its lock, at most a minute before the lock", () => {
    expect(applicable(quote(10_000n, 0, -2_500), [-2_501, -2_500])).toEqual([false, true]);
    expect(applicable(quote(10_000n, 0, -3_600_000), [-60_001, -60_000])).toEqual([false, true]);
  });

  it("applies longer by the time that the chain was ahead at its lock", () => {
    const end = 3_600_000 + QUOTE_LOCK_MS + GRACE_AFTER_QUOTE_MS;
    expect(applicable(quote(10_000n, 0, 3_600_000), [-1, 0, end, end + 1])).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("is the valid quote with the lowest due", () => {
    const [high, low, later] = [
      quote(10_010n, 0),
      quote(10_001n, QUOTE_LOCK_MS),
      quote(10_005n, 2 * QUOTE_LOCK_MS),
    ];
    const quotes = [high, low, later];
    expect(applicableQuote(quotes, at(1))).toBe(high);
    expect(applicableQuote(quotes, at(QUOTE_LOCK_MS))).toBe(low);
    expect(applicableQuote(quotes, at(2 * QUOTE_LOCK_MS + 1))).toBe(low);
    expect(applicableQuote(quotes, at(2 * QUOTE_LOCK_MS + GRACE_AFTER_QUOTE_MS + 1))).toBe(later);
  });

  it("is valid and has the lowest rate of all valid ones, for any quotes", () => {
    const someQuotes = fc.array(
      fc.tuple(fc.bigInt({ min: 1n, max: 20n }), fc.integer({ min: 0, max: 4_000_000 })),
    );
    fc.assert(
      fc.property(someQuotes, fc.integer({ min: 0, max: 6_000_000 }), (offered, ms) => {
        const quotes = offered.map(([rateE10, lockedMs]) => quote(rateE10, lockedMs));
        const applicableTo = applicableQuote(quotes, at(ms));
        const holding = quotes.filter(
          ({ lockedAt, expiresAt }, index) =>
            (index === 0 || lockedAt <= at(ms)) && at(ms - GRACE_AFTER_QUOTE_MS) <= expiresAt,
        );
        expect(applicableTo === undefined).toBe(holding.length === 0);
        if (applicableTo === undefined) return;
        expect(holding).toContain(applicableTo);
        expect(holding.every(({ rateE10 }) => rateE10 >= applicableTo.rateE10)).toBe(true);
      }),
    );
  });
});
