import type { Block, BlockHeader, ChainTransaction } from "./parse-block.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";

/**
 * A block with everything needed to find all transfers in it. `infos` are its transactions' infos, one each in the
 * same order, or empty when no transaction ran in the virtual machine. Made by `fetchCompleteBlock` only.
 */
export type CompleteBlock = {
  readonly header: BlockHeader;
  readonly transactions: readonly ChainTransaction[];
  readonly infos: readonly TransactionInfo[];
  /** whose key signed the header, hex; undefined where its signature is none */
  readonly signerHex: string | undefined;
};

/** Whether a transaction may have run in the virtual machine, where only its info tells what it did. */
export function mayHaveLogs(transaction: ChainTransaction): boolean {
  return transaction.contract.kind === "vm" || transaction.contract.kind === "unknown";
}

/** Whether the block's infos must be fetched to see all of its transfers. */
export function needsInfos(block: Block): boolean {
  return block.transactions.some(mayHaveLogs);
}

/**
 * What keeps a block and the infos fetched for it from being one complete block; undefined when nothing does.
 *
 * A node answers `[]` alike for an empty, an unknown and a pruned block, and keeps infos by number, so that during a
 * fork switch they can be another block's. Hence all of: every transaction once and with its verdict, without which
 * its money would be none; one info for each, in order, of this number and this time; and of each transaction that
 * ran in the virtual machine the same verdict in block and info, which consensus enforces (java-tron
 * TransactionTrace.check).
 */
export function findIncompleteness(block: Block, infos: readonly TransactionInfo[]): string | undefined {
  return poorTransaction(block.transactions) ?? (needsInfos(block) ? foreignInfo(block, infos) : undefined);
}

function poorTransaction(transactions: readonly ChainTransaction[]): string | undefined {
  const isRepeated = new Set(transactions.map((transaction) => transaction.txId)).size < transactions.length;
  if (isRepeated) return "a transaction occurs twice";
  const index = transactions.findIndex((transaction) => transaction.contractRet === undefined);
  return index === -1 ? undefined : `transaction ${index} has no verdict`;
}

function foreignInfo(block: Block, infos: readonly TransactionInfo[]): string | undefined {
  const { header, transactions } = block;
  if (infos.length !== transactions.length) {
    return `${transactions.length} transactions but ${infos.length} infos`;
  }
  for (const [index, transaction] of transactions.entries()) {
    const info = infos[index];
    if (info?.txId !== transaction.txId) return `info ${index} is of another transaction`;
    if (info.blockNumber !== header.number) return `info ${index} is of block ${info.blockNumber}`;
    if (info.blockTimeMs !== header.timeMs) return `info ${index} is of another block of this number`;
    const contradiction = contradictionOf(transaction, info);
    if (contradiction !== undefined) return `info ${index} says ${contradiction}`;
  }
  return undefined;
}

/**
 * A contract that the node could not unpack is believed to have run in the machine only where its info has a
 * verdict: without one it may be a transfer of TRX that nobody sees.
 */
function contradictionOf(transaction: ChainTransaction, info: TransactionInfo): string | undefined {
  const { contractRet } = transaction;
  if (mayHaveLogs(transaction) && info.receiptResult !== contractRet) {
    return `${info.receiptResult} where the block says ${contractRet}`;
  }
  return info.result === "FAILED" && contractRet === "SUCCESS"
    ? "FAILED where the block says SUCCESS"
    : undefined;
}
