import { addressWord, selectorOf, uintWord } from "@daric/tron/abi";
import { describe, expect, it } from "vitest";
import type { ContractOutcome, ContractStorage } from "./contract-runtime.ts";
import { mintToken, usdt } from "./usdt.ts";
import { giveOwnership } from "./usdt-owner.ts";

const CONTRACT = `41${"cc".repeat(20)}`;
const ALICE = `41${"aa".repeat(20)}`;
const BOB = `41${"bb".repeat(20)}`;
const ZERO = `41${"00".repeat(20)}`;
const CAROL = `41${"dd".repeat(20)}`;
const TETHER = `41${"ee".repeat(20)}`;

function aToken(units = 100n): {
  storage: ContractStorage;
  call: CallToken;
  balance: (who: string) => bigint;
} {
  const slots = new Map<string, bigint>();
  const storage: ContractStorage = {
    get: (key) => slots.get(key) ?? 0n,
    set: (key, value) => void slots.set(key, value),
  };
  giveOwnership(storage, TETHER);
  mintToken(storage, ALICE, units);
  const call: CallToken = (caller, signature, ...words) =>
    usdt.call(
      { caller, contractAddress: CONTRACT, data: selectorOf(signature) + words.join(""), callValue: 0n },
      storage,
    );
  const balance = (who: string) =>
    BigInt(`0x${call(who, "balanceOf(address)", addressWord(who)).returnData}`);
  return { storage, call, balance };
}

type CallToken = (caller: string, signature: string, ...words: string[]) => ContractOutcome;

describe("usdt", () => {
  it("knows the published selectors of TRC-20", () => {
    expect(selectorOf("transfer(address,uint256)")).toBe("a9059cbb");
    expect(selectorOf("balanceOf(address)")).toBe("70a08231");
    expect(selectorOf("transferFrom(address,address,uint256)")).toBe("23b872dd");
    expect(selectorOf("approve(address,uint256)")).toBe("095ea7b3");
  });

  it("a transfer moves the units, logs Transfer with 20-byte words and returns zeros", () => {
    const token = aToken();
    const outcome = token.call(ALICE, "transfer(address,uint256)", addressWord(BOB), uintWord(30n));
    expect([token.balance(ALICE), token.balance(BOB)]).toEqual([70n, 30n]);
    expect(outcome.returnData).toBe(uintWord(0n));
    expect(outcome.logs).toEqual([
      {
        address: "cc".repeat(20),
        topics: [
          "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
          `${"0".repeat(24)}${"aa".repeat(20)}`,
          `${"0".repeat(24)}${"bb".repeat(20)}`,
        ],
        data: uintWord(30n),
      },
    ]);
  });

  it("a stray 41 in the address word is ignored, in the balance and in the log", () => {
    const token = aToken();
    const dirty = BOB.padStart(64, "0");
    const outcome = token.call(ALICE, "transfer(address,uint256)", dirty, uintWord(1n));
    expect(token.balance(BOB)).toBe(1n);
    expect(outcome.logs[0]?.topics[2]).toBe(addressWord(BOB));
  });

  it("energy is the recorded one: more for an address without tokens", () => {
    const token = aToken();
    const transfer = () => token.call(ALICE, "transfer(address,uint256)", addressWord(BOB), uintWord(1n));
    expect(transfer().energy).toBe(130_285);
    expect(transfer().energy).toBe(64_285);
  });

  it("too little balance and the zero address revert without a reason and change nothing", () => {
    const token = aToken(5n);
    const send = (to: string, units: bigint) =>
      token.call(ALICE, "transfer(address,uint256)", addressWord(to), uintWord(units));
    for (const outcome of [send(BOB, 6n), send(ZERO, 1n)]) {
      expect(outcome).toMatchObject({ status: "REVERT", returnData: "", logs: [] });
    }
    expect([token.balance(ALICE), token.balance(BOB)]).toEqual([5n, 0n]);
  });

  it("transferFrom spends the allowance and no more", () => {
    const token = aToken();
    token.call(ALICE, "approve(address,uint256)", addressWord(CAROL), uintWord(40n));
    const take = (units: bigint) =>
      token.call(
        CAROL,
        "transferFrom(address,address,uint256)",
        addressWord(ALICE),
        addressWord(BOB),
        uintWord(units),
      );
    expect(take(30n)).toMatchObject({ status: "SUCCESS", returnData: uintWord(1n) });
    expect(take(11n).status).toBe("REVERT");
    expect(token.balance(BOB)).toBe(30n);
    const left = token.call(ALICE, "allowance(address,address)", addressWord(ALICE), addressWord(CAROL));
    expect(left.returnData).toBe(uintWord(10n));
  });

  it("an unlimited allowance is not used up", () => {
    const token = aToken();
    const unlimited = uintWord(2n ** 256n - 1n);
    token.call(ALICE, "approve(address,uint256)", addressWord(CAROL), unlimited);
    token.call(
      CAROL,
      "transferFrom(address,address,uint256)",
      addressWord(ALICE),
      addressWord(BOB),
      uintWord(1n),
    );
    const left = token.call(ALICE, "allowance(address,address)", addressWord(ALICE), addressWord(CAROL));
    expect(left.returnData).toBe(unlimited);
  });

  it("a transfer to its own sender neither creates nor loses units", () => {
    const token = aToken();
    token.call(ALICE, "transfer(address,uint256)", addressWord(ALICE), uintWord(60n));
    expect(token.balance(ALICE)).toBe(100n);
  });

  it("an unknown function and TRX sent along revert", () => {
    const { storage, call } = aToken();
    expect(call(ALICE, "mint(uint256)", uintWord(1n)).status).toBe("REVERT");
    const data = selectorOf("totalSupply()");
    const paid = usdt.call({ caller: ALICE, contractAddress: CONTRACT, data, callValue: 1n }, storage);
    expect(paid.status).toBe("REVERT");
  });
});

