import type { TronTransaction } from "@daric/tron/transaction";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { executeTransaction } from "../ledger/execute-transaction.ts";
import { SLOT_MS } from "../ledger/limits.ts";
import { applySettings, type SettingName, type SettingValues } from "../ledger/settings.ts";
import { type Overlay, overlayOn, type StateReader } from "../ledger/state.ts";
import {
  appendBlocks,
  type ChainStore,
  headNumber,
  headState,
  openChainStore,
  solidState,
  stateAt,
} from "./chain-store.ts";
import type { GenesisHolder } from "./genesis.ts";
import { produceBlock } from "./produce-block.ts";
import { slotStart, solidNumber } from "./schedule.ts";
import { type ChainFacts, isExpired, validateTransaction } from "./validate-transaction.ts";
import { type ActiveWitnesses, firstWitnesses, replaceDue, witnessAt } from "./witnesses.ts";

export type LocalChain = {
  store: ChainStore;
  /** wall clock less `behindMs`, milliseconds */
  readonly now: () => number;
  /** how far a return to a snapshot put the clock back, milliseconds */
  behindMs: number;
  /** accepted transactions that wait for a block, in order of arrival */
  pool: Map<string, TronTransaction>;
  /** head state with the pool applied: the state of /wallet, as on a real node */
  pending: Overlay;
  witnesses: ActiveWitnesses;
  /** settings for the next block */
  settings: Map<SettingName, bigint>;
  /** the earliest time of the next block, milliseconds */
  notBeforeMs: number;
  /** each accepted transaction gets a block at once */
  automine: boolean;
};

export type ChainOptions = {
  readonly dataDir: string | undefined;
  readonly now: () => number;
  /** accounts with money on a fresh chain */
  readonly holders?: readonly GenesisHolder[];
};

/**
 * A fresh chain begins with this many blocks, so that the solid block has a time and clients have reference blocks.
 */
export const FIRST_BLOCKS = 20;
const MAX_POOL_TRANSACTIONS = 50_000;

/** Opens the chain in a directory, or a fresh one in memory. */
export function openChain({ dataDir, now, holders }: ChainOptions): LocalChain {
  const store = openChainStore(dataDir, holders);
  const chain: LocalChain = {
    store,
    now: () => now() - chain.behindMs,
    behindMs: 0,
    pool: new Map(),
    pending: overlayOn(headState(store)),
    witnesses: firstWitnesses(),
    settings: new Map(),
    notBeforeMs: 0,
    automine: false,
  };
  mineFirstBlocks(chain);
  return chain;
}

export function headOf(chain: LocalChain): number {
  return headNumber(chain.store);
}

/** The newest block that can no longer be replaced. */
export function solidOf(chain: LocalChain): number {
  return solidNumber(headOf(chain));
}

/** Block time of the head, or the time the chain was moved to if that is later; milliseconds. */
export function chainTimeMs(chain: LocalChain): number {
  return Math.max(headTimeMs(chain), chain.notBeforeMs);
}

export function headTimeMs(chain: LocalChain): number {
  return chain.store.timestamps.at(-1) ?? 0;
}

/** The state at a cursor, or as of a certain block. */
export function readState(chain: LocalChain, cursor: "head" | "solid", asOf?: number): StateReader {
  if (asOf !== undefined) return stateAt(chain.store, asOf);
  return cursor === "head" ? chain.pending : solidState(chain.store);
}

/**
 * Adds a transaction to the pool after all checks of a node, running it on the pending state first. With `automine` its
 * block follows at once.
 * @throws BroadcastRefusal when it fails one of them.
 */
export function submitTransaction(chain: LocalChain, transaction: TronTransaction): void {
  if (chain.pool.size >= MAX_POOL_TRANSACTIONS) throw new BroadcastRefusal("SERVER_BUSY", "");
  validateTransaction(transaction, factsOf(chain));
  executeTransaction(chain.pending, transaction, { nowMs: headTimeMs(chain) });
  chain.pool.set(transaction.txId, transaction);
  if (chain.automine) mineBlock(chain);
}

