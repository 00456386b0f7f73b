import { describe, expect, it } from "vitest";
import { amountIn, formatAmount } from "./money.ts";
import { priceOfMoving, type Wallet } from "./transfer-price.ts";

const prices = {
  energy: amountIn("TRX", 100n),
  bandwidth: amountIn("TRX", 1_000n),
  activation: amountIn("TRX", 1_100_000n),
  freeBandwidth: 600n,
};
const wallet: Wallet = {
  held: { USDT: amountIn("USDT", 25_000_000n), TRX: amountIn("TRX", 0n) },
  isActivated: true,
  energy: 0n,
  freeBandwidth: 600n,
  stakedBandwidth: 0n,
};
const priceOf = (overrides: Partial<Wallet>): [price: string, topUp: string] => {
  const { price, topUp } = priceOfMoving({ ...wallet, ...overrides }, prices);
  return [formatAmount(price), formatAmount(topUp)];
};
const holding = (sun: bigint, usdt = 25_000_000n): Pick<Wallet, "held"> => ({
  held: { USDT: amountIn("USDT", usdt), TRX: amountIn("TRX", sun) },
});

describe("the price of emptying a wallet", () => {
  it("is the energy of one transfer if the free bandwidth covers its bytes", () => {
    expect(priceOf({})).toEqual(["6.4285", "6.4285"]);
  });

  it("burns bytes if neither free nor staked bandwidth alone covers them", () => {
    expect(priceOf({ freeBandwidth: 344n, stakedBandwidth: 344n })).toEqual(["6.7735", "6.7735"]);
    expect(priceOf({ freeBandwidth: 0n, stakedBandwidth: 345n })).toEqual(["6.4285", "6.4285"]);
  });

  it("leaves out staked energy, and is zero if that covers all", () => {
    expect(priceOf({ energy: 64_185n })).toEqual(["0.01", "0.01"]);
    expect(priceOf({ energy: 70_000n })).toEqual(["0", "0"]);
  });

  it("of an address without an account includes its activation, which the sender of TRX pays", () => {
    expect(priceOf({ isActivated: false, freeBandwidth: 0n })).toEqual(["7.5285", "6.4285"]);
  });

  it("names the TRX that the wallet lacks", () => {
    expect(priceOf(holding(6_000_000n))).toEqual(["6.4285", "0.4285"]);
    expect(priceOf(holding(6_428_500n))).toEqual(["6.4285", "0"]);
  });

  it("includes the bytes of a second transfer if TRX is left", () => {
    expect(priceOf(holding(20_000_000n))).toEqual(["6.6965", "0"]);
    expect(priceOf(holding(20_000_000n, 0n))).toEqual(["0", "0"]);
  });
});
