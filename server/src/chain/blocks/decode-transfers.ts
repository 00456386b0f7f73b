import assert from "node:assert/strict";
import { TRANSFER_TOPIC } from "@daric/tron/abi";
import { contractAddress } from "@daric/tron/address";
import type { TransferSource } from "../../domain/deposit.ts";
import type { Currency } from "../../domain/asset.ts";
import { type Amount, amountIn } from "../../domain/money.ts";
import { mayHaveLogs, paidLogOf, type RunBlock } from "./complete-block.ts";
import { directCallOf } from "./direct-call.ts";
import type { InternalTransfer } from "./parse-internal.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { EventLog, TransactionInfo } from "./parse-transaction-info.ts";
import { MAX_UNITS } from "./read-json.ts";
import { mayReturn, type TransactionOwner } from "./transaction-owner.ts";
import { readTransferEvent } from "./transfer-event.ts";

/** Units of a currency, never zero. */
type Money = { [C in Currency]: { readonly currency: C; readonly units: Amount<C> } }[Currency];

/**
 * Money that moved, as the chain shows it. (txId, source, eventIndex) is unique for ever. Addresses are 21-byte hex
 * (`41…`, lower case): base58 is worth computing only for the few that are ours.
 */
export type Transfer = Money & {
  readonly txId: string;
  readonly source: TransferSource;
  /** Index within the transaction's log array or its internal transactions; 0 for a native transfer. */
  readonly eventIndex: number;
  /** The token's contract; absent for TRX. */
  readonly contractHex?: string;
  readonly fromHex: string;
  readonly toHex: string;
  /**
   * Whether the block's Merkle root proves payer, payee and amount: a native transfer, or the log that pays the payee of the
   * transaction's own call of USDT. Any other transfer is the word of one node.
   */
  readonly isMerkleProven: boolean;
  /** Chain time in ms after which the transaction can enter no other block. */
  readonly txExpirationMs?: number | undefined;
};

/** A token that moved and is no money here: it is never credited, only told to whom it came. */
export type UnsupportedTransfer = {
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  /** The token's contract, or `trc10:` and the id of a TRC-10 asset. */
  readonly contractHex: string;
  readonly fromHex: string;
  readonly toHex: string;
  /** In the token's own units, never zero. A TRC-20 token may say any uint256. */
  readonly rawValue: bigint;
};

/** Something in a believable block that no honest chain shows. It was not counted as money; a human should look. */
export type TransferAnomaly = {
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly kind: "units_out_of_range" | "malformed_log" | "contradictory_result";
  readonly detail: string;
};

/** A transaction of an account, and the sun that it brought back there by no transfer, as far as the node tells. */
export type SentTransaction = {
  readonly txId: string;
  readonly owner: TransactionOwner;
  readonly returned: bigint;
};

/** All of a block's money, and all that looked like it and was not counted. */
export type DecodedTransfers = {
  readonly transfers: readonly Transfer[];
  readonly anomalies: readonly TransferAnomaly[];
  readonly unsupported: readonly UnsupportedTransfer[];
  /** TRX that calls carried to contracts, or that was staked. Nobody is paid by it: what a contract sends on is a transfer of its own. */
  readonly callValues: readonly Transfer[];
  /** whose the transactions are, also those that failed or moved nothing: their fees burn TRX */
  readonly sentTransactions: readonly SentTransaction[];
  /** Transactions of a type that we do not know. Their logs were read all the same. */
  readonly unparsed: number;
  /** Transactions that ran in the virtual machine with SUCCESS. */
  readonly contractCalls: number;
  /** Internal transactions of any kind. None in many calls: the node does not save them. */
  readonly internals: number;
};

type Found = {
  readonly transfers: Transfer[];
  readonly anomalies: TransferAnomaly[];
  readonly unsupported: UnsupportedTransfer[];
  readonly callValues: Transfer[];
  readonly sentTransactions: SentTransaction[];
  unparsed: number;
  contractCalls: number;
  internals: number;
};

/** A transaction with its info, and where what is found in them goes. */
type Run = { readonly transaction: ChainTransaction; readonly info: TransactionInfo; readonly found: Found };

