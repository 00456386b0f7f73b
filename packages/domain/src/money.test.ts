import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Amount,
  add,
  amountFromUnits,
  amountIn,
  formatAmount,
  formatRate,
  grossUpRoundedUp,
  larger,
  parseAmount,
  shareRoundedDown,
  smaller,
  subtract,
  zero,
} from "./money.ts";
import { priceForClient } from "./order.ts";

const MAX_UNITS = 999_999_999_999_999_999n;
const anAmount = fc.bigInt({ min: 0n, max: MAX_UNITS }).map(amountFromUnits);
const someBasisPoints = fc.integer({ min: 0, max: 9_999 });

describe("reading a decimal", () => {
  it.each([
    ["0", 0n],
    ["0.000001", 1n],
    ["1", 1_000_000n],
    ["25.5", 25_500_000n],
    ["25.50", 25_500_000n],
    ["25.5000000", 25_500_000n],
    ["0.000001000000000000", 1n],
    ["3.000000000000000000", 3_000_000n],
    [`25.5${"0".repeat(50)}`, 25_500_000n],
    ["999999999999.999999", MAX_UNITS],
  ])("%s is %s units", (text, units) => {
    expect(parseAmount(text)).toBe(units);
  });

  it.each([
    ["a sign", ["+1", "-1", "-0", "−1"]],
    ["an exponent", ["1e3", "1E3", "1e-3"]],
    ["a blank", ["", " ", " 1", "1 ", "1\n", "\t1", "1 000"]],
    ["a leading zero", ["01", "00", "00.1"]],
    ["a missing side of the point", [".5", "5.", "."]],
    ["a seventh significant decimal", ["1.0000001", "0.00000010", "1.0000001000"]],
    ["more than 51 digits behind the point", [`0.${"0".repeat(52)}`, `1.5${"0".repeat(51)}`]],
    ["a thirteenth digit", ["1000000000000", "9999999999999.1"]],
    ["a separator", ["1,5", "1,000", "1_000", "1.000.000", "1'000"]],
    ["another base or a word", ["0x10", "0b1", "NaN", "Infinity", "null", "one"]],
    ["digits that are not ASCII", ["１", "٣", "१", "1٫5", "²", "1.５"]],
  ])("refuses %s", (_rule, texts) => {
    for (const text of texts) expect(parseAmount(text), JSON.stringify(text)).toBeUndefined();
  });

  it("accepts only the canonical form and trailing zeros, for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.+\-e ]{0,20}$/)), (text) => {
        const amount = parseAmount(text);
        if (amount === undefined) return;
        const withoutTrailingZeros = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
        expect(formatAmount(amount)).toBe(withoutTrailingZeros);
      }),
    );
  });
});

describe("writing a decimal", () => {
  it.each([
    [25_500_000n, "25.5"],
    [1n, "0.000001"],
    [100_000_000n, "100"],
    [0n, "0"],
    [-1n, "-0.000001"],
    [-25_500_000n, "-25.5"],
  ])("%s units are %s", (units, text) => {
    expect(formatAmount(amountFromUnits(units))).toBe(text);
  });

  it("is the inverse of reading for every amount", () => {
    fc.assert(
      fc.property(anAmount, (amount) => {
        expect(parseAmount(formatAmount(amount))).toBe(amount);
      }),
    );
  });

  it("gives a rate at most ten decimals", () => {
    expect(formatRate(10_002_000_000n)).toBe("1.0002");
    expect(formatRate(10_000_000_000n)).toBe("1");
    expect(formatRate(35_100_000_000n)).toBe("3.51");
  });
});

describe("arithmetic", () => {
  it("a sum less one summand is the other summand", () => {
    fc.assert(
      fc.property(anAmount, anAmount, (a, b) => {
        expect(subtract(add(a, b), b)).toBe(a);
        expect(add(smaller(a, b), larger(a, b))).toBe(add(a, b));
      }),
    );
  });

  it("a share and the rest add up to the whole, and the share is rounded down", () => {
    fc.assert(
      fc.property(anAmount, someBasisPoints, (amount, basisPoints) => {
        const share = shareRoundedDown(amount, basisPoints);
        expect(share * 10_000n <= amount * BigInt(basisPoints)).toBe(true);
        expect((share + 1n) * 10_000n > amount * BigInt(basisPoints)).toBe(true);
      }),
    );
  });

  it("a gross-up leaves at least the net, and one unit less would not", () => {
    fc.assert(
      fc.property(anAmount, someBasisPoints, (net, basisPoints) => {
        const gross = grossUpRoundedUp(net, basisPoints);
        const leaves = (amount: bigint) => amount * BigInt(10_000 - basisPoints) >= net * 10_000n;
        expect(leaves(gross)).toBe(true);
        if (gross > 0n) expect(leaves(gross - 1n)).toBe(false);
      }),
    );
  });
});

describe("currencies", () => {
  const usdt = amountIn("USDT", 2n);
  const trx = amountIn("TRX", 1n);

  it("do not mix if both are known", () => {
    // @ts-expect-error TRX cannot be subtracted from USDT
    expect(subtract(usdt, trx)).toBe(1n);
    // @ts-expect-error nor added to it
    expect(add(usdt, trx)).toBe(3n);
    // @ts-expect-error nor compared with it
    expect(smaller(trx, usdt)).toBe(1n);
    // @ts-expect-error an amount of TRX is not one of USDT
    const wrong: Amount<"USDT"> = trx;
    // @ts-expect-error an amount of unknown currency is not one of USDT
    const unknown: Amount<"USDT"> = amountFromUnits(1n);
    // @ts-expect-error a number is not an amount
    const bare: Amount = 1n;
    expect([wrong, unknown, bare]).toEqual([1n, 1n, 1n]);
  });

  it("share one zero", () => {
    expect(add(usdt, zero)).toBe(usdt);
    expect(larger(trx, zero)).toBe(trx);
  });

  it("are the same for a fee and its price", () => {
    // @ts-expect-error a fee in TRX does not belong to a price in USDT
    expect(priceForClient(usdt, { basisPoints: 0, fixed: trx })).toBe(3n);
  });
});
