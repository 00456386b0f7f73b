import { keyPairFromPhrase } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import {
  accountOf,
  aFundedChain,
  carriedOut,
  freezing,
  send,
  trxTransfer,
} from "../../test/chain-builders.ts";
import { type LocalChain, mineBlock, readState } from "../chain/chain.ts";
import { GENESIS } from "./genesis-accounts.ts";
import { DAY_MS, SUN_PER_TRX } from "./limits.ts";
import { resourceLeft, resourceLimit, totalWeight } from "./resource-limits.ts";
import type { ResourceCode } from "./resource-usage.ts";
import { MAX_UNFREEZINGS } from "./stake.ts";

const ALICE = keyPairFromPhrase("stake alice");
const STRANGER = keyPairFromPhrase("stake stranger");
const TRX = SUN_PER_TRX;
const owner = { ownerAddress: ALICE.address };

const unfreeze = (unfreezeBalance: bigint, resource: ResourceCode = "ENERGY") =>
  ({ kind: "unfreeze", ...owner, unfreezeBalance, resource }) as const;
const WITHDRAW = { kind: "withdrawUnfrozen", ...owner } as const;
const CANCEL = { kind: "cancelUnfreeze", ...owner } as const;

/** A chain on which Alice has staked 50,000 of her TRX for energy. */
function aStake(): LocalChain {
  const chain = aFundedChain(100_000n * TRX, ALICE);
  carriedOut(chain, ALICE, freezing(ALICE, 50_000n * TRX));
  return chain;
}

describe("staking", () => {
  it("moves TRX from the balance into the stake, costs only bandwidth, and adds to the network's weight", () => {
    const chain = aFundedChain(100_000n * TRX, ALICE);
    const before = totalWeight(readState(chain, "head"), "ENERGY");
    const outcome = carriedOut(chain, ALICE, freezing(ALICE, 50_000_900_000n));
    expect(outcome).toMatchObject({ fee: 0n, contractRet: "SUCCESS", contractAddress: "" });
    const { balance, frozen } = accountOf(chain, ALICE);
    expect([balance, frozen.ENERGY]).toEqual([49_999_100_000n, 50_000_900_000n]);
    expect(totalWeight(readState(chain, "head"), "ENERGY")).toBe(before + 50_000n);
  });

  it("gives the stake's share of all energy: about 9.5 a day for each TRX, as on mainnet", () => {
    const state = readState(aStake(), "head");
    expect(resourceLimit(state, 50_000n * TRX, "ENERGY")).toBe(473_682);
    expect(resourceLimit(state, 0n, "ENERGY")).toBe(0);
  });

  it("for bandwidth pays for transactions before the free quota does, and replaces an activation's 0.1 TRX", () => {
    const chain = aFundedChain(100_000n * TRX, ALICE);
    carriedOut(chain, ALICE, freezing(ALICE, 50_000n * TRX, "BANDWIDTH"));
    const free = accountOf(chain, ALICE).freeNet.used;
    const state = () => readState(chain, "head");
    const before = resourceLeft(state(), accountOf(chain, ALICE), { resource: "BANDWIDTH", nowMs: 0 });
    const plain = carriedOut(chain, ALICE, trxTransfer(ALICE, GENESIS.payer.address, 1n));
    const activating = carriedOut(chain, ALICE, trxTransfer(ALICE, STRANGER.address, 1n));
    expect(plain).toMatchObject({ fee: 0n });
    expect(activating).toMatchObject({ fee: 1_000_000n, receipt: { netFee: 0n } });
    const used = plain.receipt.netUsage + activating.receipt.netUsage;
    const nowMs = accountOf(chain, ALICE).usage.BANDWIDTH.timeMs;
    expect(
      Math.abs(
        before - used - resourceLeft(state(), accountOf(chain, ALICE), { resource: "BANDWIDTH", nowMs }),
      ),
    ).toBeLessThan(2);
    expect(accountOf(chain, ALICE).freeNet.used).toBe(free);
  });

  it.each([
    ["nothing", 0n, "ENERGY", "frozenBalance must be positive"],
    ["less than 1 TRX", TRX - 1n, "ENERGY", "frozenBalance must be greater than or equal to 1 TRX"],
    ["more than the balance", 200_000n * TRX, "ENERGY", "less than or equal to accountBalance"],
    ["for votes", TRX, "TRON_POWER", "ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]"],
  ] as const)("%s is refused with java-tron's text", (_, frozenBalance, resource, text) => {
    const chain = aFundedChain(100_000n * TRX, ALICE);
    const contract = { kind: "freeze", ...owner, frozenBalance, resource } as const;
    expect(() => send(chain, ALICE, contract)).toThrow(text);
  });
});

describe("unfreezing", () => {
  it("lowers the limit at once, and pays the TRX out 14 days later", () => {
    const chain = aStake();
    carriedOut(chain, ALICE, unfreeze(20_000n * TRX));
    expect(accountOf(chain, ALICE).frozen.ENERGY).toBe(30_000n * TRX);
    expect(() => send(chain, ALICE, WITHDRAW)).toThrow("no unFreeze balance to withdraw ");
    mineBlock(chain, 14 * DAY_MS);
    const before = accountOf(chain, ALICE).balance;
    expect(carriedOut(chain, ALICE, WITHDRAW)).toMatchObject({ withdrawExpireAmount: 20_000n * TRX });
    expect(accountOf(chain, ALICE)).toMatchObject({ balance: before + 20_000n * TRX, unfreezing: [] });
  });

  it("pays out expired amounts with the next unfreezing", () => {
    const chain = aStake();
    carriedOut(chain, ALICE, unfreeze(20_000n * TRX));
    mineBlock(chain, 14 * DAY_MS);
    expect(carriedOut(chain, ALICE, unfreeze(TRX))).toMatchObject({ withdrawExpireAmount: 20_000n * TRX });
    expect(accountOf(chain, ALICE).unfreezing).toHaveLength(1);
  });

  it("can be cancelled, which stakes it again", () => {
    const chain = aStake();
    const weight = totalWeight(readState(chain, "head"), "ENERGY");
    carriedOut(chain, ALICE, unfreeze(20_000n * TRX));
    expect(totalWeight(readState(chain, "head"), "ENERGY")).toBe(weight - 20_000n);
    expect(carriedOut(chain, ALICE, CANCEL)).toMatchObject({
      cancelledUnfreezing: { BANDWIDTH: 0n, ENERGY: 20_000n * TRX },
      withdrawExpireAmount: 0n,
    });
    expect(accountOf(chain, ALICE).frozen.ENERGY).toBe(50_000n * TRX);
    expect(totalWeight(readState(chain, "head"), "ENERGY")).toBe(weight);
    expect(() => send(chain, ALICE, CANCEL)).toThrow("No unfreezeV2 list to cancel");
  });

  it("is refused beyond the stake, without one, and a 33rd time", () => {
    const chain = aStake();
    expect(() => send(chain, ALICE, unfreeze(50_001n * TRX))).toThrow(
      "Invalid unfreeze_balance, [50001000000] is error",
    );
    expect(() => send(chain, ALICE, unfreeze(TRX, "BANDWIDTH"))).toThrow("no frozenBalance(BANDWIDTH)");
    for (let count = 0; count < MAX_UNFREEZINGS; count += 1)
      send(chain, ALICE, unfreeze(TRX + BigInt(count)));
    expect(() => send(chain, ALICE, unfreeze(TRX))).toThrow("unfreezing times is over limit");
  });
});
