import { AnswerError } from "@daric/chain/blocks/read-json";
import { formatPrice } from "@daric/domain/money";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { medianOf, readMiddle, readPrice } from "./price.ts";

const prices = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });

describe("a price", () => {
  it("is read digit for digit, and formatted the same", () => {
    fc.assert(
      fc.property(prices, (usdE8) => {
        expect(readPrice(formatPrice(usdE8), "it")).toBe(usdE8);
      }),
    );
  });

  it("is cut off at 10^-8, never rounded up and never through a float", () => {
    expect(readPrice("0.99999999999999999999", "it")).toBe(99_999_999n);
    expect(readPrice("67187.3358936566", "it")).toBe(6_718_733_589_365n);
    expect(readPrice("0.1000000149", "it")).toBe(10_000_001n);
  });

  it.each([
    ["zero", "0"],
    ["zero with decimals", "0.00"],
    ["one that is nothing at 10^-8", "0.000000009"],
    ["a sign", "-1.0"],
    ["a plus", "+1.0"],
    ["an exponent", "1e-8"],
    ["a comma", "1,01"],
    ["a blank", " 1.0"],
    ["no digit before the point", ".5"],
    ["no digit behind the point", "1."],
    ["a leading zero", "01.0"],
    ["a million", "1000000"],
    ["NaN", "NaN"],
    ["Infinity", "Infinity"],
    ["nothing", ""],
    ["hex", "0x1"],
    ["digits of another script", "١.٠"],
    ["null", null],
    ["a number that was a float already", 1.01],
    ["a list", ["1.0"]],
  ])("is refused if it is %s", (_what, value) => {
    expect(() => readPrice(value, "it")).toThrow(AnswerError);
  });
});

describe("the middle of a book", () => {
  it("lies between bid and ask", () => {
    fc.assert(
      fc.property(
        prices.map((price) => price / 2n + 1n),
        fc.bigInt({ min: 0n, max: 100n }),
        (bid, share) => {
          const ask = bid + (bid * share) / 10_000n;
          const middle = readMiddle(formatPrice(bid), formatPrice(ask));
          expect(middle >= bid && middle <= ask).toBe(true);
        },
      ),
    );
    expect(readMiddle("0.99966000", "0.99967000")).toBe(99_966_500n);
  });

  it("is refused if the bid is above the ask", () => {
    expect(() => readMiddle("0.9997", "0.9996")).toThrow("the bid is above the ask");
  });

  it("is refused if bid and ask are more than 1 % apart", () => {
    expect(readMiddle("1.00", "1.01")).toBe(100_500_000n);
    expect(() => readMiddle("1.00", "1.01000001")).toThrow("too far apart");
  });
});

describe("the median", () => {
  it("of an odd number is the middle one, of an even number the mean of the middle two, cut off", () => {
    expect(medianOf([3n, 1n, 2n])).toBe(2n);
    expect(medianOf([4n, 1n, 2n, 3n])).toBe(2n);
    expect(medianOf([10n, 20n])).toBe(15n);
    expect(() => medianOf([])).toThrow(RangeError);
  });

  it("does not depend on the order, and has as many above as below", () => {
    fc.assert(
      fc.property(fc.array(prices, { minLength: 1, maxLength: 9 }), (given) => {
        const median = medianOf(given);
        expect(medianOf(given.toReversed())).toBe(median);
        expect(given.filter((price) => price <= median).length * 2).toBeGreaterThanOrEqual(given.length);
        expect(given.filter((price) => price >= median).length * 2).toBeGreaterThanOrEqual(given.length);
      }),
    );
  });
});
