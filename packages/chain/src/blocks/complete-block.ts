import type { Token } from "@daric/domain/asset";
import type { AcceptableCheck, BlockFault } from "./block-fault.ts";
import { type DirectCall, directCallOf } from "./direct-call.ts";
import type { Block, BlockHeader, ProvableBlock } from "./parse-block.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";
import { findUnproven } from "./prove-transactions.ts";
import { isTransferOf, readTransferEvent } from "./transfer-event.ts";

/** A block with one info per transaction, or none if no transaction ran a contract. Only `requireComplete` makes one. */
export type CompleteBlock = {
  readonly header: BlockHeader;
  readonly transactions: readonly ChainTransaction[];
  readonly infos: readonly TransactionInfo[];
  /** an operator overrode its failed checks, so none of its transfers is Merkle-proven */
  readonly isAccepted?: true;
};

export type RunBlock = Omit<CompleteBlock, "header"> & {
  readonly header: Pick<BlockHeader, "number">;
};

/** Why a block is not complete. `checks` are the failed checks if an operator may override all of them, else empty. */
export type Incompleteness = { readonly reason: string; readonly checks: readonly AcceptableCheck[] };

/** Whether a transaction may have run in the virtual machine, whose effects only its info shows. */
export function mayHaveLogs(transaction: ChainTransaction): boolean {
  return transaction.contract.kind === "vm" || transaction.contract.kind === "unknown";
}

export function needsInfos(block: Block): boolean {
  return block.transactions.some(mayHaveLogs);
}

/**
 * Why a block and its infos do not make one complete block, if so.
 *
 * A node answers `[]` alike for an empty, an unknown and a pruned block, and during a fork its infos may belong to another block.
 * So each transaction needs a verdict and one info in order, with the block's number and time. Verdicts of block and info
 * must be equal (java-tron TransactionTrace.check), and the header's root must match the transactions and results.
 *
 * No root covers logs. But a direct call of a token's `transfer` or `transferFrom` calls no other contract, so its Transfer events
 * add up to the call's amount. Calls of other contracts are not checked.
 */
export function findIncompleteness(
  block: ProvableBlock,
  infos: readonly TransactionInfo[],
  tokens: readonly Token[],
): Incompleteness | undefined {
  const needed = needsInfos(block) ? infos : undefined;
  const reason =
    findIncomplete(block.transactions) ?? (needed === undefined ? undefined : findForeignInfo(block, needed));
  if (reason !== undefined) return { reason, checks: [] };
  const findings = needed === undefined ? [] : findMismatches(block, needed, tokens);
  const unproven = findUnproven(block);
  if (unproven !== undefined) findings.push(unproven);
  if (findings.length === 0) return undefined;
  const never = findings.find(({ check }) => check === undefined);
  if (never !== undefined) return { reason: never.reason, checks: [] };
  const first = new Map(findings.toReversed().map(({ check, reason }) => [check, reason]));
  const checks = [...first.keys()].filter((check) => check !== undefined).toReversed();
  return { reason: checks.map((check) => first.get(check)).join("; "), checks };
}

function findIncomplete(transactions: readonly ChainTransaction[]): string | undefined {
  const ids = new Set<string>();
  for (const { txId, contractRet } of transactions) {
    if (contractRet === undefined) return `transaction ${txId} has no verdict`;
    if (ids.has(txId)) return `transaction ${txId} occurs twice`;
    ids.add(txId);
  }
  return undefined;
}

function findForeignInfo(
  { header, transactions }: Block,
  infos: readonly TransactionInfo[],
): string | undefined {
  if (infos.length !== transactions.length) {
    return `${transactions.length} transactions but ${infos.length} infos`;
  }
  for (const [index, { txId }] of transactions.entries()) {
    const info = infos[index];
    if (info?.txId !== txId) return `info ${index} is not that of transaction ${txId}`;
    const of = `the info of transaction ${txId}`;
    if (info.blockNumber !== header.number) return `${of} is of block ${info.blockNumber}`;
    if (info.blockTimeMs !== header.timeMs) return `${of} is of another block of this number`;
  }
  return undefined;
}

