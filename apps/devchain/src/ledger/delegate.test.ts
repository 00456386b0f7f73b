import { keyPairFromPhrase } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import {
  accountOf,
  aFundedChain,
  carriedOut,
  delegation,
  freezing,
  send,
  undelegation,
  usdtTransfer,
} from "../../test/chain-builders.ts";
import { headTimeMs, type LocalChain, mineBlock, readState } from "../chain/chain.ts";
import { counterparts } from "./delegation-list.ts";
import { GENESIS } from "./genesis-accounts.ts";
import { DAY_MS, SLOT_MS, SUN_PER_TRX } from "./limits.ts";
import { delegableStake, resourceLeft, resourceLimit } from "./resource-limits.ts";
import { usedAt } from "./resource-usage.ts";

const STAKE = keyPairFromPhrase("delegate stake");
const POOR = keyPairFromPhrase("delegate poor");
const OTHER = keyPairFromPhrase("delegate other");
const STRANGER = keyPairFromPhrase("delegate stranger");
const TRX = SUN_PER_TRX;
const STAKED = 60_000n * TRX;
/** Stake with enough energy for one transfer to a holder (64,285). */
const LENT = 7_000n * TRX;

/** A chain with a stake for energy, and two more accounts with 2 TRX and some tokens. */
function aStake(): LocalChain {
  const chain = aFundedChain(2n * TRX, POOR, OTHER);
  const { payer } = GENESIS;
  carriedOut(chain, payer, {
    kind: "transfer",
    ownerAddress: payer.address,
    toAddress: STAKE.address,
    amount: STAKED + 100n * TRX,
  });
  for (const { address } of [POOR, OTHER]) carriedOut(chain, payer, usdtTransfer(payer, address, 5_000_000n));
  carriedOut(chain, STAKE, freezing(STAKE, STAKED));
  return chain;
}

function energyLeft(chain: LocalChain, account: { readonly address: string }): number {
  const found = accountOf(chain, account);
  return resourceLeft(readState(chain, "head"), found, { resource: "ENERGY", nowMs: headTimeMs(chain) });
}

function usedEnergy(chain: LocalChain, account: { readonly address: string }): number {
  return usedAt(accountOf(chain, account).usage.ENERGY, headTimeMs(chain));
}

describe("delegated energy", () => {
  it("pays for the receiver's call, which burns no TRX", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, LENT));
    expect(accountOf(chain, STAKE)).toMatchObject({
      frozen: { ENERGY: STAKED - LENT },
      delegated: { ENERGY: LENT },
    });
    expect(energyLeft(chain, POOR)).toBe(resourceLimit(readState(chain, "head"), LENT, "ENERGY"));
    const outcome = carriedOut(chain, POOR, usdtTransfer(POOR, OTHER.address, 5_000_000n));
    expect(outcome).toMatchObject({
      fee: 0n,
      contractRet: "SUCCESS",
      receipt: { energyUsage: 64_285, energyUsageTotal: 64_285, energyFee: 0n },
    });
    expect(accountOf(chain, POOR).balance).toBe(2n * TRX);
  });

  it("counts against the fee limit as if it were burned", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, LENT));
    const outcome = carriedOut(chain, POOR, usdtTransfer(POOR, OTHER.address, 1n), { feeLimit: 1_000_000n });
    expect(outcome).toMatchObject({
      contractRet: "OUT_OF_ENERGY",
      fee: 0n,
      receipt: { energyUsage: 10_000, energyUsageTotal: 10_000, energyFee: 0n },
    });
  });

  it("that does not suffice is used up first, and TRX is burned for the remainder", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, 6_000n * TRX));
    const delegated = energyLeft(chain, POOR);
    const outcome = carriedOut(chain, POOR, usdtTransfer(POOR, OTHER.address, 1n));
    const fee = BigInt(64_285 - delegated) * 100n;
    expect(outcome).toMatchObject({
      fee,
      receipt: { energyUsage: delegated, energyFee: fee, energyUsageTotal: 64_285 },
    });
    expect(accountOf(chain, POOR).usage.ENERGY.used).toBe(delegated);
  });

  it("that is undelegated takes its use along: the stake recovers it over 24 hours, the receiver keeps none", () => {
    const chain = aStake();
    const whole = energyLeft(chain, STAKE);
    carriedOut(chain, STAKE, delegation(STAKE, POOR, LENT));
    carriedOut(chain, POOR, usdtTransfer(POOR, OTHER.address, 1n));
    carriedOut(chain, STAKE, undelegation(STAKE, POOR, LENT));
    expect(usedEnergy(chain, POOR)).toBe(0);
    expect(accountOf(chain, POOR).acquired.ENERGY).toBe(0n);
    expect(accountOf(chain, STAKE)).toMatchObject({ frozen: { ENERGY: STAKED }, delegated: { ENERGY: 0n } });
    // Two blocks have passed since the use.
    expect(Math.abs(usedEnergy(chain, STAKE) - 64_285 * (1 - 2 / 28_800))).toBeLessThan(3);
    mineBlock(chain, DAY_MS / 2);
    expect(Math.abs(whole - energyLeft(chain, STAKE) - 32_140)).toBeLessThan(5);
    mineBlock(chain, DAY_MS / 2);
    expect(energyLeft(chain, STAKE)).toBe(whole);
  });

  it("that is undelegated in part takes the same part of the use along", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, LENT));
    carriedOut(chain, POOR, usdtTransfer(POOR, OTHER.address, 1n));
    carriedOut(chain, STAKE, undelegation(STAKE, POOR, LENT / 4n));
    const [kept, returned] = [usedEnergy(chain, POOR), usedEnergy(chain, STAKE)];
    expect(Math.abs(returned * 3 - kept)).toBeLessThan(8);
    expect(Math.abs(kept + returned - 64_285)).toBeLessThan(8);
  });

  it("of stake whose energy is in use, by its owner or by a returned delegation, is refused", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, LENT));
    carriedOut(chain, POOR, usdtTransfer(POOR, OTHER.address, 1n));
    carriedOut(chain, STAKE, undelegation(STAKE, POOR, LENT));
    const state = readState(chain, "head");
    const most = delegableStake(state, accountOf(chain, STAKE), {
      resource: "ENERGY",
      nowMs: headTimeMs(chain),
    });
    expect(Math.abs(Number((STAKED - most) / TRX) - 64_285 / 9.4736)).toBeLessThan(3);
    expect(() => send(chain, STAKE, delegation(STAKE, POOR, most + TRX))).toThrow(
      "delegateBalance must be less than or equal to available FreezeEnergyV2 balance",
    );
    expect(carriedOut(chain, STAKE, delegation(STAKE, POOR, most)).contractRet).toBe("SUCCESS");
  });
});

