import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { depositFee } from "./fees.ts";
import { amountIn } from "./money.ts";
import { splitContent } from "./settlement-split.ts";

const usdt = (units: bigint) => amountIn("USDT", units);
const split = (owed: bigint, content: bigint, threshold: bigint) =>
  splitContent({ owed: usdt(owed), content: usdt(content), threshold: usdt(threshold) });

describe("the content of a deposit address", () => {
  it.each([
    [9n, 100n, 10n, { operator: 0n, merchant: 100n }],
    [10n, 100n, 10n, { operator: 10n, merchant: 90n }],
    [250n, 100n, 10n, { operator: 100n, merchant: 0n }],
    [-5n, 100n, 10n, { operator: 0n, merchant: 100n }],
  ])("of which %d is owed and %d lies there is split at %d", (owed, content, threshold, expected) => {
    expect(split(owed, content, threshold)).toEqual(expected);
  });

  it("is split into parts that add up to it, and the operator gets at most its unpaid fees", () => {
    const units = fc.bigInt(0n, 10n ** 12n);
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 9n), 10n ** 12n),
        units,
        fc.bigInt(1n, 10n ** 9n),
        (owed, content, threshold) => {
          const { operator, merchant } = split(owed, content, threshold);
          expect(operator + merchant).toBe(content);
          expect(operator).toBeGreaterThanOrEqual(0n);
          expect(merchant).toBeGreaterThanOrEqual(0n);
          expect(operator === 0n || operator <= owed).toBe(true);
        },
      ),
    );
  });
});

type Step = { readonly amount: bigint } | { readonly swept: number };

/** Deposits to addresses of their own, and sweeps of addresses with content, until every address is empty. */
function settle(
  steps: readonly Step[],
  { basisPoints, fixed, threshold }: { basisPoints: number; fixed: bigint; threshold: bigint },
) {
  const contents: bigint[] = [];
  const sums = { deposited: 0n, charged: 0n, operator: 0n, merchant: 0n };
  const sweep = (place: number) => {
    const content = contents.splice(place, 1)[0] ?? 0n;
    const { operator, merchant } = split(sums.charged - sums.operator, content, threshold);
    sums.operator += operator;
    sums.merchant += merchant;
    expect(sums.operator).toBeLessThanOrEqual(sums.charged);
  };
  for (const step of steps) {
    if ("amount" in step) {
      const { share, fixed: part } = depositFee(usdt(step.amount), { basisPoints, fixedDue: usdt(fixed) });
      contents.push(step.amount);
      sums.deposited += step.amount;
      sums.charged += share + part;
    } else if (contents.length > 0) sweep(step.swept % contents.length);
  }
  while (contents.length > 0) sweep(0);
  return sums;
}

describe("a merchant's deposits and sweeps, in any order", () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ amount: fc.bigInt(1n, 10n ** 9n) }),
    fc.record({ swept: fc.nat(20) }),
  );
  const terms = fc.record({
    basisPoints: fc.nat(1_000),
    fixed: fc.bigInt(0n, 10n ** 8n),
    threshold: fc.bigInt(1n, 10n ** 8n),
  });

  it("never overpay the operator, and owe it less than the threshold once every address is swept", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), terms, (steps, of) => {
        const { deposited, charged, operator, merchant } = settle(steps, of);
        expect(operator + merchant).toBe(deposited);
        expect(charged - operator).toBeGreaterThanOrEqual(0n);
        expect(charged - operator).toBeLessThan(of.threshold);
      }),
    );
  });
});