function findMismatches(
  { transactions }: Block,
  infos: readonly TransactionInfo[],
  tokens: readonly Token[],
): BlockFault[] {
  const findings: BlockFault[] = [];
  for (const [index, info] of infos.entries()) {
    const transaction = transactions[index];
    if (transaction === undefined) break;
    const of = `the info of transaction ${info.txId} says`;
    const contradiction = contradictionOf(transaction, info);
    if (contradiction !== undefined) findings.push({ check: "verdicts", reason: `${of} ${contradiction}` });
    const mismatch = callMismatchOf(transaction, info, tokens);
    if (mismatch !== undefined) findings.push({ check: "calls", reason: `${of} ${mismatch}` });
  }
  return findings;
}

export function findReceiptMismatch(
  transaction: ChainTransaction,
  info: TransactionInfo,
  tokens: readonly Token[],
): string | undefined {
  return contradictionOf(transaction, info) ?? callMismatchOf(transaction, info, tokens);
}

/** Only runs of the virtual machine have its verdict. A transaction of unknown type may have run or not. */
function contradictionOf(transaction: ChainTransaction, info: TransactionInfo): string | undefined {
  const { contractRet, contract } = transaction;
  const { receiptResult } = info;
  if (!mayHaveLogs(transaction)) {
    if (receiptResult !== undefined) return `${receiptResult}, though nothing ran in the virtual machine`;
  } else if (receiptResult !== contractRet && (receiptResult !== undefined || contract.kind === "vm")) {
    return `${receiptResult} where the block says ${contractRet}`;
  }
  return info.result === "FAILED" && contractRet === "SUCCESS"
    ? "FAILED where the block says SUCCESS"
    : undefined;
}

/** A token's fee is at most one in this many units. Tether's limit is below 20 basis points. */
const MAX_FEE = 50n;

/**
 * Every log of a direct call of a token must be a Transfer of the payer. One pays the payee, and a second one is the token's
 * fee. So a node can neither hide a payment nor change its payee.
 */
function callMismatchOf(
  { contract }: ChainTransaction,
  info: TransactionInfo,
  tokens: readonly Token[],
): string | undefined {
  if (info.receiptResult !== "SUCCESS") return undefined;
  const call = directCallOf(contract, tokens);
  if (call === undefined) return undefined;
  const events = info.logs.map((log) =>
    isTransferOf(log, call.contractHex) ? readTransferEvent(log) : undefined,
  );
  const isPayers = events.every((event) => event?.fromHex === call.payerHex);
  if (!isPayers || events.length > 2) return "logs that a direct call of the token cannot have";
  const units = BigInt(`0x${call.unitsHex}`);
  const moved = events.reduce((sum, event) => sum + (event?.rawValue ?? 0n), 0n);
  if (moved !== units) return `that its payer sent ${moved} units where the call says ${units}`;
  const paid = events[paidLogOf(info, call)]?.rawValue ?? 0n;
  if ((moved - paid) * MAX_FEE > units) return "that it paid another address than the call names";
  return undefined;
}

/** The index of the log that pays the payee of a direct call, -1 if none. Of two the larger one; the other is the fee. */
export function paidLogOf({ logs }: Pick<TransactionInfo, "logs">, call: DirectCall | undefined): number {
  let [logIndex, max] = [-1, -1n];
  if (call === undefined) return logIndex;
  for (const [at, log] of logs.entries()) {
    const event = readTransferEvent(log);
    const isPaid = event?.fromHex === call.payerHex && event.toHex === call.payeeHex;
    if (isPaid && event.rawValue > max) [logIndex, max] = [at, event.rawValue];
  }
  return logIndex;
}
