import fc from "fast-check";
import { expect, it } from "vitest";
import { amountAbove } from "./money-difference.ts";

const decimalOf = (units: bigint) => {
  const digits = String(units).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

it("the difference of two amounts is exact to the sixth decimal, and undefined unless it is above zero", () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 24n });
  fc.assert(
    fc.property(units, units, (larger, smaller) => {
      const found = amountAbove(decimalOf(larger), decimalOf(smaller));
      if (larger <= smaller) expect(found).toBeUndefined();
      else {
        const [whole = "", fraction = ""] = String(found).split(".");
        expect(BigInt(whole + fraction.padEnd(6, "0"))).toBe(larger - smaller);
        expect(found).not.toMatch(/\.$|\.\d*0$/);
      }
    }),
  );
});

it("an amount is written as the service writes it", () => {
  expect([amountAbove("25.5", "10"), amountAbove("100", "0"), amountAbove("1", "0.999999")]).toEqual([
    "15.5",
    "100",
    "0.000001",
  ]);
});
