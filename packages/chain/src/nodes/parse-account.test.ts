import { describe, expect, it } from "vitest";
import { AnswerError } from "../blocks/read-json.ts";
import { parseBalance, parseIsAccount, parseResourcePrices, parseResources } from "./parse-account.ts";

const hex = `41${"22".repeat(20)}`;

describe("an account", () => {
  it("exists if it is in the answer, and not if the answer is empty", () => {
    expect(parseIsAccount({ address: hex, balance: 1 }, hex)).toBe(true);
    expect(parseIsAccount({}, hex)).toBe(false);
  });

  it.each([[{ address: `41${"33".repeat(20)}` }], [{ Error: "busy" }], [[]], [null]])(
    "is not believed of %j",
    (answer) => {
      expect(() => parseIsAccount(answer, hex)).toThrow(AnswerError);
    },
  );
});

it("has no balance if the answer omits it, and an unknown address has no account", () => {
  const address = `41${"ab".repeat(20)}`;
  expect(parseBalance({ address }, address)).toBe(0n);
  expect(parseBalance({ address, balance: 5 }, address)).toBe(5n);
  expect(parseBalance({}, address)).toBe(0n);
});

it("has the unused rest of free, staked and energy resources, never below zero", () => {
  expect(parseResources({})).toEqual({ energy: 0n, freeBandwidth: 0n, stakedBandwidth: 0n });
  expect(
    parseResources({
      freeNetUsed: 344,
      freeNetLimit: 600,
      NetLimit: 10,
      NetUsed: 11,
      EnergyLimit: 7,
      EnergyUsed: 2,
    }),
  ).toEqual({ energy: 5n, freeBandwidth: 256n, stakedBandwidth: 0n });
});

it("a price of zero is printed without a value, and a missing one is refused", () => {
  const parameters = [
    { key: "getEnergyFee", value: 100 },
    { key: "getTransactionFee" },
    { key: "getCreateNewAccountFeeInSystemContract", value: 1_000_000 },
    { key: "getCreateAccountFee", value: 100_000 },
    { key: "getFreeNetLimit", value: 600 },
  ];
  expect(parseResourcePrices({ chainParameter: parameters })).toEqual({
    energy: 100n,
    bandwidth: 0n,
    activation: 1_100_000n,
    freeBandwidth: 600n,
  });
  expect(() => parseResourcePrices({ chainParameter: parameters.slice(1) })).toThrow("getEnergyFee");
});
