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
  usdt: amountIn("USDT", 25_000_000n),
  trx: amountIn("TRX", 0n),
  isActivated: true,
  energy: 0n,
  freeBandwidth: 600n,
  stakedBandwidth: 0n,
};
const priceOf = (overrides: Partial<Wallet>): [price: string, topUp: string] => {
  const { price, topUp } = priceOfMoving({ ...wallet, ...overrides }, prices);
  return [formatAmount(price), formatAmount(topUp)];
};
const trx = (sun: bigint) => amountIn("TRX", sun);

describe("the price of emptying a wallet", () => {
  it("is the energy of one transfer, where the day's free bandwidth covers its bytes", () => {
    expect(priceOf({})).toEqual(["6.4285", "6.4285"]);
  });

  it("burns bytes where free and staked bandwidth, each by itself, are too few", () => {
    expect(priceOf({ freeBandwidth: 344n, stakedBandwidth: 344n })).toEqual(["6.7735", "6.7735"]);
    expect(priceOf({ freeBandwidth: 0n, stakedBandwidth: 345n })).toEqual(["6.4285", "6.4285"]);
  });

  it("takes off the energy that is staked, and is nothing where all of it is", () => {
    expect(priceOf({ energy: 64_185n })).toEqual(["0.01", "0.01"]);
    expect(priceOf({ energy: 70_000n })).toEqual(["0", "0"]);
  });

  it("of an address that the chain does not know has its activation on top, by who sends it TRX", () => {
    expect(priceOf({ isActivated: false, freeBandwidth: 0n })).toEqual(["7.5285", "6.4285"]);
  });

  it("asks for as much TRX to be sent as is missing", () => {
    expect(priceOf({ trx: trx(6_000_000n) })).toEqual(["6.4285", "0.4285"]);
    expect(priceOf({ trx: trx(6_428_500n) })).toEqual(["6.4285", "0"]);
  });

  it("has the bytes of a second transfer where TRX is left, which the free bandwidth may not cover any more", () => {
    expect(priceOf({ trx: trx(20_000_000n) })).toEqual(["6.6965", "0"]);
    expect(priceOf({ trx: trx(20_000_000n), usdt: amountIn("USDT", 0n) })).toEqual(["0", "0"]);
  });
});
