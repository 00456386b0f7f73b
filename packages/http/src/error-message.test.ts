import { parseAmount } from "@daric/domain/money";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultOfAmount, faultOfCurrency, faultOfNumber } from "./error-message.ts";

describe("the error for a malformed amount names its fault", () => {
  it.each([
    ["25,5", /comma/],
    ["1,000.50", /comma/],
    ["1e3", /exponent/],
    ["1.5E-7", /exponent/],
    ["-1", /sign/],
    ["+1", /sign/],
    [" 1", /blanks/],
    ["1\n", /blanks/],
    ["", /empty/],
    [".5", /both sides/],
    ["5.", /both sides/],
    ["01", /zero/],
    ["1234567890123", /too big.*12.*13/],
    ["1.0000001", /at most 6 decimals, not 7/],
    ["1.0000001000", /at most 6 decimals, not 7/],
    [`1.5${"0".repeat(51)}`, /at most 51 digits behind the point, not 52/],
    ["1.2.3", /decimal like/],
    ["0x10", /decimal like/],
    ["٣", /decimal like/],
    ["NaN", /decimal like/],
    ["$25", /decimal like/],
    ["1".repeat(64), /too big.*12.*64/],
    ["1".repeat(65), /too long.*64 characters/],
    [`${"1".repeat(60_000)}e`, /too long/],
  ])("%j", (text, fault) => {
    expect(faultOfAmount(text)).toMatch(fault);
  });

  it("after a correction the fault is gone: the message is true", () => {
    const digits = fc.stringMatching(/^[0-9]{0,14}(\.[0-9]{0,8}0{0,48})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        fc.pre(parseAmount(text) === undefined);
        const fault = faultOfAmount(text);
        if (fault.includes("decimals")) expect(text).toMatch(/\.\d{7,}$/);
        else if (fault.includes("behind the point")) expect(text).toMatch(/\.\d{52,}$/);
        else if (fault.includes("too big")) expect(text).toMatch(/^\d{13,}/);
        else expect(fault).toMatch(/empty|both sides|zero/);
      }),
    );
  });
});

it("the error for a number shows the amount as a string", () => {
  expect(faultOfNumber(25.5)).toBe('must be a string in quotes: "25.5", not 25.5 (money is never a number)');
  for (const value of [-1, 1e21, 1e-7, 0.123_456_7]) expect(faultOfNumber(value)).toContain('"25.5"');
});

it("fiat as the currency to pay in is answered with the field that names the price's currency", () => {
  for (const [code, priced] of [
    ["USD", "USD"],
    ["usd", "USD"],
    ["EUR", "EUR"],
    ["IRR", "USD"],
  ] as const)
    expect(faultOfCurrency(code)).toContain(`"pricingCurrency": "${priced}"`);
  for (const value of ["USDC", "USDT ", "", 1, null]) expect(faultOfCurrency(value)).toBeUndefined();
});
