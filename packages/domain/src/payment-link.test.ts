import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, amountFromUnits } from "./money.ts";
import {
  amountOfClick,
  type ClickCounts,
  clickLimits,
  isBusy,
  type LinkState,
  paymentLinkStatus,
} from "./payment-link.ts";

const NOW = new Date("2026-11-30T12:00:00Z");
const link: LinkState = { isActive: true, closedAt: null, expiresAt: null, maxPayments: null };
const none = { paid: 0, open: 0 };

describe("the status of a link", () => {
  it.each<[string, Partial<LinkState>, { paid: number; open: number }]>([
    ["active", {}, { paid: 1_000, open: 50 }],
    ["disabled", { isActive: false }, none],
    ["disabled", { closedAt: NOW, expiresAt: NOW, maxPayments: 1 }, { paid: 1, open: 0 }],
    ["expired", { expiresAt: NOW, maxPayments: 1 }, { paid: 1, open: 0 }],
    ["active", { expiresAt: new Date(NOW.getTime() + 1), maxPayments: 2 }, { paid: 1, open: 0 }],
    ["sold_out", { maxPayments: 2 }, { paid: 1, open: 1 }],
    ["sold_out", { maxPayments: 2 }, { paid: 3, open: 0 }],
  ])("is %s with %j and places %j", (status, state, places) => {
    expect(paymentLinkStatus({ ...link, ...state }, places, NOW)).toBe(status);
  });
});

it("a link is busy exactly while one of the limits is reached", () => {
  const names = Object.keys(clickLimits) as (keyof ClickCounts)[];
  const below = Object.fromEntries(names.map((name) => [name, clickLimits[name] - 1])) as ClickCounts;
  expect(isBusy(below)).toBe(false);
  for (const name of names) expect(isBusy({ ...below, [name]: clickLimits[name] }), name).toBe(true);
});

describe("the amount of a click", () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 15n }).map(amountFromUnits);
  const free = { amount: null, minAmount: null, maxAmount: null, pricingCurrency: null };

  it("is the fixed one, whatever the payer chose", () => {
    fc.assert(
      fc.property(units, fc.option(units), (amount, chosen) => {
        expect(amountOfClick({ ...free, amount }, chosen)).toEqual({ amount });
      }),
    );
  });

  it("is the chosen one exactly within the bounds, both included", () => {
    fc.assert(
      fc.property(units, units, units, (one, other, chosen) => {
        const [minAmount, maxAmount] = one < other ? [one, other] : [other, one];
        const found = amountOfClick({ ...free, minAmount, maxAmount }, chosen);
        const fault = chosen < minAmount ? "tooSmall" : chosen > maxAmount ? "tooLarge" : undefined;
        expect(found).toEqual(fault === undefined ? { amount: chosen } : { fault });
      }),
    );
  });

  it.each<[bigint | null, "USD" | null, string]>([
    [null, null, "missing"],
    [0n, null, "tooSmall"],
    [1_001_000n, "USD", "tooManyDecimals"],
  ])("%s in %s is refused: %s", (chosen, pricingCurrency, fault) => {
    const amount: Amount | null = chosen === null ? null : amountFromUnits(chosen);
    expect(amountOfClick({ ...free, pricingCurrency }, amount)).toEqual({ fault });
  });
});