/**
 * Mines one block of all runnable transactions in the pool. Its time is one step after its parent, or the wall
 * clock's slot if that is later. A longer step leaves missed slots.
 */
export function mineBlock(chain: LocalChain, stepMs = SLOT_MS): void {
  const timestamp = Math.max(
    headTimeMs(chain) + stepMs,
    slotStart(chain.now()),
    slotStart(chain.notBeforeMs + SLOT_MS - 1),
  );
  mineBlockAt(chain, timestamp);
}

/** Moves time: the next block is at least this much later than both the head and the wall clock. */
export function advanceTime(chain: LocalChain, advanceMs: number): void {
  chain.notBeforeMs = Math.max(chainTimeMs(chain), chain.now()) + advanceMs;
}

/** Changes settings with the next block. The pending state has them at once, and the pool runs again. */
export function changeSettings(chain: LocalChain, values: SettingValues): void {
  if (values.size === 0) return;
  for (const [name, value] of values) chain.settings.set(name, value);
  refreshPending(chain);
}

/** Drops settled transactions from the pool and runs the others on the new head. */
export function refreshPending(chain: LocalChain): void {
  chain.pending = overlayOn(headState(chain.store));
  const nowMs = headTimeMs(chain);
  applySettings(chain.pending, chain.settings, nowMs);
  for (const transaction of [...chain.pool.values()]) {
    const isSettled = chain.store.numberByTxId.has(transaction.txId) || isExpired(transaction.raw, nowMs);
    if (isSettled || !runsOnPending(chain, transaction)) chain.pool.delete(transaction.txId);
  }
}

/** Mines the first blocks, also after a kill among them. */
function mineFirstBlocks(chain: LocalChain): void {
  const last = slotStart(chain.now());
  for (let missing = FIRST_BLOCKS - headOf(chain); missing > 0; missing -= 1) {
    mineBlockAt(chain, Math.max(headTimeMs(chain) + SLOT_MS, last - (missing - 1) * SLOT_MS));
  }
}

function mineBlockAt(chain: LocalChain, timestamp: number): void {
  const { store, pool } = chain;
  const number = headNumber(store);
  replaceDue(chain.witnesses, timestamp);
  const parentTimeMs = headTimeMs(chain);
  const executed = produceBlock(headState(store), {
    parentId: store.ids[number] ?? "",
    parentTimeMs,
    number: number + 1,
    timestamp,
    witness: witnessAt(chain.witnesses, timestamp),
    settings: chain.settings,
    transactions: [...pool.values()].filter(({ raw }) => !isExpired(raw, parentTimeMs)),
  });
  appendBlocks(store, number, [executed]);
  chain.settings.clear();
  refreshPending(chain);
}

function runsOnPending(chain: LocalChain, transaction: TronTransaction): boolean {
  try {
    executeTransaction(chain.pending, transaction, { nowMs: headTimeMs(chain) });
    return true;
  } catch (error) {
    if (error instanceof BroadcastRefusal) return false;
    throw error;
  }
}

function factsOf(chain: LocalChain): ChainFacts {
  const { store, pool } = chain;
  return {
    state: chain.pending,
    headTimeMs: headTimeMs(chain),
    blockIdByReference: (refBlockBytes) => blockIdByReference(store, refBlockBytes),
    isKnown: (txId) => pool.has(txId) || store.numberByTxId.has(txId),
  };
}

/** The newest block with a number that ends in these two bytes: nodes remember the last 65536. */
function blockIdByReference(store: ChainStore, refBlockBytes: string): string | undefined {
  if (!/^[0-9a-f]{4}$/.test(refBlockBytes)) return undefined;
  const head = headNumber(store);
  const lowest = Number.parseInt(refBlockBytes, 16);
  return store.ids[lowest + Math.floor((head - lowest) / 65_536) * 65_536];
}