/**
 * Every TRX and USDT transfer of a block that succeeded, in block order; of one transaction its native transfer, then
 * its logs, then its internal transactions.
 *
 * Native TRX is a TransferContract whose contractRet is SUCCESS. USDT is a Transfer event of exactly this contract in
 * a transaction whose receipt says SUCCESS: no amount is read from call data, because a transfer may be made through any
 * other contract, and events of a failed transaction may survive in its info (java-tron VMActuator, OUT_OF_TIME). TRX
 * that contracts send is in the internal transactions of such a run. Zero value is no transfer.
 */
export function decodeTransfers(block: RunBlock, usdtContractHex: string): DecodedTransfers {
  const found: Found = {
    transfers: [],
    anomalies: [],
    unsupported: [],
    callValues: [],
    sentTransactions: [],
    unparsed: 0,
    contractCalls: 0,
    internals: 0,
  };
  let index = -1;
  for (const transaction of block.transactions) {
    index += 1;
    const info = block.infos[index];
    const isComplete = info === undefined ? !mayHaveLogs(transaction) : info.txId === transaction.txId;
    if (!isComplete) assert.fail(`block ${block.header.number} is incomplete at transaction ${index}`);
    if (transaction.contract.kind === "unknown") found.unparsed += 1;
    const { txId, owner } = transaction;
    const returned = owner !== undefined && mayReturn(owner) ? info?.returned : undefined;
    if (owner !== undefined) found.sentTransactions.push({ txId, owner, returned: returned ?? 0n });
    if (transaction.contractRet === "SUCCESS") decodeNative(transaction, found);
    if (info !== undefined && mayHaveLogs(transaction))
      decodeRun({ transaction, info, found }, usdtContractHex);
  }
  return block.isAccepted ? notMerkleProven(found) : found;
}

/** Nobody has held what it is told to be made of against its root, or its logs against its calls. */
function notMerkleProven(found: DecodedTransfers): DecodedTransfers {
  const [transfers, callValues] = [found.transfers, found.callValues].map((all) =>
    all.map((transfer) => ({ ...transfer, isMerkleProven: false })),
  ) as [Transfer[], Transfer[]];
  return { ...found, transfers, callValues };
}

function decodeNative(transaction: ChainTransaction, found: Found): void {
  const { txId, contract } = transaction;
  if (contract.kind === "transfer") {
    if (contract.units > 0n) found.transfers.push(nativeOf(transaction, contract));
  } else if (contract.kind === "vm" || contract.kind === "other") {
    if (contract.callValue === undefined) return;
    const { fromHex, toHex = contractAddress(txId, fromHex), units } = contract.callValue;
    found.callValues.push(nativeOf(transaction, { fromHex, toHex, units }));
  } else if (contract.kind === "asset") {
    const { fromHex, toHex, rawValue, assetHex } = contract;
    const contractHex = assetName(Buffer.from(assetHex, "hex").toString("latin1"));
    found.unsupported.push({
      txId,
      source: "transfer",
      eventIndex: 0,
      contractHex,
      fromHex,
      toHex,
      rawValue,
    });
  }
}

type Ends = { readonly fromHex: string; readonly toHex: string; readonly units: Amount<"TRX"> };

/** A transaction has one contract, so that it is the only one of its source. */
function nativeOf({ txId, expirationMs }: ChainTransaction, { fromHex, toHex, units }: Ends): Transfer {
  return {
    txId,
    source: "transfer",
    eventIndex: 0,
    currency: "TRX",
    fromHex,
    toHex,
    units,
    isMerkleProven: true,
    txExpirationMs: expirationMs,
  };
}

/** Ids of assets are digits, and were names before. What is no such text is told in hex. */
function assetName(text: string): string {
  return /^[!-~]{1,64}$/.test(text)
    ? `trc10:${text}`
    : `trc10:0x${Buffer.from(text, "latin1").toString("hex")}`;
}

