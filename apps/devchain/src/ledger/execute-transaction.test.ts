import { keyPairFromPhrase } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import {
  aChain,
  aFundedChain,
  executionOutcomeOf,
  mineBlocks,
  send,
  trxTransfer,
  usdtTransfer,
} from "../../test/chain-builders.ts";
import { type LocalChain, mineBlock, readState } from "../chain/chain.ts";
import { GENESIS } from "./genesis-accounts.ts";
import type { TransactionOutcome } from "./transaction-info.ts";

const { payer } = GENESIS;
const ALICE = keyPairFromPhrase("execute alice");
const BOB = keyPairFromPhrase("execute bob");
const DAY_BLOCKS_MS = 24 * 60 * 60 * 1000;

function balanceOf(chain: LocalChain, address: string): bigint | undefined {
  return readState(chain, "head").account(address)?.balance;
}

function mined(chain: LocalChain, txId: string): TransactionOutcome {
  mineBlock(chain);
  return executionOutcomeOf(chain, txId);
}

function aliceHas(sun: bigint): LocalChain {
  return aFundedChain(sun, ALICE);
}

describe("TRX transfers", () => {
  it("activating the receiver costs 1.1 TRX and no free bandwidth", () => {
    const chain = aliceHas(10_000_000n);
    const outcome = mined(chain, send(chain, ALICE, trxTransfer(ALICE, BOB.address, 1n)));
    expect(outcome.fee).toBe(1_100_000n);
    expect(outcome.receipt).toMatchObject({ netFee: 100_000n, netUsage: 0 });
    expect(balanceOf(chain, ALICE.address)).toBe(10_000_000n - 1_100_000n - 1n);
    expect(balanceOf(chain, BOB.address)).toBe(1n);
  });

  it("600 bytes a day are free, then each byte burns 1000 sun, and a day later they are free again", () => {
    const chain = aliceHas(10_000_000n);
    const pay = () => mined(chain, send(chain, ALICE, trxTransfer(ALICE, payer.address, 1n)));
    const [first, second, third] = [pay(), pay(), pay()];
    expect(first.fee + second.fee).toBe(0n);
    expect(third.receipt).toMatchObject({ netUsage: 0, netFee: BigInt(first.receipt.netUsage) * 1000n });
    mineBlock(chain, DAY_BLOCKS_MS);
    expect(pay().fee).toBe(0n);
  });

  it("a memo burns the memo fee on top", () => {
    const chain = aliceHas(10_000_000n);
    const txId = send(chain, ALICE, trxTransfer(ALICE, payer.address, 1n), { memo: "6869" });
    expect(mined(chain, txId).fee).toBe(1_000_000n);
  });

  it.each([
    ["more than the balance", 10_000_001n, "balance is not sufficient"],
    ["nothing", 0n, "Amount must be greater than 0."],
  ])("sending %s is refused", (_, amount, text) => {
    const chain = aliceHas(10_000_000n);
    expect(() => send(chain, ALICE, trxTransfer(ALICE, payer.address, amount))).toThrow(text);
  });

  it("to the sender, to a contract or from an unknown account are refused", () => {
    const chain = aliceHas(10_000_000n);
    expect(() => send(chain, ALICE, trxTransfer(ALICE, ALICE.address, 1n))).toThrow("to yourself");
    expect(() => send(chain, ALICE, trxTransfer(ALICE, GENESIS.usdtContract, 1n))).toThrow("smartContract");
    expect(() => send(chain, BOB, trxTransfer(BOB, ALICE.address, 1n))).toThrow("does not exist");
  });

  it("of the pool count: a promised amount cannot be spent twice", () => {
    const chain = aliceHas(10_000_000n);
    send(chain, ALICE, trxTransfer(ALICE, payer.address, 9_000_000n));
    expect(() => send(chain, ALICE, trxTransfer(ALICE, payer.address, 9_000_000n))).toThrow("not sufficient");
  });
});

describe("USDT transfers", () => {
  it("burn 130285 energy to a new holder and 64285 to a holder, and do not activate the receiver", () => {
    const chain = aChain();
    const first = mined(chain, send(chain, payer, usdtTransfer(payer, BOB.address, 5n)));
    const second = mined(chain, send(chain, payer, usdtTransfer(payer, BOB.address, 5n)));
    expect(first.receipt.energyFee).toBe(13_028_500n);
    expect(second.receipt.energyFee).toBe(6_428_500n);
    expect(balanceOf(chain, BOB.address)).toBeUndefined();
  });

  it("a fee limit that is too low fails with OUT_OF_ENERGY, burns the whole limit and moves nothing", () => {
    const chain = aChain();
    const before = balanceOf(chain, payer.address) ?? 0n;
    const txId = send(chain, payer, usdtTransfer(payer, BOB.address, 5n), { feeLimit: 1_000_000n });
    const outcome = mined(chain, txId);
    expect(outcome).toMatchObject({ contractRet: "OUT_OF_ENERGY", fee: 1_000_000n, logs: [] });
    expect(outcome.receipt).toMatchObject({ result: "OUT_OF_ENERGY", energyUsageTotal: 10_000 });
    expect(outcome.failureMessage).toContain("Not enough energy");
    expect(balanceOf(chain, payer.address)).toBe(before - 1_000_000n);
  });

  it("cost no more TRX for energy than the sender has", () => {
    const chain = aliceHas(2_000_000n);
    send(chain, payer, usdtTransfer(payer, ALICE.address, 5n));
    mineBlock(chain);
    const outcome = mined(chain, send(chain, ALICE, usdtTransfer(ALICE, BOB.address, 5n)));
    expect(outcome).toMatchObject({ contractRet: "OUT_OF_ENERGY", fee: 2_000_000n });
    expect(balanceOf(chain, ALICE.address)).toBe(0n);
  });

  it("beyond the balance revert, stay in the block and burn only the executed part", () => {
    const chain = aliceHas(100_000_000n);
    const outcome = mined(chain, send(chain, ALICE, usdtTransfer(ALICE, BOB.address, 5n)));
    expect(outcome).toMatchObject({
      contractRet: "REVERT",
      failureMessage: "REVERT opcode executed",
      logs: [],
    });
    expect(outcome.contractResult).toBe("");
    expect(outcome.fee).toBe(315_000n);
  });

  it("a fee limit above the maximum is refused", () => {
    const chain = aChain();
    const transfer = usdtTransfer(payer, BOB.address, 5n);
    expect(() => send(chain, payer, transfer, { feeLimit: 15_000_000_001n })).toThrow("feeLimit must be");
  });

  it("TRX is conserved except for burned amounts", () => {
    const chain = aChain();
    const total = () =>
      [payer.address, GENESIS.treasury.address, ALICE.address, BOB.address]
        .map((address) => balanceOf(chain, address) ?? 0n)
        .reduce((sum, balance) => sum + balance);
    const before = total();
    const txIds = [
      send(chain, payer, trxTransfer(payer, ALICE.address, 50_000_000n)),
      send(chain, payer, usdtTransfer(payer, BOB.address, 5n)),
      send(chain, ALICE, trxTransfer(ALICE, BOB.address, 7n)),
    ];
    mineBlocks(chain, 1);
    const burned = txIds.map((txId) => executionOutcomeOf(chain, txId).fee).reduce((sum, fee) => sum + fee);
    expect(total()).toBe(before - burned);
  });
});
