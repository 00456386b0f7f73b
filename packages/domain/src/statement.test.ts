import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { depositLines, feeLines, outflowLines } from "./ledger.ts";
import { amountFromUnits } from "./money.ts";
import { type MonthlyTotal, statementBalance } from "./statement.ts";

const months = ["2025-12", "2026-01", "2026-02"];

const total: fc.Arbitrary<MonthlyTotal> = fc
  .tuple(fc.constantFrom(...months), fc.bigInt(1n, 10n ** 12n).map(amountFromUnits), fc.nat(2))
  .map(([month, units, kind]) => {
    const money = { currency: "USDT", units } as const;
    const lines = [
      depositLines(money),
      feeLines("USDT", { share: units, fixed: amountFromUnits(0n) }),
      outflowLines(money, "merchant"),
    ];
    return { month, lines: 1, ...(lines[kind]?.[0] as (typeof lines)[0][0] & object) };
  });

describe("a statement", () => {
  it("adds up, and each month opens with the closing balance of the month before", () => {
    fc.assert(
      fc.property(fc.array(total), (totals) => {
        const balances = months.map((month) => statementBalance("USDT", month, totals));
        for (const [index, { opening, confirmed, fees, settled, closing }] of balances.entries()) {
          expect(opening + confirmed - fees - settled).toBe(closing);
          expect(opening).toBe(balances[index - 1]?.closing ?? 0n);
        }
      }),
    );
  });
});
