import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountFromUnits } from "../domain/money.ts";
import { findBacked } from "./judge-balance.ts";

const of = (units: bigint, hasLacked = false, isRefuted = false) => ({
  amount: amountFromUnits(units),
  hasLacked,
  isRefuted,
  isLate: false,
});
const still = { came: 0n, left: 0n, mostBurnt: 0n };
const units = fc.bigInt(1n, 1_000n);

describe("uncovered deposits are backed by a balance", () => {
  it("that holds them all, beside what came since and less what left", () => {
    const deposits = [of(5n), of(7n)];
    const purse = { balance: 12n, movement: still, ever: still } as const;
    expect(findBacked(deposits, purse)).toEqual(deposits);
    expect(findBacked(deposits, { ...purse, balance: 11n })).toEqual([]);
    expect(findBacked(deposits, { ...purse, movement: { ...still, came: 1n } })).toEqual([]);
    expect(
      findBacked(deposits, { ...purse, balance: 2n, movement: { came: 0n, left: 10n, mostBurnt: 0n } }),
    ).toEqual(deposits);
  });

  it("without those that have lacked once, where it does not hold all", () => {
    const [madeUp, real] = [of(100n, true), of(7n)];
    const purse = { balance: 7n, movement: still, ever: still } as const;
    expect(findBacked([madeUp, real], purse)).toEqual([real]);
    expect(findBacked([madeUp], purse)).toEqual([]);
  });

  it("without those that no node shows any more, where all have lacked together", () => {
    const [madeUp, real] = [of(100n, true, true), of(7n, true)];
    const purse = { balance: 7n, movement: still, ever: still } as const;
    expect(findBacked([madeUp, real], purse)).toEqual([real]);
    expect(findBacked([of(100n, true), real], purse)).toEqual([]);
  });

  it("less what the address's own transactions have burnt at most", () => {
    const movement = { came: 0n, left: 3_000_000n, mostBurnt: 1_000_000n };
    expect(findBacked([of(5_000_000n)], { balance: 1_000_000n, movement, ever: still })).toHaveLength(1);
    expect(findBacked([of(5_000_001n)], { balance: 1_000_000n, movement, ever: still })).toEqual([]);
  });

  it("where they are late, only beside all that ever came, less what is proven to have left", () => {
    const late = (units: bigint) => ({ ...of(units), isLate: true });
    const ever = { came: 10n, left: 4n, mostBurnt: 3n };
    expect(findBacked([late(10n)], { balance: 16n, movement: still, ever })).toEqual([late(10n)]);
    expect(findBacked([late(10n)], { balance: 15n, movement: still, ever })).toEqual([]);
    expect(findBacked([of(3n), late(10n)], { balance: 16n, movement: still, ever })).toEqual([of(3n)]);
    expect(findBacked([of(3n), late(10n)], { balance: 3n, movement: still, ever: still })).toEqual([of(3n)]);
  });

  it("where they are late, whatever waits in time and is refuted, unless the balance holds that too", () => {
    const late = { ...of(10n), isLate: true };
    const madeUp = of(100n, true, true);
    const purse = { balance: 10n, movement: still, ever: still } as const;
    expect(findBacked([madeUp, late], purse)).toEqual([late]);
    expect(findBacked([of(100n, true), late], purse)).toEqual([]);
    const hidden = of(10n, false, true);
    expect(findBacked([hidden, late], purse)).toEqual([hidden]);
  });

  it("whatever came, left and lay there before: honest ones always, and never more of them than there is", () => {
    fc.assert(
      fc.property(
        fc.record({
          before: fc.bigInt(0n, 1_000n),
          deposits: fc.array(units, { minLength: 1, maxLength: 8 }),
          covered: fc.array(units, { maxLength: 8 }),
          invented: units,
          outShare: fc.integer({ min: 0, max: 100 }),
        }),
        ({ before, deposits, covered, invented, outShare }) => {
          const sum = (all: readonly bigint[]) => all.reduce((total, one) => total + one, 0n);
          const came = sum(covered);
          const left = ((before + came + sum(deposits)) * BigInt(outShare)) / 100n;
          const balance = before + came + sum(deposits) - left;
          const purse = { balance, movement: { came, left, mostBurnt: 0n }, ever: still } as const;
          const honest = deposits.map((amount) => of(amount));
          expect(findBacked(honest, purse)).toHaveLength(deposits.length);
          const backed = findBacked([of(invented, true), ...honest], purse);
          expect(sum(backed.map(({ amount }) => amount)) - sum(deposits)).toBe(
            invented <= before ? invented : 0n,
          );
        },
      ),
    );
  });
});