function decodeRun(run: Run, usdtContractHex: string): void {
  const { transaction, info, found } = run;
  found.internals += info.internalCount;
  if (info.receiptResult !== "SUCCESS") return;
  found.contractCalls += 1;
  if (info.logs.length === 0 && info.internals.length === 0) return;
  const provenIndex = paidLogOf(info, directCallOf(transaction.contract, usdtContractHex));
  const usdtAddressHex = usdtContractHex.slice(2);
  const contradiction = contradictionOf(transaction, info);
  let eventIndex = -1;
  for (const log of info.logs) {
    eventIndex += 1;
    if (log.topics[0] !== TRANSFER_TOPIC) continue;
    const isUsdt = log.addressHex === usdtAddressHex;
    if (!isUsdt) decodeToken(run, { eventIndex, log });
    else if (contradiction === undefined) decodeUsdt(run, { eventIndex, log, provenIndex, usdtContractHex });
    else noteAnomaly(run, { source: "log", eventIndex, ...contradiction });
  }
  for (const internal of info.internals) {
    if (contradiction === undefined) decodeInternal(run, internal);
    else noteAnomaly(run, { source: "internal", eventIndex: internal.index, ...contradiction });
  }
}

type Finding = Pick<TransferAnomaly, "kind" | "detail">;

function noteAnomaly({ transaction, found }: Run, anomaly: Omit<TransferAnomaly, "txId">): void {
  found.anomalies.push({ txId: transaction.txId, ...anomaly });
}

function contradictionOf(transaction: ChainTransaction, info: TransactionInfo): Finding | undefined {
  if (info.result === undefined && transaction.contractRet === "SUCCESS") return undefined;
  const detail = `receipt SUCCESS, contractRet ${transaction.contractRet}, result ${info.result}`;
  return { kind: "contradictory_result", detail };
}

type FoundLog = { readonly eventIndex: number; readonly log: EventLog };
type FoundUsdt = FoundLog & { readonly provenIndex: number; readonly usdtContractHex: string };

/** The value is what arrived: when USDT's fee is switched on, the payee's and the fee's events are two. */
function decodeUsdt(run: Run, { eventIndex, log, provenIndex, usdtContractHex }: FoundUsdt): void {
  const event = readTransferEvent(log);
  if (event === undefined) {
    const detail = `${log.topics.length} topics, ${log.data.length} digits of data`;
    noteAnomaly(run, { source: "log", eventIndex, kind: "malformed_log", detail });
    return;
  }
  const { fromHex, toHex, rawValue } = event;
  if (rawValue > MAX_UNITS) {
    const detail = `${rawValue} units`;
    noteAnomaly(run, { source: "log", eventIndex, kind: "units_out_of_range", detail });
  } else if (rawValue > 0n) {
    run.found.transfers.push({
      txId: run.transaction.txId,
      source: "log",
      eventIndex,
      currency: "USDT",
      contractHex: usdtContractHex,
      fromHex,
      toHex,
      units: amountIn("USDT", rawValue),
      isMerkleProven: eventIndex === provenIndex,
      txExpirationMs: run.transaction.expirationMs,
    });
  }
}

/** Anybody may log anything: a Transfer of another contract is what that contract says, and nothing more. */
function decodeToken({ transaction, found }: Run, { eventIndex, log }: FoundLog): void {
  const event = readTransferEvent(log);
  if (event === undefined || event.rawValue === 0n) return;
  const { fromHex, toHex, rawValue } = event;
  const { txId } = transaction;
  const contractHex = `41${log.addressHex}`;
  found.unsupported.push({ txId, source: "log", eventIndex, contractHex, fromHex, toHex, rawValue });
}

function decodeInternal(run: Run, internal: InternalTransfer): void {
  const { transaction, found } = run;
  const { txId } = transaction;
  const { index: eventIndex, fromHex, toHex, values } = internal;
  let sun = 0n;
  for (const { assetId, rawValue } of values) {
    if (assetId === undefined) {
      sun += rawValue;
      continue;
    }
    const contractHex = assetName(assetId);
    found.unsupported.push({ txId, source: "internal", eventIndex, contractHex, fromHex, toHex, rawValue });
  }
  if (sun === 0n) return;
  if (sun > MAX_UNITS) {
    const detail = `${sun} units`;
    noteAnomaly(run, { source: "internal", eventIndex, kind: "units_out_of_range", detail });
    return;
  }
  found.transfers.push({
    txId,
    source: "internal",
    eventIndex,
    currency: "TRX",
    fromHex,
    toHex,
    units: amountIn("TRX", sun),
    isMerkleProven: false,
    txExpirationMs: transaction.expirationMs,
  });
}
