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
 * fork switch they can be another block's. Hence all of: every transaction once; one info for each, in order, of
 * this number and this time; and of each VM transaction the same verdict in block and info, which
 * consensus enforces (java-tron TransactionTrace.check).
 */
export function findIncompleteness(block: Block, infos: readonly TransactionInfo[]): string | undefined {
  const repeated = repeatedTransaction(block.transactions);
  return repeated ?? (needsInfos(block) ? foreignInfo(block, infos) : undefined);
}

function repeatedTransaction(transactions: readonly ChainTransaction[]): string | undefined {
  const isRepeated = new Set(transactions.map((transaction) => transaction.txId)).size < transactions.length;
  return isRepeated ? "a transaction occurs twice" : undefined;
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
    if (transaction.contract.kind === "vm" && info.receiptResult !== transaction.contractRet) {
      return `info ${index} says ${info.receiptResult} where the block says ${transaction.contractRet}`;
    }
  }
  return undefined;
}
