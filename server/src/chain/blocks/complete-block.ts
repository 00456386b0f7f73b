import type { AcceptableCheck, BlockFault } from "./block-fault.ts";
import { type DirectCall, directCallOf } from "./direct-call.ts";
import type { Block, BlockHeader, ProvableBlock } from "./parse-block.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";
import { findUnproven } from "./prove-transactions.ts";
import { isTransferOf, readTransferEvent } from "./transfer-event.ts";

/**
 * A block with everything needed to find all transfers in it. `infos` are its transactions' infos, one each in the
 * same order, or empty when no transaction ran in the virtual machine. Made by `requireComplete` only.
 */
export type CompleteBlock = {
  readonly header: BlockHeader;
  readonly transactions: readonly ChainTransaction[];
  readonly infos: readonly TransactionInfo[];
  /** It is not complete, and an operator takes it as it is told: nothing in it counts as covered by its root. */
  readonly isAccepted?: true;
};

/** So much of a block as its transfers are read from. */
export type RunBlock = Omit<CompleteBlock, "header"> & {
  readonly header: Pick<BlockHeader, "number">;
};

/** What keeps a block from being complete, and the checks that fail where an operator may take it; none where nobody may. */
export type Incompleteness = { readonly reason: string; readonly checks: readonly AcceptableCheck[] };

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
 * its money would be none; one info for each, in order, of this number and this time; of each transaction that
 * ran in the virtual machine the same verdict in block and info, which consensus enforces (java-tron
 * TransactionTrace.check); and the transactions and results that the root in the block's header is made of.
 *
 * No root on TRON covers logs. But a transaction that calls `transfer` or `transferFrom` of USDT itself, and succeeds,
 * moves what it says (the contract calls nobody): the Transfer events of its payer add up to the call's amount. They may
 * be two, because a token's fee is one of its own. `usdtContractHex` undefined: nothing is known of such calls.
 */
export function findIncompleteness(
  block: ProvableBlock,
  infos: readonly TransactionInfo[],
  usdtContractHex: string | undefined,
): Incompleteness | undefined {
  const needed = needsInfos(block) ? infos : undefined;
  const reason =
    findIncomplete(block.transactions) ?? (needed === undefined ? undefined : foreignInfo(block, needed));
  if (reason !== undefined) return { reason, checks: [] };
  const findings = needed === undefined ? [] : findMismatches(block, needed, usdtContractHex);
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

function foreignInfo({ header, transactions }: Block, infos: readonly TransactionInfo[]): string | undefined {
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

/** What infos that are the block's own say otherwise than the block, or than a call of USDT itself. */
function findMismatches(
  { transactions }: Block,
  infos: readonly TransactionInfo[],
  usdtContractHex: string | undefined,
): BlockFault[] {
  const findings: BlockFault[] = [];
  for (const [index, info] of infos.entries()) {
    const transaction = transactions[index];
    if (transaction === undefined) break;
    const of = `the info of transaction ${info.txId} says`;
    const contradiction = contradictionOf(transaction, info);
    if (contradiction !== undefined) findings.push({ check: "verdicts", reason: `${of} ${contradiction}` });
    const mismatch = unexplained(transaction, info, usdtContractHex);
    if (mismatch !== undefined) findings.push({ check: "calls", reason: `${of} ${mismatch}` });
  }
  return findings;
}

/** What one run's info says otherwise than its transaction, or than a call of USDT itself; undefined where nothing. */
export function findReceiptMismatch(
  transaction: ChainTransaction,
  info: TransactionInfo,
  usdtContractHex: string | undefined,
): string | undefined {
  return contradictionOf(transaction, info) ?? unexplained(transaction, info, usdtContractHex);
}

/**
 * The machine's verdict is told of runs in it alone, and is that of the block. A type that we do not know may have run
 * or not: its info tells.
 */
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

/** The part of a call's amount, one in so many, that a token may keep as its fee. Tether's own is below 20 basis points. */
const MOST_FEE = 50n;

/**
 * What is wrong with the logs of a direct call of USDT; undefined when nothing is, and of other calls. The contract calls
 * nobody, so that every log is a Transfer of the payer: one is what the payee gets, a second one the token's fee, in either order.
 * So none can be hidden or bent to another payee.
 */
function unexplained(
  { contract }: ChainTransaction,
  info: TransactionInfo,
  usdtContractHex: string | undefined,
): string | undefined {
  if (usdtContractHex === undefined || info.receiptResult !== "SUCCESS") return undefined;
  const call = directCallOf(contract, usdtContractHex);
  if (call === undefined) return undefined;
  const events = info.logs.map((log) =>
    isTransferOf(log, usdtContractHex) ? readTransferEvent(log) : undefined,
  );
  const isPayers = events.every((event) => event?.fromHex === call.payerHex);
  if (!isPayers || events.length > 2) return "logs that no call of the token itself has";
  const units = BigInt(`0x${call.unitsHex}`);
  const moved = events.reduce((sum, event) => sum + (event?.rawValue ?? 0n), 0n);
  if (moved !== units) return `that its payer sent ${moved} units where the call says ${units}`;
  const paid = events[paidLogOf(info, call)]?.rawValue ?? 0n;
  if ((moved - paid) * MOST_FEE > units) return "that another was paid than the one whom the call names";
  return undefined;
}

/** The place of the log that pays the payee of a direct call: of two the larger, because the other is the token's fee; -1 for none. */
export function paidLogOf({ logs }: Pick<TransactionInfo, "logs">, call: DirectCall | undefined): number {
  let [logIndex, most] = [-1, -1n];
  if (call === undefined) return logIndex;
  for (const [at, log] of logs.entries()) {
    const event = readTransferEvent(log);
    const isPaid = event?.fromHex === call.payerHex && event.toHex === call.payeeHex;
    if (isPaid && event.rawValue > most) [logIndex, most] = [at, event.rawValue];
  }
  return logIndex;
}