describe("delegations", () => {
  it("are listed on both sides in the order of the last one, until they are fully undelegated", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, 10n * TRX));
    carriedOut(chain, STAKE, delegation(STAKE, OTHER, 10n * TRX));
    carriedOut(chain, STAKE, delegation(STAKE, POOR, 10n * TRX));
    const listed = () => counterparts(readState(chain, "head"), STAKE.address, "to");
    expect(listed()).toEqual([OTHER.address, POOR.address]);
    expect(counterparts(readState(chain, "head"), POOR.address, "from")).toEqual([STAKE.address]);
    carriedOut(chain, STAKE, undelegation(STAKE, OTHER, 10n * TRX));
    expect(listed()).toEqual([POOR.address]);
    carriedOut(chain, STAKE, undelegation(STAKE, POOR, 20n * TRX));
    expect(listed()).toEqual([]);
  });

  it("are unlocked after their period, the others at once", () => {
    const chain = aStake();
    carriedOut(chain, STAKE, delegation(STAKE, POOR, 10n * TRX, { lock: true, lockPeriod: 20n }));
    carriedOut(chain, STAKE, delegation(STAKE, POOR, 5n * TRX));
    expect(() => send(chain, STAKE, undelegation(STAKE, POOR, 6n * TRX))).toThrow(
      "insufficient delegateFrozenBalance(Energy), request=6000000, unlock_balance=5000000",
    );
    expect(() => send(chain, STAKE, delegation(STAKE, POOR, TRX, { lock: true, lockPeriod: 2n }))).toThrow(
      "this time cannot be less than the remaining time[",
    );
    mineBlock(chain, 22 * SLOT_MS);
    expect(carriedOut(chain, STAKE, undelegation(STAKE, POOR, 15n * TRX)).contractRet).toBe("SUCCESS");
  });

  it.each([
    ["less than 1 TRX", POOR, TRX - 1n, {}, "delegateBalance must be greater than or equal to 1 TRX"],
    ["more than is free", POOR, STAKED + TRX, {}, "available FreezeEnergyV2 balance"],
    [
      "of a resource without stake",
      POOR,
      TRX,
      { resource: "BANDWIDTH" },
      "available FreezeBandwidthV2 balance",
    ],
    ["to itself", STAKE, TRX, {}, "receiverAddress must not be the same as ownerAddress"],
    ["to an account that was never activated", STRANGER, TRX, {}, `Account[${STRANGER.address}] not exists`],
    [
      "to a contract",
      { address: GENESIS.usdtContract },
      TRX,
      {},
      "Do not allow delegate resources to contract",
    ],
    ["locked for too long", POOR, TRX, { lock: true, lockPeriod: 864_001n }, "cannot exceed 864000!"],
    ["of votes", POOR, TRX, { resource: "TRON_POWER" }, "valid ResourceCode[BANDWIDTH、ENERGY]"],
  ] as const)("%s are refused with java-tron's texts", (_, to, balance, change, text) => {
    const chain = aStake();
    expect(() => send(chain, STAKE, delegation(STAKE, to, balance, change))).toThrow(text);
  });

  it("that do not exist, are zero or exceed the delegated amount cannot be undelegated", () => {
    const chain = aStake();
    expect(() => send(chain, STAKE, undelegation(STAKE, POOR, TRX))).toThrow(
      "delegated Resource does not exist",
    );
    carriedOut(chain, STAKE, delegation(STAKE, POOR, 5n * TRX));
    expect(() => send(chain, STAKE, undelegation(STAKE, POOR, 0n))).toThrow(
      "unDelegateBalance must be more than 0 TRX",
    );
    expect(() => send(chain, STAKE, undelegation(STAKE, POOR, 6n * TRX))).toThrow("request=6000000");
    expect(() => send(chain, STAKE, undelegation(STAKE, POOR, TRX, "BANDWIDTH"))).toThrow(
      "insufficient delegatedFrozenBalance(BANDWIDTH), request=1000000, unlock_balance=0",
    );
    expect(() => send(chain, POOR, undelegation(POOR, STAKE, TRX))).toThrow("does not exist");
  });
});
