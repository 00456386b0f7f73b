import { decodeBlock, encodeBlock, type TronBlock } from "@daric/tron/block";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { type Account, noChanges, type StateChanges } from "./state.ts";
import type { TransactionOutcome } from "./transaction-info.ts";

/** A block with everything that running it gave. */
export type ExecutedBlock = {
  readonly block: TronBlock;
  /** one for each transaction, in order */
  readonly outcomes: readonly TransactionOutcome[];
  readonly changes: StateChanges;
};

/** What a start needs of a block: read for every block there is, so it is small and apart from the rest. */
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

type StoredAccount = readonly [
  address: string,
  balance: string,
  isContract: 0 | 1,
  createTime: number,
  latestOperationTime: number,
  freeNetUsed: number,
  freeNetTime: number,
];

type StoredSummary = {
  readonly id: string;
  readonly timestamp: number;
  readonly txIds: readonly string[];
  readonly accounts: readonly StoredAccount[];
  readonly slots: readonly (readonly [key: string, value: string])[];
};

/** Separates the summaries from the bodies; JSON never contains a raw tab. */
const SEPARATOR = "\t";
const BIGINT_TEXT = /^-?\d+n$/;

/** One line: what a start reads, a tab, what a query reads. One step is one line, so it is on disk whole or not at all. */
export function encodeBlockRecord(ancestor: number, blocks: readonly ExecutedBlock[]): string {
  const index = JSON.stringify({ ancestor, blocks: blocks.map(storedSummary) });
  const bodies = blocks.map(({ block, outcomes }) => ({ block: bytesToHex(encodeBlock(block)), outcomes }));
  return (
    index +
    SEPARATOR +
    JSON.stringify(bodies, (_, value) => (typeof value === "bigint" ? `${value}n` : value))
  );
}

/** Reads the part of a line that a start needs. */
export function decodeBlockRecord(line: string): BlockRecord {
  const index: { ancestor: number; blocks: StoredSummary[] } = JSON.parse(
    line.slice(0, line.indexOf(SEPARATOR)),
  );
  return { ancestor: index.ancestor, summaries: index.blocks.map(recordSummaryOf) };
}

export function decodeBlockBodies(line: string): Omit<ExecutedBlock, "changes">[] {
  const bodies: { block: string; outcomes: TransactionOutcome[] }[] = JSON.parse(
    line.slice(line.indexOf(SEPARATOR) + 1),
    (_, value) => (typeof value === "string" && BIGINT_TEXT.test(value) ? BigInt(value.slice(0, -1)) : value),
  );
  return bodies.map(({ block, outcomes }) => ({ block: decodeBlock(hexToBytes(block)), outcomes }));
}

/** The summary of a block just executed, as a start would read it. */
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
    accounts: [...changes.accounts].map(([address, account]) => storedAccount(address, account)),
    slots: [...changes.slots].map(([key, value]) => [key, value.toString()]),
  };
}

function storedAccount(address: string, account: Account): StoredAccount {
  return [
    address,
    account.balance.toString(),
    account.isContract ? 1 : 0,
    account.createTime,
    account.latestOperationTime,
    account.freeNetUsed,
    account.freeNetTime,
  ];
}

function recordSummaryOf({ id, timestamp, txIds, accounts, slots }: StoredSummary): RecordSummary {
  const changes = noChanges();
  for (const [
    address,
    balance,
    isContract,
    createTime,
    latestOperationTime,
    freeNetUsed,
    freeNetTime,
  ] of accounts) {
    changes.accounts.set(address, {
      balance: BigInt(balance),
      isContract: isContract === 1,
      createTime,
      latestOperationTime,
      freeNetUsed,
      freeNetTime,
    });
  }
  for (const [key, value] of slots) changes.slots.set(key, BigInt(value));
  return { id, timestamp, txIds, changes };
}
