import assert from "node:assert/strict";
import type { Currency, Token } from "@daric/domain/asset";
import type { TransferSource } from "@daric/domain/deposit";
import { type Amount, amountIn } from "@daric/domain/money";
import { TRANSFER_TOPIC } from "@daric/tron/abi";
import { contractAddress } from "@daric/tron/address";
import { mayHaveLogs, paidLogOf, type RunBlock } from "./complete-block.ts";
import { directCallOf } from "./direct-call.ts";
import type { InternalTransfer } from "./parse-internal.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { EventLog, TransactionInfo } from "./parse-transaction-info.ts";
import { MAX_UNITS } from "./read-json.ts";
import { mayReturn, type TransactionOwner } from "./transaction-owner.ts";
import { readTransferEvent } from "./transfer-event.ts";

type Money = { [C in Currency]: { readonly currency: C; readonly units: Amount<C> } }[Currency];

/** A transfer. (txId, source, eventIndex) is unique. Addresses are 21-byte hex (`41…`, lower case), since base58 is costly. */
export type Transfer = Money & {
  readonly txId: string;
  readonly source: TransferSource;
  /** the index within the transaction's logs or internal transactions; 0 for a native transfer */
  readonly eventIndex: number;
  /** the token's contract; absent for TRX */
  readonly contractHex?: string;
  readonly fromHex: string;
  readonly toHex: string;
  /** The payment of a direct call of the token, or a native transfer, which the Merkle root proves. Others rest on one node's answer. */
  readonly isMerkleProven: boolean;
  /** chain time in ms after which no other block can include the transaction */
  readonly txExpirationMs?: number | undefined;
};

/** Unsupported token transfer: recorded, never credited. */
export type UnsupportedTransfer = {
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly contractHex: string;
  readonly fromHex: string;
  readonly toHex: string;
  /** in the token's own units, never zero; a TRC-20 token may report any uint256 */
  readonly rawValue: bigint;
};

/** Something in a complete block that no honest chain shows. It is not credited; an operator should look at it. */
export type TransferAnomaly = {
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly kind: "units_out_of_range" | "malformed_log" | "contradictory_result";
  readonly detail: string;
};

/** A transaction by its sender, and the sun that it returned to the sender without a transfer, as the node reports it. */
export type SentTransaction = {
  readonly txId: string;
  readonly owner: TransactionOwner;
  readonly returned: bigint;
};

export type DecodedTransfers = {
  readonly transfers: readonly Transfer[];
  readonly anomalies: readonly TransferAnomaly[];
  readonly unsupported: readonly UnsupportedTransfer[];
  /** TRX carried to contracts or staked. It pays no address: TRX that a contract sends on is a transfer of its own. */
  readonly callValues: readonly Transfer[];
  /** also transactions that failed or moved nothing, because their fees burn TRX */
  readonly sentTransactions: readonly SentTransaction[];
  /** transactions of unknown type; their logs are read too */
  readonly unparsed: number;
  readonly contractCalls: number;
  /** internal transactions of any kind; none in many calls means that the node does not save them */
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

type Run = { readonly transaction: ChainTransaction; readonly info: TransactionInfo; readonly found: Found };

/**
 * Every transfer of TRX and of these tokens in the successful transactions: native, then logs, then internal transactions.
 *
 * A token moves by a Transfer event of exactly its contract in a run whose receipt is SUCCESS. Call data gives no amount, because any
 * contract may make a transfer; a failed run may keep its events (java-tron VMActuator, OUT_OF_TIME). Zero is no transfer.
 */
export function decodeTransfers(block: RunBlock, tokens: readonly Token[]): DecodedTransfers {
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
  const byAddress = new Map(tokens.map((token) => [token.contractHex.slice(2), token]));
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
      decodeRun({ transaction, info, found }, { tokens, byAddress });
  }
  return block.isAccepted ? notMerkleProven(found) : found;
}

/** The transfers of an overridden block, whose root or logs failed their checks. */
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

