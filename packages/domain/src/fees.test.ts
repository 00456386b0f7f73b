import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChargeKind } from "./charge.ts";
import { depositFee, fixedFeeDue } from "./fees.ts";
import { type Amount, add, amountIn, parseAmount, shareRoundedDown, zero } from "./money.ts";
import { type Fee, priceForClient } from "./order.ts";

const usdt = (units: bigint) => amountIn("USDT", units);
const decimal = (text: string) => usdt(parseAmount(text) ?? -1n);

/** The fees of deposits to one charge, in their order. */
function feesOf(kind: ChargeKind, fee: Fee<"USDT">, amounts: readonly Amount<"USDT">[]) {
  let taken: Amount<"USDT"> = usdt(0n);
  return amounts.map((amount) => {
    const one = depositFee(amount, {
      basisPoints: fee.basisPoints,
      fixedDue: fixedFeeDue({ kind, fee }, taken),
    });
    taken = add(taken, one.fixed);
    return one;
  });
}

const fees = fc.record({ basisPoints: fc.nat(1_000), fixed: fc.bigInt(0n, 10n ** 9n).map(usdt) });
const amounts = fc.array(fc.bigInt(1n, 10n ** 12n).map(usdt), { minLength: 1, maxLength: 12 });
const sum = (units: readonly bigint[]) => units.reduce((all, unit) => all + unit, 0n);

describe("the fee of a confirmed deposit", () => {
  it("is the share rounded down, and the fixed part", () => {
    const fee = { basisPoints: 150, fixed: decimal("0.5") };
    expect(feesOf("open", fee, [decimal("100.000066")])).toEqual([
      { share: decimal("1.5"), fixed: decimal("0.5") },
    ]);
  });

  it("takes the fixed part of an order once, from its first deposits until it is taken", () => {
    const fee = { basisPoints: 100, fixed: decimal("2") };
    expect(feesOf("order", fee, ["1.5", "0.2", "10", "10"].map(decimal)).map(({ fixed }) => fixed)).toEqual(
      ["1.485", "0.198", "0.317", "0"].map(decimal),
    );
  });

  it.each(["receive", "open"] as const)("takes the fixed part of each deposit to a %s address", (kind) => {
    const fee = { basisPoints: 0, fixed: decimal("2") };
    expect(feesOf(kind, fee, ["5", "1", "5"].map(decimal)).map(({ fixed }) => fixed)).toEqual(
      ["2", "1", "2"].map(decimal),
    );
  });

  it("is never more than the deposit, and never negative", () => {
    fc.assert(
      fc.property(fc.constantFrom("order" as const, "open" as const), fees, amounts, (kind, fee, paid) => {
        for (const [index, { share, fixed }] of feesOf(kind, fee, paid).entries()) {
          expect(share).toBe(shareRoundedDown(paid[index] ?? usdt(0n), fee.basisPoints));
          expect(fixed).toBeGreaterThanOrEqual(0n);
          expect(share + fixed).toBeLessThanOrEqual(paid[index] ?? 0n);
        }
      }),
    );
  });

  it("takes from an order's deposits what their shares leave, up to the fixed part, in any order of the deposits", () => {
    fc.assert(
      fc.property(fees, amounts, (fee, paid) => {
        const taken = (list: typeof paid) => sum(feesOf("order", fee, list).map(({ fixed }) => fixed));
        const room = sum(paid.map((amount) => amount - shareRoundedDown(amount, fee.basisPoints)));
        expect(taken(paid)).toBe(room < fee.fixed ? room : fee.fixed);
        expect(taken(paid.toReversed())).toBe(taken(paid));
      }),
    );
  });

  it("leaves the merchant the price if the client paid the fee on top, in any number of payments", () => {
    const price = fc.bigInt(1n, 10n ** 12n).map(usdt);
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
    fc.assert(
      fc.property(price, fees, cuts, (expected, fee, places) => {
        const due = priceForClient(expected, fee);
        const ends = places
          .map((place) => BigInt(Math.floor(place * Number(due))))
          .toSorted((a, b) => Number(a - b));
        const parts = [...ends, due]
          .map((end, index) => end - (ends[index - 1] ?? 0n))
          .filter((part) => part > 0n);
        const charged = sum(
          feesOf("order", fee, parts.map(usdt)).flatMap(({ share, fixed }) => [share, fixed]),
        );
        expect(due - charged).toBeGreaterThanOrEqual(expected);
      }),
    );
  });

  it("is zero without fee terms", () => {
    expect(feesOf("order", { basisPoints: 0, fixed: usdt(0n) }, [decimal("5")])).toEqual([
      { share: zero, fixed: zero },
    ]);
  });
});
