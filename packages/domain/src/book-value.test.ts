import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencies } from "./asset.ts";
import { bookRate, bookValue, formatBookAmount } from "./book-value.ts";
import { fiatCurrencies, fiats, localCurrencies } from "./fiat.ts";
import { amountFromUnits, parseAmount } from "./money.ts";
import type { Rate } from "./rate.ts";

const minute = (n: number) => new Date(Date.UTC(2026, 10, 3, 12, n));

const aRate = (over: Partial<Rate> = {}): Rate => ({
  ...{ currency: "TRX", fiatCurrency: "USD", priceE8: 30_000_000n },
  ...{ source: "kraken", fetchedAt: minute(0), ...over },
});

const worthOf = (decimal: string, rate: Partial<Rate>) =>
  formatBookAmount(bookValue(parseAmount(decimal) ?? expect.fail(decimal), aRate(rate)));

const units = fc.bigInt(0n, 10n ** 18n).map(amountFromUnits);
const rates = fc.record({
  fiatCurrency: fc.constantFrom(...fiatCurrencies),
  priceE8: fc.bigInt(1n, 10n ** 14n),
});

describe("the value of money in the currency of books", () => {
  it.each([
    ["0.1", { priceE8: 5_000_000n }, "0.01"],
    ["0.1", { priceE8: 4_999_999n }, "0.00"],
    ["1666.7", { priceE8: 30_000_000n }, "500.01"],
    ["3", { fiatCurrency: "JPY", priceE8: 15_050_000_000n }, "452"],
    ["0.003", { fiatCurrency: "JPY", priceE8: 15_050_000_000n }, "0"],
  ] as const)("of %s at %o is %s: half of the smallest unit counts as a whole one", (amount, rate, value) => {
    expect(worthOf(amount, rate)).toBe(value);
  });

  it("is nearest to units times rate in the decimals of ISO 4217", () => {
    fc.assert(
      fc.property(units, rates, (money, over) => {
        const { amount } = bookValue(money, aRate(over));
        const step = 10n ** BigInt(14 - fiats[over.fiatCurrency].decimals);
        const excess = amount * step - money * over.priceE8;
        expect(2n * excess).toBeGreaterThan(-step);
        expect(2n * excess).toBeLessThanOrEqual(step);
      }),
    );
  });

  it("of less money is the value with a minus", () => {
    fc.assert(
      fc.property(units, rates, (money, over) => {
        const { amount } = bookValue(money, aRate(over));
        expect(bookValue(amountFromUnits(-money), aRate(over)).amount).toBe(-amount);
      }),
    );
  });

  it("is written with all decimals of its currency", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fiatCurrencies), fc.bigInt(), (currency, amount) => {
        const text = formatBookAmount({ currency, amount });
        expect(text).toMatch(fiats[currency].decimals === 0 ? /^-?\d+$/ : /^-?\d+\.\d\d$/);
        expect(BigInt(text.replace(".", ""))).toBe(amount);
      }),
    );
  });
});

describe("the rate of books", () => {
  const coin = aRate({ source: "kraken+okx", fetchedAt: minute(2) });
  const local = aRate({
    ...{ currency: "USDT", fiatCurrency: "EUR", priceE8: 90_000_000n },
    ...{ source: "coinbase+kraken", fetchedAt: minute(1) },
  });
  const tether = aRate({ currency: "USDT", priceE8: 99_900_000n, source: "bitstamp", fetchedAt: minute(3) });

  it("in dollars is the coin's", () => {
    expect(bookRate("TRX", "USD", { coin, local: undefined, tether: undefined })).toEqual(coin);
    expect(bookRate("USDT", "USD", { coin: tether, local: undefined, tether })).toEqual(tether);
  });

  it("of USDT in another currency is the currency's", () => {
    expect(bookRate("USDT", "EUR", { coin: undefined, local, tether: undefined })).toEqual(local);
  });

  it("of another coin goes through USDT, with all sources and the oldest minute", () => {
    expect(bookRate("TRX", "EUR", { coin, local, tether })).toEqual({
      ...{ currency: "TRX", fiatCurrency: "EUR", priceE8: 27_027_027n },
      ...{ source: "bitstamp+coinbase+kraken+okx", fetchedAt: minute(1) },
    });
  });

  it("is unknown without one of its parts", () => {
    const parts = fc.record({
      coin: fc.constantFrom(coin, undefined),
      local: fc.constantFrom(local, undefined),
      tether: fc.constantFrom(tether, undefined),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.constantFrom("USD", ...localCurrencies),
        parts,
        (code, book, of) => {
          const needed =
            book === "USD" ? [of.coin] : code === "USDT" ? [of.local] : [of.coin, of.local, of.tether];
          expect(bookRate(code, book, of) === undefined).toBe(needed.includes(undefined));
        },
      ),
    );
  });
});