describe("the owner of the token", () => {
  const transferTo = (to: string, units: bigint) =>
    ["transfer(address,uint256)", addressWord(to), uintWord(units)] as const;

  it("black-lists an address: it can send no more, but is paid like others", () => {
    const token = aToken();
    const listed = token.call(TETHER, "addBlackList(address)", addressWord(ALICE));
    expect(listed.logs).toEqual([
      {
        address: CONTRACT.slice(2),
        topics: ["42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc", addressWord(ALICE)],
        data: "",
      },
    ]);
    expect(token.call(BOB, "isBlackListed(address)", addressWord(ALICE)).returnData).toBe(uintWord(1n));
    expect(token.call(ALICE, ...transferTo(BOB, 1n))).toMatchObject({ status: "REVERT", logs: [] });
    token.call(TETHER, "removeBlackList(address)", addressWord(ALICE));
    token.call(TETHER, "addBlackList(address)", addressWord(BOB));
    expect(token.call(ALICE, ...transferTo(BOB, 1n)).status).toBe("SUCCESS");
    expect(token.balance(BOB)).toBe(1n);
  });

  it("transferFrom checks the black list for the holder, not the spender", () => {
    const token = aToken();
    const take = () =>
      token.call(
        CAROL,
        "transferFrom(address,address,uint256)",
        addressWord(ALICE),
        addressWord(BOB),
        uintWord(1n),
      );
    token.call(ALICE, "approve(address,uint256)", addressWord(CAROL), uintWord(40n));
    token.call(TETHER, "addBlackList(address)", addressWord(CAROL));
    expect(take().status).toBe("SUCCESS");
    token.call(TETHER, "addBlackList(address)", addressWord(ALICE));
    expect(take().status).toBe("REVERT");
  });

  it("pauses every movement and approval, but no read, and cannot pause twice", () => {
    const token = aToken();
    expect(token.call(TETHER, "pause()").status).toBe("SUCCESS");
    expect(token.call(TETHER, "pause()").status).toBe("REVERT");
    expect(token.call(BOB, "paused()").returnData).toBe(uintWord(1n));
    expect(token.call(ALICE, ...transferTo(BOB, 1n)).status).toBe("REVERT");
    expect(token.call(ALICE, "approve(address,uint256)", addressWord(BOB), uintWord(1n)).status).toBe(
      "REVERT",
    );
    expect(token.balance(ALICE)).toBe(100n);
    token.call(TETHER, "unpause()");
    expect(token.call(ALICE, ...transferTo(BOB, 1n)).status).toBe("SUCCESS");
  });

  it("sets a fee: the receiver gets less, the owner the fee, in two Transfer logs", () => {
    const token = aToken(100_000_000n);
    const set = token.call(TETHER, "setParams(uint256,uint256)", uintWord(10n), uintWord(1n));
    expect(set.logs).toEqual([
      {
        address: CONTRACT.slice(2),
        topics: ["b044a1e409eac5c48e5af22d4af52670dd1a99059537a78b31b48c6500a6354e"],
        data: uintWord(10n) + uintWord(1_000_000n),
      },
    ]);
    const { logs } = token.call(ALICE, ...transferTo(BOB, 50_000_000n));
    expect([token.balance(BOB), token.balance(TETHER)]).toEqual([49_950_000n, 50_000n]);
    expect(logs.map(({ topics: [, from, to], data }) => [from, to, data])).toEqual([
      [addressWord(ALICE), addressWord(BOB), uintWord(49_950_000n)],
      [addressWord(ALICE), addressWord(TETHER), uintWord(50_000n)],
    ]);
  });

  it("accepts a maximum fee below 50 tokens and a rate below 20 basis points", () => {
    const token = aToken(10_000_000_000n);
    const set = (rate: bigint, maximum: bigint) =>
      token.call(TETHER, "setParams(uint256,uint256)", uintWord(rate), uintWord(maximum)).status;
    expect([set(20n, 1n), set(1n, 50n)]).toEqual(["REVERT", "REVERT"]);
    expect(set(19n, 2n)).toBe("SUCCESS");
    expect(token.call(BOB, "calcFee(uint256)", uintWord(9_000_000_000n)).returnData).toBe(
      uintWord(2_000_000n),
    );
    token.call(ALICE, ...transferTo(BOB, 9_000_000_000n));
    expect(token.balance(TETHER)).toBe(2_000_000n);
    expect(token.call(BOB, "basisPointsRate()").returnData).toBe(uintWord(19n));
    expect(token.call(BOB, "maximumFee()").returnData).toBe(uintWord(2_000_000n));
  });

  it.each([
    ["addBlackList(address)", [addressWord(BOB)]],
    ["removeBlackList(address)", [addressWord(BOB)]],
    ["pause()", []],
    ["setParams(uint256,uint256)", [uintWord(1n), uintWord(1n)]],
  ])("alone may call %s", (signature, words) => {
    expect(aToken().call(ALICE, signature, ...words).status).toBe("REVERT");
  });
});
