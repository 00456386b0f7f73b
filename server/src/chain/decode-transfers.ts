import assert from "node:assert/strict";
import { TRANSFER_TOPIC } from "@daric/tron/abi";
import type { TransferSource } from "../domain/deposit.ts";
import { type Amount, amountIn, type Currency } from "../domain/money.ts";
import { type CompleteBlock, mayHaveLogs } from "./complete-block.ts";
import type { ChainTransaction } from "./parse-block.ts";
import type { EventLog, TransactionInfo } from "./parse-transaction-info.ts";
import { MAX_UNITS } from "./read-json.ts";

/** Units of a currency, never zero. */
type Money = { [C in Currency]: { readonly currency: C; readonly units: Amount<C> } }[Currency];

/**
 * Money that moved, as the chain shows it. (txId, source, eventIndex) is unique for ever. Addresses are 21-byte hex
 * (`41…`, lower case): base58 is worth computing only for the few that are ours.
 */
export type Transfer = Money & {
  readonly txId: string;
  readonly source: TransferSource;
  /** Index within the transaction's log array; 0 for a native transfer. */
  readonly eventIndex: number;
  /** The token's contract; absent for native TRX. */
  readonly contractHex?: string;
  readonly fromHex: string;
  readonly toHex: string;
  /** Chain time in ms after which the transaction can enter no other block. */
  readonly txExpirationMs?: number;
};

/** Something in a believable block that no honest chain shows. It was not counted as money; a human should look. */
export type TransferAnomaly = {
  readonly txId: string;
  readonly eventIndex: number;
  readonly kind: "units_out_of_range" | "malformed_log" | "contradictory_result";
  readonly detail: string;
};

/** All of a block's money, and all that looked like it and was not counted. */
export type DecodedTransfers = {
  readonly transfers: readonly Transfer[];
  readonly anomalies: readonly TransferAnomaly[];
  /** Transactions whose contract the node could not unpack. Their logs were read all the same. */
  readonly unparsed: number;
};

type Found = { transfers: Transfer[]; anomalies: TransferAnomaly[]; unparsed: number };

const WORD = /^[0-9a-f]{64}$/;
const ZERO_WORD = "0".repeat(64);
/** Digits before the 20 bytes of an address in a 32-byte topic. */
const TOPIC_PADDING_CHARS = 24;

/**
 * Every TRX and USDT transfer of a block that succeeded, in block order.
 *
 * Native TRX is a TransferContract whose contractRet is SUCCESS. USDT is a Transfer event of exactly this contract in
 * a transaction whose receipt says SUCCESS: call data is never read, because a transfer may be made through any other
 * contract, and events of a failed transaction may survive in its info (java-tron VMActuator, OUT_OF_TIME). Zero
 * value is no transfer.
 */
export function decodeTransfers(block: CompleteBlock, usdtContractHex: string): DecodedTransfers {
  const found: Found = { transfers: [], anomalies: [], unparsed: 0 };
  for (const [index, transaction] of block.transactions.entries()) {
    const info = block.infos[index];
    const isComplete = info === undefined ? !mayHaveLogs(transaction) : info.txId === transaction.txId;
    assert(isComplete, `block ${block.header.number} is incomplete at transaction ${index}`);
    if (transaction.contract.kind === "unknown") found.unparsed += 1;
    const native = decodeNativeTransfer(transaction);
    if (native !== undefined) found.transfers.push(native);
    if (info !== undefined) {
      const { transfers, anomalies } = decodeLogs(transaction, info, usdtContractHex);
      found.transfers.push(...transfers);
      found.anomalies.push(...anomalies);
    }
  }
  return found;
}

function decodeNativeTransfer(transaction: ChainTransaction): Transfer | undefined {
  const { contract } = transaction;
  if (contract.kind !== "transfer" || transaction.contractRet !== "SUCCESS" || contract.units === 0n)
    return undefined;
  return {
    txId: transaction.txId,
    source: "transfer",
    eventIndex: 0,
    currency: "TRX",
    fromHex: contract.fromHex,
    toHex: contract.toHex,
    units: contract.units,
    ...expirationOf(transaction),
  };
}

function decodeLogs(
  transaction: ChainTransaction,
  info: TransactionInfo,
  usdtContractHex: string,
): Pick<Found, "transfers" | "anomalies"> {
  const found: Pick<Found, "transfers" | "anomalies"> = { transfers: [], anomalies: [] };
  if (info.receiptResult !== "SUCCESS") return found;
  for (const [eventIndex, log] of info.logs.entries()) {
    if (!isTransferEvent(log, usdtContractHex)) continue;
    const { txId } = transaction;
    const event = contradiction(transaction, info) ?? decodeTransferEvent(log);
    if ("kind" in event) {
      found.anomalies.push({ txId, eventIndex, ...event });
    } else if (event.units > 0n) {
      const common = {
        txId,
        source: "log",
        eventIndex,
        currency: "USDT",
        contractHex: usdtContractHex,
      } as const;
      found.transfers.push({ ...common, ...event, ...expirationOf(transaction) });
    }
  }
  return found;
}

type UsdtEvent = Pick<Transfer, "fromHex" | "toHex"> & { readonly units: Amount<"USDT"> };
type Finding = Pick<TransferAnomaly, "kind" | "detail">;

/** Logs name contracts by 20 bytes, without the leading 41. */
function isTransferEvent(log: EventLog, contractHex: string): boolean {
  return log.topics[0] === TRANSFER_TOPIC && contractHex.endsWith(log.addressHex);
}

function contradiction(transaction: ChainTransaction, info: TransactionInfo): Finding | undefined {
  if (info.result === undefined && transaction.contractRet === "SUCCESS") return undefined;
  const detail = `receipt SUCCESS, contractRet ${transaction.contractRet}, result ${info.result}`;
  return { kind: "contradictory_result", detail };
}

/** The value is what arrived: when USDT's fee is switched on, the payee's and the fee's events are two. */
function decodeTransferEvent(log: EventLog): UsdtEvent | Finding {
  const [, from, to, ...more] = log.topics;
  const data = log.data === "" ? ZERO_WORD : log.data;
  if (from === undefined || to === undefined || more.length > 0 || !WORD.test(data)) {
    const detail = `${log.topics.length} topics, ${log.data.length} digits of data`;
    return { kind: "malformed_log", detail };
  }
  const units = BigInt(`0x${data}`);
  if (units > MAX_UNITS) return { kind: "units_out_of_range", detail: `${units} units` };
  return { fromHex: addressInTopic(from), toHex: addressInTopic(to), units: amountIn("USDT", units) };
}

/** The last 20 of 32 bytes: what the contract's own code takes for the address. */
function addressInTopic(topic: string): string {
  return `41${topic.slice(TOPIC_PADDING_CHARS)}`;
}

function expirationOf(transaction: ChainTransaction): { txExpirationMs?: number } {
  return transaction.expirationMs === undefined ? {} : { txExpirationMs: transaction.expirationMs };
}
