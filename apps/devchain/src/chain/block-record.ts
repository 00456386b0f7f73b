import { isDeepStrictEqual } from "node:util";
import { decodeBlock, encodeBlock, type TronBlock } from "@daric/tron/block";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { type Account, newAccount } from "../ledger/account.ts";
import type { Delegation } from "../ledger/delegation.ts";
import { noChanges, type StateChanges } from "../ledger/state.ts";
import type { TransactionOutcome } from "../ledger/transaction-info.ts";

export type ExecutedBlock = {
  readonly block: TronBlock;
  /** one for each transaction, in order */
  readonly outcomes: readonly TransactionOutcome[];
  readonly changes: StateChanges;
};

/** The part of a block that every start reads, so it is small and stored apart. */
export type RecordSummary = {
  readonly id: string;
  readonly timestamp: number;
  readonly txIds: readonly string[];
  readonly changes: StateChanges;
};

/** One appended step: the chain is cut back to `ancestor`, then these blocks follow. */
export type BlockRecord = {
  readonly ancestor: number;
  readonly summaries: readonly RecordSummary[];
};

type Stored = { readonly [field: string]: unknown };

type StoredSummary = {
  readonly id: string;
  readonly timestamp: number;
  readonly txIds: readonly string[];
  /** the differences from an empty account */
  readonly accounts: readonly (readonly [address: string, account: Stored])[];
  readonly slots: readonly (readonly [key: string, value: string])[];
  /** absent if there are none */
  readonly delegations?: readonly (readonly [key: string, delegation: Stored])[];
};

/** Separates the summaries from the bodies; JSON never contains a raw tab. */
const SEPARATOR = "\t";

/** Encodes a step as one line: summaries, a tab, bodies. One line is on disk completely or not at all. */
export function encodeBlockRecord(ancestor: number, blocks: readonly ExecutedBlock[]): string {
  const index = { ancestor, blocks: blocks.map(storedSummary) };
  const bodies = blocks.map(({ block, outcomes }) => ({ block: bytesToHex(encodeBlock(block)), outcomes }));
  return JSON.stringify(index, bigintAsObject) + SEPARATOR + JSON.stringify(bodies, bigintAsObject);
}

export function decodeBlockRecord(line: string): BlockRecord {
  const index: { ancestor: number; blocks: StoredSummary[] } = JSON.parse(
    line.slice(0, line.indexOf(SEPARATOR)),
  );
  return { ancestor: index.ancestor, summaries: index.blocks.map(recordSummaryOf) };
}

export function decodeBlockBodies(line: string): Omit<ExecutedBlock, "changes">[] {
  const bodies: { block: string; outcomes: TransactionOutcome[] }[] = JSON.parse(
    line.slice(line.indexOf(SEPARATOR) + 1),
    (_, value) => bigintOfObject(value),
  );
  return bodies.map(({ block, outcomes }) => ({ block: decodeBlock(hexToBytes(block)), outcomes }));
}

export function summarize({ block, changes }: ExecutedBlock): RecordSummary {
  const txIds = block.transactions.map(({ transaction }) => transaction.txId);
  return { id: block.id, timestamp: block.header.timestamp, txIds, changes };
}

function storedSummary(executed: ExecutedBlock): StoredSummary {
  const { id, timestamp, txIds, changes } = summarize(executed);
  return {
    id,
    timestamp,
    txIds,
    accounts: [...changes.accounts].map(([address, account]) => [address, storedAccount(account)]),
    slots: [...changes.slots].map(([key, value]) => [key, value.toString()]),
    ...(changes.delegations.size > 0 && { delegations: [...changes.delegations] }),
  };
}

function storedAccount(account: Account): Stored {
  const nothing: Stored = { ...newAccount(0) };
  const differing = Object.entries(account).filter(
    ([field, value]) => !isDeepStrictEqual(value, nothing[field]),
  );
  return Object.fromEntries(differing);
}

function recordSummaryOf({
  id,
  timestamp,
  txIds,
  accounts,
  slots,
  delegations = [],
}: StoredSummary): RecordSummary {
  const changes = noChanges();
  for (const [address, stored] of accounts) {
    changes.accounts.set(address, { ...newAccount(0), ...(restored(stored) as Partial<Account>) });
  }
  for (const [key, value] of slots) changes.slots.set(key, BigInt(value));
  for (const [key, stored] of delegations) changes.delegations.set(key, restored(stored) as Delegation);
  return { id, timestamp, txIds, changes };
}

/** JSON has no bigint: it becomes an object, which differs from every text. */
function bigintAsObject(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? { n: value.toString() } : value;
}

function bigintOfObject(value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject && "n" in value && typeof value.n === "string" ? BigInt(value.n) : value;
}

/** Restores bigints. Walking the value is cheaper than a reviver. */
function restored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restored);
  const read = bigintOfObject(value);
  if (typeof read !== "object" || read === null) return read;
  return Object.fromEntries(Object.entries(read).map(([field, inner]) => [field, restored(inner)]));
}
