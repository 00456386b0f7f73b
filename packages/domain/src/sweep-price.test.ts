import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { perCurrency, perToken } from "./asset.ts";
import { amountFromUnits, amountIn, zero } from "./money.ts";
import {
  minUnits,
  oldMaxCostBasisPoints,
  priceByHand,
  priceSweep,
  reasonToSweep,
  type SweepFacts,
  valueInSun,
} from "./sweep-price.ts";

const trx = (sun: bigint) => amountIn("TRX", sun);
/** Mainnet's prices: 100 sun a unit of energy, 1,000 a byte, 1.1 TRX for an activation. */
const prices = {
  energy: trx(100n),
  bandwidth: trx(1_000n),
  activation: trx(1_100_000n),
  freeBandwidth: 600n,
};
const rates = { ...perCurrency(() => 100_000_000n), TRX: 30_000_000n };
const rules = { maxCostBasisPoints: 100 };

function facts(changes: Partial<SweepFacts> = {}): SweepFacts {
  return {
    balance: amountFromUnits(50_000_000n),
    trx: trx(0n),
    isActivated: true,
    isRecipientActivated: true,
    isRecipientConfirmed: true,
    energyNeeded: 64_285n,
    energyAvailable: 0n,
    freeBandwidth: 600n,
    stakedBandwidth: 0n,
    refusal: undefined,
    ...changes,
  };
}

const sweep = (changes: Partial<SweepFacts>, resources: "burn" | "delegate" = "burn") =>
  priceSweep(facts(changes), { currency: "USDT", wanted: amountFromUnits(50_000_000n), prices, resources });
const sweepTrx = (changes: Partial<SweepFacts>) =>
  priceSweep(facts({ energyNeeded: 0n, ...changes }), {
    currency: "TRX",
    wanted: amountFromUnits(50_000_000n),
    prices,
    resources: "burn",
  });

describe("the price of a sweep of USDT", () => {
  it("is at most 7.6 TRX for the first and 6.8 for a later sweep by burning, and 0.6 plus the activation by a stake", () => {
    expect(sweep({ isActivated: false, freeBandwidth: 0n })).toMatchObject({
      price: 7_528_500n,
      topUp: 6_428_500n,
    });
    expect(sweep({})).toMatchObject({ price: 6_696_500n, topUp: 6_428_500n });
    expect(sweep({}, "delegate")).toMatchObject({ price: 566_000n, topUp: 0n });
    expect(sweep({ isActivated: false }, "delegate")).toMatchObject({ price: 1_666_000n, topUp: 1n });
  });

  it("uses TRX and energy of the address, and burns bandwidth if no quota covers the whole transaction", () => {
    expect(sweep({ trx: trx(6_428_500n) })).toMatchObject({ price: 6_428_500n, topUp: 0n });
    expect(sweep({ energyAvailable: 64_285n })).toMatchObject({ price: 0n, topUp: 0n });
    expect(sweep({ freeBandwidth: 344n, stakedBandwidth: 344n })).toMatchObject({ topUp: 6_773_500n });
  });

  it("has a fee_limit a fifth above the whole energy, borrowed energy included", () => {
    expect(sweep({}, "delegate").feeLimit).toBe(7_714_200n);
    expect(sweep({ energyAvailable: 64_285n }).feeLimit).toBe(7_714_200n);
  });
});

describe("the price of a sweep of TRX", () => {
  it("is zero within the free bandwidth, and all TRX is sent", () => {
    expect(sweepTrx({ trx: trx(50_000_000n) })).toMatchObject({ units: 50_000_000n, price: 0n, topUp: 0n });
  });

  it("is the TRX that the chain burns: for the bytes, or for the activation of the wallet", () => {
    expect(sweepTrx({ trx: trx(50_000_000n), freeBandwidth: 0n })).toMatchObject({
      units: 49_732_000n,
      price: 268_000n,
    });
    expect(sweepTrx({ trx: trx(50_000_000n), isRecipientActivated: false }).units).toBe(48_900_000n);
    expect(sweepTrx({ trx: trx(51_000_000n), freeBandwidth: 0n }).units).toBe(50_000_000n);
  });
});

describe("a sweep is worth its price", () => {
  it("by share, by age or because an operator requested it", () => {
    const reason = (price: bigint, value: bigint, { ageMs = 0, isAsked = false } = {}) =>
      reasonToSweep({ price, value, ageMs, isAsked }, rules);
    expect([reason(1n, 100n), reason(1n, 99n)]).toEqual(["cheap", undefined]);
    const old = { ageMs: 86_400_001 };
    expect([reason(1n, 10n, old), reason(1n, 9n, old), reason(1n, 10n)]).toEqual([
      "old",
      undefined,
      undefined,
    ]);
    expect([100, 1_500].map((share) => oldMaxCostBasisPoints({ maxCostBasisPoints: share }))).toEqual([
      1_000, 10_000,
    ]);
    const asked = { isAsked: true };
    expect([reason(1n, 2n, asked), reason(2n, 2n, asked)]).toEqual(["asked", undefined]);
  });

  it("from the smallest amount that a plan selects, in either coin", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("USDT", "TRX"),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.integer({ min: 1, max: 10_000 }),
        (currency, price, basisPoints) => {
          const min = minUnits(currency, { price, basisPoints }, rates) ?? 0n;
          const value = valueInSun(currency, min, rates) ?? 0n;
          expect(price * 10_000n).toBeLessThanOrEqual((value + 1n) * BigInt(basisPoints));
          const below = valueInSun(currency, min - 4n, rates) ?? 0n;
          expect(price * 10_000n).toBeGreaterThan(below * BigInt(basisPoints));
        },
      ),
    );
  });

  it("only if both rates are known, unless it is TRX", () => {
    const none = perCurrency(() => undefined);
    expect([valueInSun("USDT", 5n, none), valueInSun("TRX", 5n, none)]).toEqual([undefined, 5n]);
  });
});

describe("the price of emptying an address by hand", () => {
  const byHand = (sun: bigint, usdt = 25_000_000n, isActivated = true) => {
    const held = { ...perCurrency(() => zero), USDT: amountIn("USDT", usdt), TRX: trx(sun) };
    const { price, topUp } = priceByHand(
      { held, isActivated },
      { prices, energyOf: perToken(() => 64_285n) },
    );
    return [price, topUp];
  };

  it("is the energy of a transfer of the token, with the first TRX to an address without an account", () => {
    expect(byHand(0n, 25_000_000n, false)).toEqual([7_528_500n, 6_428_500n]);
  });

  it("of an activated address includes the bytes of the top-up, which names the TRX that is missing", () => {
    expect(byHand(0n)).toEqual([6_696_500n, 6_428_500n]);
    expect(byHand(6_000_000n)).toEqual([6_696_500n, 428_500n]);
    expect(byHand(6_428_500n)).toEqual([6_428_500n, 0n]);
  });

  it("includes the bytes of a second transfer if TRX is left: the first has used what is free a day", () => {
    expect(byHand(20_000_000n)).toEqual([6_696_500n, 0n]);
    expect(byHand(20_000_000n, 0n)).toEqual([0n, 0n]);
  });
});
