import type { TronBlock } from "@daric/tron/block";
import {
  layeredState,
  mergeChanges,
  noChanges,
  type ReplacedValues,
  replacedBy,
  type StateChanges,
  type StateReader,
  stateBefore,
  stateOf,
} from "../ledger/state.ts";
import type { TransactionOutcome } from "../ledger/transaction-info.ts";
import {
  type BlockRecord,
  decodeBlockBodies,
  decodeBlockRecord,
  type ExecutedBlock,
  encodeBlockRecord,
  type RecordSummary,
  summarize,
} from "./block-record.ts";
import { type GenesisHolder, genesisExecution } from "./genesis.ts";
import { openFileLog, openMemoryLog, type RecordLog, type RecordPosition } from "./record-log.ts";
import { solidNumber } from "./schedule.ts";

export type StoredBlock = Omit<ExecutedBlock, "changes">;

type BlockPosition = {
  readonly record: RecordPosition;
  /** the index inside the record */
  readonly index: number;
};

type ChainIndex = {
  /** these four by block number */
  readonly ids: string[];
  readonly timestamps: number[];
  readonly txIds: (readonly string[])[];
  readonly places: BlockPosition[];
  readonly numberById: Map<string, number>;
  readonly numberByTxId: Map<string, number>;
  /** state as of the solid block */
  readonly solidChanges: StateChanges;
  /** what each of the newest solid blocks replaced, oldest first */
  readonly replaced: ReplacedValues[];
  /** the changes of each block above the solid one, oldest first */
  readonly layers: StateChanges[];
};

export interface ChainStore extends ChainIndex {
  readonly log: RecordLog;
  readonly recent: Map<number, StoredBlock>;
  /** replaced blocks, which nodes still return by id */
  readonly orphans: Map<string, StoredBlock>;
}

/** The format version of blocks.log; a change of its lines needs a new number. */
const STATE_VERSION = 2;
const MAX_RECENT_BLOCKS = 256;
/** The depth below the solid block down to which states can be read. */
export const KEPT_STATES = 300;
const MAX_ORPHANS = 1024;
/** shared by all empty blocks, which are the most */
const NO_TX_IDS: readonly string[] = [];

/**
 * Opens the chain in a directory, or in memory, and replays the records without executing transactions again. A fresh
 * chain has `holders`.
 */
export function openChainStore(
  dataDir: string | undefined,
  holders: readonly GenesisHolder[] = [],
): ChainStore {
  const genesis = genesisExecution(holders);
  const index = emptyIndex();
  const log =
    dataDir === undefined
      ? openMemoryLog()
      : openFileLog(dataDir, `devchain-state ${STATE_VERSION} ${genesis.block.id}`, (text, position) =>
          applyRecord(index, decodeBlockRecord(text), position),
        );
  const store: ChainStore = { ...index, log, recent: new Map(), orphans: new Map() };
  if (store.ids.length === 0) appendBlocks(store, -1, [genesis]);
  return store;
}

export function headNumber(store: Pick<ChainStore, "ids">): number {
  return store.ids.length - 1;
}

/** Cuts the chain back to `ancestor` and appends blocks, in one durable step. */
export function appendBlocks(store: ChainStore, ancestor: number, blocks: readonly ExecutedBlock[]): void {
  keepOrphans(store, ancestor);
  const position = store.log.append(() => encodeBlockRecord(ancestor, blocks));
  applyRecord(store, { ancestor, summaries: blocks.map(summarize) }, position);
  for (const { block, outcomes } of blocks) {
    store.recent.set(block.header.number, { block, outcomes });
    store.recent.delete(block.header.number - MAX_RECENT_BLOCKS);
  }
}

export function blockAt(store: ChainStore, number: number): StoredBlock | undefined {
  const place = store.places[number];
  if (place === undefined) return undefined;
  return store.recent.get(number) ?? decodeBlockBodies(store.log.read(place.record))[place.index];
}

/** A block by id, in the current chain or recently replaced. */
export function blockById(store: ChainStore, id: string): StoredBlock | undefined {
  const number = store.numberById.get(id);
  return number === undefined ? store.orphans.get(id) : blockAt(store, number);
}

export function findTransaction(
  store: ChainStore,
  txId: string,
): { block: TronBlock; index: number; outcome: TransactionOutcome } | undefined {
  const stored = blockAt(store, store.numberByTxId.get(txId) ?? -1);
  const index = stored?.block.transactions.findIndex(({ transaction }) => transaction.txId === txId) ?? -1;
  const outcome = stored?.outcomes[index];
  return stored === undefined || outcome === undefined ? undefined : { block: stored.block, index, outcome };
}

export function headState(store: ChainStore): StateReader {
  return layeredState(stateOf(store.solidChanges), store.layers);
}

/** The state as of a block down to {@link KEPT_STATES} below the solid one. @throws RangeError for an older one. */
export function stateAt(store: ChainStore, number: number): StateReader {
  const above = number - solidNumber(headNumber(store));
  if (above < -store.replaced.length) throw new RangeError(`no state is kept for block ${number}`);
  const solid = stateOf(store.solidChanges);
  return above < 0
    ? stateBefore(solid, store.replaced.slice(above))
    : layeredState(solid, store.layers.slice(0, above));
}

export function solidState(store: ChainStore): StateReader {
  return stateOf(store.solidChanges);
}

function emptyIndex(): ChainIndex {
  return {
    ids: [],
    timestamps: [],
    txIds: [],
    places: [],
    numberById: new Map(),
    numberByTxId: new Map(),
    solidChanges: noChanges(),
    replaced: [],
    layers: [],
  };
}

function applyRecord(index: ChainIndex, { ancestor, summaries }: BlockRecord, record: RecordPosition): void {
  while (headNumber(index) > ancestor) dropHead(index);
  for (const [at, summary] of summaries.entries()) pushHead(index, summary, { record, index: at });
}

function pushHead(index: ChainIndex, summary: RecordSummary, place: BlockPosition): void {
  const number = index.ids.push(summary.id) - 1;
  index.timestamps.push(summary.timestamp);
  index.txIds.push(summary.txIds.length === 0 ? NO_TX_IDS : summary.txIds);
  index.places.push(place);
  index.numberById.set(summary.id, number);
  for (const txId of summary.txIds) index.numberByTxId.set(txId, number);
  index.layers.push(summary.changes);
  const aboveSolid = number - solidNumber(number);
  for (const layer of index.layers.splice(0, Math.max(0, index.layers.length - aboveSolid))) {
    if (number > 0) index.replaced.push(replacedBy(index.solidChanges, layer));
    mergeChanges(index.solidChanges, layer);
  }
  index.replaced.splice(0, Math.max(0, index.replaced.length - KEPT_STATES));
}

function dropHead(index: ChainIndex): void {
  const id = index.ids.pop();
  if (id !== undefined) index.numberById.delete(id);
  for (const txId of index.txIds.pop() ?? []) index.numberByTxId.delete(txId);
  index.timestamps.pop();
  index.places.pop();
  index.layers.pop();
}

function keepOrphans(store: ChainStore, ancestor: number): void {
  for (let number = headNumber(store); number > ancestor; number -= 1) {
    const stored = blockAt(store, number);
    if (stored !== undefined) store.orphans.set(stored.block.id, stored);
    store.recent.delete(number);
  }
  for (const id of [...store.orphans.keys()].slice(0, Math.max(0, store.orphans.size - MAX_ORPHANS))) {
    store.orphans.delete(id);
  }
}
