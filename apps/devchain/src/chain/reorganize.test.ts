import { headerHash } from "@daric/tron/block";
import { keyPairFromPhrase, recoverSigner } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import {
  aChain,
  accountOf,
  carriedOut,
  delegation,
  freezing,
  mineBlocks,
  send,
  trxTransfer,
  usdtTransfer,
} from "../../test/chain-builders.ts";
import { chainParameter } from "../ledger/chain-parameters.ts";
import { counterparts } from "../ledger/delegation-list.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { totalWeight } from "../ledger/resource-limits.ts";
import {
  changeSettings,
  headOf,
  headTimeMs,
  type LocalChain,
  mineBlock,
  readState,
  solidOf,
  submitTransaction,
} from "./chain.ts";
import { blockAt, blockById, findTransaction } from "./chain-store.ts";
import { reorganize } from "./reorganize.ts";

const { payer } = GENESIS;
const ALICE = keyPairFromPhrase("reorg alice");
const NOTHING = { drop: [], fail: [], move: [] };

function placeOf(chain: LocalChain, txId: string): number | undefined {
  return findTransaction(chain.store, txId)?.block.header.number;
}

describe("a reorganisation", () => {
  it("replaces exactly the last blocks by a linked, signed branch that is one block longer", () => {
    const chain = aChain();
    mineBlocks(chain, 20);
    const old = [...chain.store.ids];
    const oldHead = headOf(chain);
    reorganize(chain, { depth: 5, ...NOTHING });
    expect(headOf(chain)).toBe(oldHead + 1);
    expect(chain.store.ids.slice(0, oldHead - 4)).toEqual(old.slice(0, oldHead - 4));
    for (let number = oldHead - 4; number <= headOf(chain); number += 1) {
      const block = blockAt(chain.store, number)?.block;
      expect(block?.id).not.toBe(old[number]);
      expect(block?.header.parentHash).toBe(chain.store.ids[number - 1]);
      expect(block && recoverSigner(headerHash(block.header), block.witnessSignature)).toBe(
        block?.header.witnessAddress,
      );
    }
    mineBlock(chain);
    expect(blockAt(chain.store, headOf(chain))?.block.header.parentHash).toBe(chain.store.ids[oldHead + 1]);
  });

  it("keeps each transaction in its block by default", () => {
    const chain = aChain();
    const txId = send(chain, payer, trxTransfer(payer, ALICE.address, 5n));
    mineBlocks(chain, 3);
    const place = placeOf(chain, txId);
    reorganize(chain, { depth: 3, ...NOTHING });
    expect(placeOf(chain, txId)).toBe(place);
    expect(readState(chain, "head").account(ALICE.address)?.balance).toBe(5n);
  });

  it("a dropped transaction vanishes with its effects and can be broadcast again", () => {
    const chain = aChain();
    const txId = send(chain, payer, usdtTransfer(payer, ALICE.address, 5n));
    mineBlock(chain);
    const transaction = findTransaction(chain.store, txId)?.block.transactions[0]?.transaction;
    reorganize(chain, { ...NOTHING, depth: 1, drop: [txId] });
    expect(placeOf(chain, txId)).toBeUndefined();
    expect(readState(chain, "head").slot(`${GENESIS.usdtContract}/balance:${ALICE.address}`)).toBe(0n);
    if (transaction !== undefined) submitTransaction(chain, transaction);
    mineBlock(chain);
    expect(placeOf(chain, txId)).toBe(headOf(chain));
  });

  it("a failed contract call stays without logs or effects and pays its fees", () => {
    const chain = aChain();
    const txId = send(chain, payer, usdtTransfer(payer, ALICE.address, 5n));
    mineBlock(chain);
    reorganize(chain, { ...NOTHING, depth: 1, fail: [txId] });
    const found = findTransaction(chain.store, txId);
    expect(found?.outcome).toMatchObject({ contractRet: "REVERT", logs: [], fee: 13_028_500n });
    expect(found?.outcome.receipt.result).toBe("REVERT");
    expect(found?.block.transactions[0]?.contractRet).toBe("REVERT");
    expect(readState(chain, "head").slot(`${GENESIS.usdtContract}/balance:${ALICE.address}`)).toBe(0n);
  });

  it("a failed TRX transfer stays without moving money", () => {
    const chain = aChain();
    const txId = send(chain, payer, trxTransfer(payer, ALICE.address, 5n));
    mineBlock(chain);
    reorganize(chain, { ...NOTHING, depth: 1, fail: [txId] });
    expect(findTransaction(chain.store, txId)?.outcome.contractRet).toBe("TRANSFER_FAILED");
    expect(readState(chain, "head").account(ALICE.address)).toBeUndefined();
  });

  it("a moved transaction comes one block later, even from the last block", () => {
    const chain = aChain();
    mineBlocks(chain, 2);
    const txId = send(chain, payer, trxTransfer(payer, ALICE.address, 5n));
    mineBlock(chain);
    const place = headOf(chain);
    reorganize(chain, { ...NOTHING, depth: 2, move: [txId] });
    expect(placeOf(chain, txId)).toBe(place + 1);
  });

  it("a dropped delegation is undone completely: stake, receiver and list", () => {
    const chain = aChain();
    send(chain, payer, trxTransfer(payer, ALICE.address, 5n));
    carriedOut(chain, payer, freezing(payer, 50_000_000_000n));
    const before = accountOf(chain, payer);
    const txId = send(chain, payer, delegation(payer, ALICE, 7_000_000n));
    mineBlocks(chain, 2);
    reorganize(chain, { ...NOTHING, depth: 2, drop: [txId] });
    expect(accountOf(chain, payer)).toEqual(before);
    expect(accountOf(chain, ALICE).acquired.ENERGY).toBe(0n);
    expect(counterparts(readState(chain, "head"), payer.address, "to")).toEqual([]);
  });

  it("a replaced stake counts once in the weight of the network", () => {
    const chain = aChain();
    const weight = () => totalWeight(readState(chain, "head"), "ENERGY");
    const before = weight();
    carriedOut(chain, payer, freezing(payer, 50_000_000_000n));
    reorganize(chain, { ...NOTHING, depth: 1 });
    expect(weight()).toBe(before + 50_000n);
  });

  it("settings stay in their blocks, and prices are charged as before", () => {
    const chain = aChain();
    const early = send(chain, payer, usdtTransfer(payer, ALICE.address, 5n));
    mineBlock(chain);
    changeSettings(chain, new Map([["getEnergyFee", 210n]]));
    const late = send(chain, payer, usdtTransfer(payer, ALICE.address, 5n));
    mineBlocks(chain, 2);
    const fees = () =>
      [early, late].map((txId) => findTransaction(chain.store, txId)?.outcome.receipt.energyFee);
    const before = fees();
    reorganize(chain, { ...NOTHING, depth: 3 });
    expect(fees()).toEqual(before);
    expect(before).toEqual([13_028_500n, 13_499_850n]);
    expect(chainParameter(readState(chain, "head"), "getEnergyFee")).toBe(210n);
  });

  it("a payment that a dropped transaction had funded vanishes with it", () => {
    const chain = aChain();
    const funding = send(chain, payer, trxTransfer(payer, ALICE.address, 5_000_000n));
    mineBlock(chain);
    const spending = send(chain, ALICE, trxTransfer(ALICE, payer.address, 1n));
    mineBlock(chain);
    reorganize(chain, { ...NOTHING, depth: 2, drop: [funding] });
    expect(placeOf(chain, spending)).toBeUndefined();
  });

  it("replaced blocks are still found by id, as on a node, but not by number", () => {
    const chain = aChain();
    const id = chain.store.ids[headOf(chain)] ?? "";
    reorganize(chain, { depth: 1, ...NOTHING });
    expect(blockById(chain.store, id)?.block.id).toBe(id);
    expect(chain.store.ids).not.toContain(id);
  });

  it("goes as deep as the solid block and no deeper, again and again", () => {
    const chain = aChain();
    const solid = chain.store.ids[solidOf(chain)];
    for (let round = 0; round < 3; round += 1) reorganize(chain, { depth: 18, ...NOTHING });
    expect(chain.store.ids[2]).toBe(solid);
    expect(() => reorganize(chain, { depth: 19, ...NOTHING })).toThrow("solid");
    expect(headTimeMs(chain)).toBe(blockAt(chain.store, headOf(chain))?.block.header.timestamp);
  });

  it("refuses ids that are not in the replaced blocks or occur twice", () => {
    const chain = aChain();
    const txId = send(chain, payer, trxTransfer(payer, ALICE.address, 5n));
    mineBlocks(chain, 2);
    expect(() => reorganize(chain, { ...NOTHING, depth: 1, drop: [txId] })).toThrow("none of the last 1");
    expect(() => reorganize(chain, { depth: 2, drop: [txId], fail: [txId], move: [] })).toThrow(
      "more than once",
    );
  });
});