/** Asset ids are digits, and were names in the past. Anything else is shown in hex. */
function assetName(text: string): string {
  return /^[!-~]{1,64}$/.test(text)
    ? `trc10:${text}`
    : `trc10:0x${Buffer.from(text, "latin1").toString("hex")}`;
}

/** The accepted tokens, and the same by the 20 bytes with which logs name a contract. */
type AcceptedTokens = { readonly tokens: readonly Token[]; readonly byAddress: ReadonlyMap<string, Token> };

function decodeRun(run: Run, { tokens, byAddress }: AcceptedTokens): void {
  const { transaction, info, found } = run;
  found.internals += info.internalCount;
  if (info.receiptResult !== "SUCCESS") return;
  found.contractCalls += 1;
  if (info.logs.length === 0 && info.internals.length === 0) return;
  const provenIndex = paidLogOf(info, directCallOf(transaction.contract, tokens));
  const contradiction = contradictionOf(transaction, info);
  let eventIndex = -1;
  for (const log of info.logs) {
    eventIndex += 1;
    if (log.topics[0] !== TRANSFER_TOPIC) continue;
    const token = byAddress.get(log.addressHex);
    if (token === undefined) decodeUnsupported(run, { eventIndex, log });
    else if (contradiction === undefined) decodeToken(run, { eventIndex, log, provenIndex, token });
    else recordAnomaly(run, { source: "log", eventIndex, ...contradiction });
  }
  for (const internal of info.internals) {
    if (contradiction === undefined) decodeInternal(run, internal);
    else recordAnomaly(run, { source: "internal", eventIndex: internal.index, ...contradiction });
  }
}

type Finding = Pick<TransferAnomaly, "kind" | "detail">;

function recordAnomaly({ transaction, found }: Run, anomaly: Omit<TransferAnomaly, "txId">): void {
  found.anomalies.push({ txId: transaction.txId, ...anomaly });
}

function contradictionOf(transaction: ChainTransaction, info: TransactionInfo): Finding | undefined {
  if (info.result === undefined && transaction.contractRet === "SUCCESS") return undefined;
  const detail = `receipt SUCCESS, contractRet ${transaction.contractRet}, result ${info.result}`;
  return { kind: "contradictory_result", detail };
}

type FoundLog = { readonly eventIndex: number; readonly log: EventLog };
type FoundToken = FoundLog & { readonly provenIndex: number; readonly token: Token };

/** The value is the received amount: a token fee has a Transfer event of its own. */
function decodeToken(run: Run, { eventIndex, log, provenIndex, token }: FoundToken): void {
  const event = readTransferEvent(log);
  if (event === undefined) {
    const detail = `${log.topics.length} topics, ${log.data.length} digits of data`;
    recordAnomaly(run, { source: "log", eventIndex, kind: "malformed_log", detail });
    return;
  }
  const { fromHex, toHex, rawValue } = event;
  if (rawValue > MAX_UNITS) {
    const detail = `${rawValue} units`;
    recordAnomaly(run, { source: "log", eventIndex, kind: "units_out_of_range", detail });
  } else if (rawValue > 0n) {
    run.found.transfers.push({
      txId: run.transaction.txId,
      source: "log",
      eventIndex,
      ...moneyOf(token.currency, rawValue),
      contractHex: token.contractHex,
      fromHex,
      toHex,
      isMerkleProven: eventIndex === provenIndex,
      txExpirationMs: run.transaction.expirationMs,
    });
  }
}

function moneyOf(currency: Currency, units: bigint): Money {
  // The units are of the named coin, which the compiler cannot see for a coin that it does not know.
  return { currency, units: amountIn(currency, units) } as Money;
}

/** Any contract may log any Transfer event; it counts for that contract only. */
function decodeUnsupported({ transaction, found }: Run, { eventIndex, log }: FoundLog): void {
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
    recordAnomaly(run, { source: "internal", eventIndex, kind: "units_out_of_range", detail });
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
