import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockId, headerHash, transactionRoot } from "@daric/tron/block";
import type { Permission } from "@daric/tron/contract-shapes";
import { keyPairFromPhrase, recoverSigner } from "@daric/tron/signature";
import { afterEach, describe, expect, it } from "vitest";
import {
  aChain,
  accountOf,
  carriedOut,
  delegation,
  freezing,
  mineBlocks,
  START_MS,
  send,
  trxTransfer,
  usdtTransfer,
} from "../../test/chain-builders.ts";
import { chainParameter } from "../ledger/chain-parameters.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { SLOT_MS } from "../ledger/limits.ts";
import {
  advanceTime,
  chainTimeMs,
  changeSettings,
  FIRST_BLOCKS,
  headOf,
  headTimeMs,
  type LocalChain,
  mineBlock,
  openChain,
  readState,
  solidOf,
} from "./chain.ts";
import { blockAt, findTransaction, type StoredBlock } from "./chain-store.ts";
import { reorganize } from "./reorganize.ts";
import { WITNESSES } from "./schedule.ts";

const { payer } = GENESIS;
const ALICE = keyPairFromPhrase("chain alice").address;
const directories: string[] = [];

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "devchain-test-"));
  directories.push(directory);
  return directory;
}

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function stored(chain: LocalChain, number: number): StoredBlock {
  const block = blockAt(chain.store, number);
  if (block === undefined) throw new Error(`no block ${number}`);
  return block;
}

function reopened(chain: LocalChain, directory: string): LocalChain {
  chain.store.log.close();
  return aChain(directory);
}

describe("a fresh chain", () => {
  it("has the same genesis, payer and USDT address on every machine", () => {
    expect(aChain().store.ids[0]).toBe("0000000000000000b6995d1ded9249e1c860857a156d717aac2fcacb2c65d556");
    expect(payer.address).toBe("415c7aa51c011b32cea0addb21ad266f2c62cd5a46");
    expect(GENESIS.usdtContract).toBe("41ed9e1c715595f115124b2d8212f7f24de54277d9");
  });

  it("begins with blocks up to the present, so that the solid block has a time", () => {
    const chain = aChain();
    expect([headOf(chain), solidOf(chain), headTimeMs(chain)]).toEqual([FIRST_BLOCKS, 2, START_MS]);
    expect(stored(chain, solidOf(chain)).block.header.timestamp).toBeGreaterThan(0);
  });
});

describe("every block", () => {
  it("is linked to its parent, identified by its header, rooted over its transactions, signed by turn", () => {
    const chain = aChain();
    send(chain, payer, trxTransfer(payer, ALICE, 5n));
    send(chain, payer, usdtTransfer(payer, ALICE, 5n));
    mineBlocks(chain, 30);
    for (let number = 1; number <= headOf(chain); number += 1) {
      const { id, header, witnessSignature, transactions } = stored(chain, number).block;
      expect(header.parentHash).toBe(chain.store.ids[number - 1]);
      expect(id).toBe(blockId(header));
      expect(header.txTrieRoot).toBe(transactionRoot(transactions));
      expect(header.witnessAddress).toBe(WITNESSES[(header.timestamp / SLOT_MS) % 27]?.address);
      expect(recoverSigner(headerHash(header), witnessSignature)).toBe(header.witnessAddress);
    }
  });

  it("comes one slot after the last, each of 27 witnesses in turn", () => {
    const chain = aChain();
    mineBlocks(chain, 27);
    const headers = Array.from({ length: 27 }, (_, at) => stored(chain, FIRST_BLOCKS + 1 + at).block.header);
    expect(new Set(headers.map(({ witnessAddress }) => witnessAddress)).size).toBe(27);
    expect(headers.at(-1)?.timestamp).toBe(START_MS + 27 * SLOT_MS);
  });
});

