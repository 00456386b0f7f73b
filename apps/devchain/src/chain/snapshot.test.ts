import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { afterEach, describe, expect, it } from "vitest";
import { aChain, mineBlocks, START_MS, send, trxTransfer, usdtTransfer } from "../../test/chain-builders.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import {
  advanceTime,
  changeSettings,
  headOf,
  type LocalChain,
  mineBlock,
  openChain,
  readState,
} from "./chain.ts";
import { reorganize } from "./reorganize.ts";
import { noSnapshots, revertTo, takeSnapshot } from "./snapshot.ts";
import { replace } from "./witnesses.ts";

const ALICE = keyPairFromPhrase("snapshot alice");
const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "devchain-test-"));
  directories.push(directory);
  return directory;
}

const pay = (chain: LocalChain, sun: bigint) =>
  send(chain, GENESIS.payer, trxTransfer(GENESIS.payer, ALICE.address, sun));
const aliceHas = (chain: LocalChain, cursor: "head" | "solid" = "head") =>
  readState(chain, cursor).account(ALICE.address)?.balance;

/** A chain with a paid block, a transaction in its pool, a setting and a time that wait, and a replaced witness key. */
function aBusyChain(dataDir?: string): LocalChain {
  const chain = aChain(dataDir);
  pay(chain, 5_000_000n);
  mineBlock(chain);
  send(chain, GENESIS.payer, usdtTransfer(GENESIS.payer, ALICE.address, 7n));
  changeSettings(chain, new Map([["getEnergyFee", 210n]]));
  advanceTime(chain, 60_000);
  replace(chain.witnesses, "witness_keys", 1);
  return chain;
}

/** Does always the same, and returns the ids of the blocks: they cover parents, times, witnesses and transactions. */
function idsOfNextBlocks(chain: LocalChain): string[] {
  const before = headOf(chain);
  mineBlocks(chain, 2);
  pay(chain, 1n);
  mineBlocks(chain, 30);
  return chain.store.ids.slice(before);
}

describe.each(["in memory", "on disk"])("a snapshot %s", (place) => {
  const dataDir = () => (place === "on disk" ? aDirectory() : undefined);

  it("brings back blocks, state, pool, settings, witnesses and time, so the same acts give the same blocks", () => {
    const chain = aBusyChain(dataDir());
    const snapshots = noSnapshots();
    const id = takeSnapshot(snapshots, chain);
    const [head, pool, balance] = [headOf(chain), [...chain.pool.keys()], aliceHas(chain)];
    const first = idsOfNextBlocks(chain);
    for (let round = 0; round < 2; round += 1) {
      expect(revertTo(snapshots, chain, id)).toBe(true);
      expect([headOf(chain), [...chain.pool.keys()], aliceHas(chain)]).toEqual([head, pool, balance]);
      expect(aliceHas(chain, "solid")).toBeUndefined();
      expect(idsOfNextBlocks(chain)).toEqual(first);
    }
  });
});

it("a fork after a snapshot is undone with it", () => {
  const chain = aBusyChain();
  const snapshots = noSnapshots();
  const id = takeSnapshot(snapshots, chain);
  const ids = [...chain.store.ids];
  reorganize(chain, { depth: 3, drop: [], fail: [], move: [] });
  revertTo(snapshots, chain, id);
  expect(chain.store.ids).toEqual(ids);
});

it("after a return a kept chain starts with the blocks of the snapshot and those mined since", () => {
  const directory = aDirectory();
  const chain = aBusyChain(directory);
  const snapshots = noSnapshots();
  const id = takeSnapshot(snapshots, chain);
  mineBlocks(chain, 25);
  revertTo(snapshots, chain, id);
  mineBlocks(chain, 2);
  chain.store.log.close();
  expect(aChain(directory).store.ids).toEqual(chain.store.ids);
});

it("a return drops later snapshots and no earlier one, and an unknown id does nothing", () => {
  const chain = aChain();
  const snapshots = noSnapshots();
  const [first = "", second = "", third = ""] = [0, 1, 2].map(() => {
    mineBlock(chain);
    return takeSnapshot(snapshots, chain);
  });
  expect(revertTo(snapshots, chain, second)).toBe(true);
  expect(headOf(chain)).toBe(22);
  expect(revertTo(snapshots, chain, third)).toBe(false);
  expect(headOf(chain)).toBe(22);
  expect(revertTo(snapshots, chain, first)).toBe(true);
  expect(headOf(chain)).toBe(21);
  expect(takeSnapshot(snapshots, chain)).not.toBe(third);
});

it("the clock goes on from the snapshot, however long the wall clock went on", () => {
  let wallMs = START_MS;
  const chain = openChain({ dataDir: undefined, now: () => wallMs });
  const snapshots = noSnapshots();
  const id = takeSnapshot(snapshots, chain);
  wallMs += 7_000;
  mineBlock(chain);
  const timestamp = chain.store.timestamps.at(-1);
  wallMs += 3_600_000;
  revertTo(snapshots, chain, id);
  wallMs += 7_000;
  mineBlock(chain);
  expect(chain.store.timestamps.at(-1)).toBe(timestamp);
});
