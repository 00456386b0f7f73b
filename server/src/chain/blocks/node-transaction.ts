import { hashTransaction } from "@daric/tron/hash-transaction";
import { findReceiptMismatch } from "./complete-block.ts";
import { type DecodedTransfers, decodeTransfers } from "./decode-transfers.ts";
import { type ChainTransaction, parseTransaction } from "./parse-transaction.ts";
import { parseTransactionInfos, type TransactionInfo } from "./parse-transaction-info.ts";
import { AnswerError, readObject } from "./read-json.ts";

/**
 * One transaction and what running it did, as a node tells them by its id. What it asks for is proven: its bytes have that
 * id. That it is in a block, that it succeeded, and what contracts did of their own is the node's word: enough to advise
 * somebody, never to credit.
 */
export type NodeTransaction = { readonly transaction: ChainTransaction; readonly info: TransactionInfo };

/**
 * Reads what `gettransactioninfobyid` answers; undefined for `{}`, which is "in no block".
 *
 * @throws AnswerError for anything else than the info of this transaction.
 */
export function parseInfoById(answer: unknown, txId: string): TransactionInfo | undefined {
  if (isNothing(answer)) return undefined;
  const [info] = parseTransactionInfos([answer]);
  if (info?.txId !== txId) throw new AnswerError("the info is of another transaction");
  return info;
}

/**
 * Reads what `gettransactionbyid` answers, beside the info of the same transaction; undefined for `{}`.
 *
 * @throws AnswerError for another transaction, for bytes of another id, and where it and its info contradict each other.
 */
export function parseNodeTransaction(
  answer: unknown,
  info: TransactionInfo,
  usdtContractHex: string | undefined,
): NodeTransaction | undefined {
  if (isNothing(answer)) return undefined;
  const transaction = parseTransaction(answer);
  const { rawHex, signatures, results = [] } = transaction;
  const proven = hashTransaction({ rawHex, signatures, results })?.txId;
  if (transaction.txId !== info.txId || proven !== info.txId)
    throw new AnswerError("the transaction has the bytes of another one");
  const mismatch = findReceiptMismatch(transaction, info, usdtContractHex);
  if (mismatch !== undefined) throw new AnswerError(`the info of transaction ${info.txId} says ${mismatch}`);
  return { transaction, info };
}

/** Who was paid by it, in the money of this contract, in TRX and in tokens that are none; nothing of it counts as covered. */
export function transfersOfNodeTransaction(
  { transaction, info }: NodeTransaction,
  usdtContractHex: string,
): DecodedTransfers {
  const header = { number: info.blockNumber };
  return decodeTransfers(
    { header, transactions: [transaction], infos: [info], isAccepted: true },
    usdtContractHex,
  );
}

function isNothing(answer: unknown): boolean {
  return Object.keys(readObject(answer, "transaction")).length === 0;
}