describe("solidity", () => {
  it("is exactly 18 blocks behind, balances included", () => {
    const chain = aChain();
    send(chain, payer, trxTransfer(payer, ALICE, 5n));
    mineBlock(chain);
    const minedAt = headOf(chain);
    mineBlocks(chain, 17);
    expect(readState(chain, "head").account(ALICE)?.balance).toBe(5n);
    expect(readState(chain, "solid").account(ALICE)).toBeUndefined();
    mineBlock(chain);
    expect(solidOf(chain)).toBe(minedAt);
    expect(readState(chain, "solid").account(ALICE)?.balance).toBe(5n);
  });
});

describe("time", () => {
  it("blocks mined ahead of the wall clock follow the head, and a later wall clock moves the next block forward", () => {
    let wall = START_MS;
    const chain = openChain({ dataDir: undefined, now: () => wall });
    mineBlocks(chain, 100);
    expect(headTimeMs(chain)).toBe(START_MS + 100 * SLOT_MS);
    wall = START_MS + 1000 * SLOT_MS + 2999;
    mineBlock(chain);
    expect(headTimeMs(chain)).toBe(START_MS + 1000 * SLOT_MS);
  });

  it("after a move the next block is at least that much later, in a slot", () => {
    const chain = aChain();
    advanceTime(chain, 10_000);
    advanceTime(chain, 10_000);
    expect(chainTimeMs(chain)).toBe(START_MS + 20_000);
    mineBlock(chain);
    expect(headTimeMs(chain)).toBe(START_MS + 21_000);
  });

  it("a longer step leaves missed slots, and numbers stay consecutive", () => {
    const chain = aChain();
    mineBlock(chain, 3 * SLOT_MS);
    expect(headOf(chain)).toBe(FIRST_BLOCKS + 1);
    expect(headTimeMs(chain)).toBe(START_MS + 3 * SLOT_MS);
  });
});

describe("a restart", () => {
  it("keeps head, solid block, balances, transactions and infos", () => {
    const directory = aDirectory();
    const chain = aChain(directory);
    const txId = send(chain, payer, usdtTransfer(payer, ALICE, 5n));
    send(chain, payer, trxTransfer(payer, ALICE, 7n));
    mineBlocks(chain, 25);
    const block = stored(chain, FIRST_BLOCKS + 1);
    const again = reopened(chain, directory);
    expect(again.store.ids).toEqual(chain.store.ids);
    expect([...again.store.solidChanges.slots]).toEqual([...chain.store.solidChanges.slots]);
    expect(readState(again, "head").account(payer.address)).toEqual(
      readState(chain, "head").account(payer.address),
    );
    expect(readState(again, "solid").account(ALICE)?.balance).toBe(7n);
    expect(stored(again, FIRST_BLOCKS + 1)).toEqual(block);
    expect(findTransaction(again.store, txId)?.outcome.receipt.energyFee).toBe(13_028_500n);
    mineBlock(again);
    expect(stored(again, headOf(again)).block.header.parentHash).toBe(again.store.ids[headOf(again) - 1]);
    again.store.log.close();
  });

  it("keeps stakes, delegations, their use, permissions and settings", () => {
    const directory = aDirectory();
    const chain = aChain(directory);
    const alice = { address: ALICE };
    send(chain, payer, trxTransfer(payer, ALICE, 5n));
    carriedOut(chain, payer, freezing(payer, 50_000_000_000n));
    carriedOut(chain, payer, usdtTransfer(payer, ALICE, 5n));
    carriedOut(chain, payer, delegation(payer, alice, 7_000_000n));
    carriedOut(chain, payer, {
      kind: "unfreeze",
      ownerAddress: payer.address,
      unfreezeBalance: 9n,
      resource: "ENERGY",
    });
    const keys = [{ address: payer.address, weight: 1n }];
    const owner: Permission = {
      type: "Owner",
      id: 0,
      // A text that a naive encoding of bigint would read back as a number.
      permissionName: "12n",
      threshold: 1n,
      parentId: 0,
      operations: "",
      keys,
    };
    const active: Permission = { ...owner, type: "Active", operations: "00".repeat(32) };
    carriedOut(chain, payer, {
      kind: "permissionUpdate",
      ownerAddress: payer.address,
      owner,
      witness: undefined,
      actives: [active],
    });
    changeSettings(chain, new Map([["getEnergyFee", 210n]]));
    mineBlock(chain);
    const before = readState(chain, "head");
    const again = reopened(chain, directory);
    const after = readState(again, "head");
    expect(after.account(payer.address)).toEqual(before.account(payer.address));
    expect(accountOf(again, payer).usage.ENERGY.used).toBeGreaterThan(0);
    expect(accountOf(again, payer).unfreezing).toHaveLength(1);
    expect(accountOf(again, payer).permissions?.owner).toEqual(owner);
    expect(accountOf(again, alice).acquired.ENERGY).toBe(7_000_000n);
    expect([...after.delegations()]).toEqual([...before.delegations()]);
    expect(chainParameter(after, "getEnergyFee")).toBe(210n);
    again.store.log.close();
  });

  it("keeps a reorganisation completely", () => {
    const directory = aDirectory();
    const chain = aChain(directory);
    const txId = send(chain, payer, trxTransfer(payer, ALICE, 5n));
    mineBlocks(chain, 3);
    reorganize(chain, { depth: 3, drop: [txId], fail: [], move: [] });
    const again = reopened(chain, directory);
    expect(again.store.ids).toEqual(chain.store.ids);
    expect(findTransaction(again.store, txId)).toBeUndefined();
    expect(readState(again, "head").account(ALICE)).toBeUndefined();
    again.store.log.close();
  });

  it("after a kill during a write loses only the torn block, at any position", () => {
    const directory = aDirectory();
    const path = join(directory, "blocks.log");
    const chain = aChain(directory);
    send(chain, payer, trxTransfer(payer, ALICE, 5n));
    mineBlock(chain);
    const head = headOf(chain);
    const before = readFileSync(path).length;
    mineBlock(chain);
    const after = readFileSync(path);
    chain.store.log.close();
    for (const size of [before + 1, before + 5, Math.floor((before + after.length) / 2), after.length - 1]) {
      writeFileSync(path, after);
      truncateSync(path, size);
      const again = aChain(directory);
      expect(headOf(again)).toBe(head);
      expect(readState(again, "head").account(ALICE)?.balance).toBe(5n);
      mineBlock(again);
      const once = reopened(again, directory);
      expect(headOf(once)).toBe(head + 1);
      once.store.log.close();
    }
  });

  it("after a kill during the very first write begins again", () => {
    const directory = aDirectory();
    writeFileSync(join(directory, "blocks.log"), "devchain-st");
    const chain = aChain(directory);
    expect(headOf(chain)).toBe(FIRST_BLOCKS);
    expect(headOf(reopened(chain, directory))).toBe(FIRST_BLOCKS);
  });

  it("after a kill among the first blocks makes the missing ones", () => {
    const directory = aDirectory();
    aChain(directory).store.log.close();
    const path = join(directory, "blocks.log");
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, `${lines.slice(0, 6).join("\n")}\n`);
    const chain = aChain(directory);
    expect([headOf(chain), solidOf(chain), headTimeMs(chain)]).toEqual([FIRST_BLOCKS, 2, START_MS]);
  });

  it("refuses damage in the middle, another version, and a second writer", () => {
    const directory = aDirectory();
    const path = join(directory, "blocks.log");
    const chain = aChain(directory);
    const intact = readFileSync(path, "utf8");
    appendFileSync(path, "another process was here\n");
    expect(() => mineBlock(chain)).toThrow("another process");
    chain.store.log.close();
    writeFileSync(path, intact.replace('"ancestor":3', '"ancestor":4'));
    expect(() => aChain(directory)).toThrow("damaged");
    writeFileSync(path, intact.replace("devchain-state 2", "devchain-state 1"));
    expect(() => aChain(directory)).toThrow("devchain-state 1");
  });
});
