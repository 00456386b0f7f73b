import type { Token } from "@daric/domain/asset";
import { hashTransaction } from "@daric/tron/hash-transaction";
import { findReceiptMismatch } from "./complete-block.ts";
import { type DecodedTransfers, decodeTransfers } from "./decode-transfers.ts";
import { type ChainTransaction, parseTransaction } from "./parse-transaction.ts";
import { parseTransactionInfos, type TransactionInfo } from "./parse-transaction-info.ts";
import { AnswerError, readObject } from "./read-json.ts";

/**
 * A transaction and its info as a node reports them by id. Only the bytes are proven, by the id. The block, the success and the
 * effects of contracts are the node's answer: enough to advise a payer, never to credit.
 */
export type NodeTransaction = { readonly transaction: ChainTransaction; readonly info: TransactionInfo };

/** Reads `gettransactioninfobyid`; undefined for `{}`, in no block. @throws AnswerError for another transaction's info. */
export function parseInfoById(answer: unknown, txId: string): TransactionInfo | undefined {
  if (isNothing(answer)) return undefined;
  const [info] = parseTransactionInfos([answer]);
  if (info?.txId !== txId) throw new AnswerError("the info is of another transaction");
  return info;
}

/** Reads `gettransactionbyid`; undefined for `{}`. @throws AnswerError for other bytes, and for a contradiction with `info`. */
export function parseNodeTransaction(
  answer: unknown,
  info: TransactionInfo,
  tokens: readonly Token[],
): NodeTransaction | undefined {
  if (isNothing(answer)) return undefined;
  const transaction = parseTransaction(answer);
  const { rawHex, signatures, results = [] } = transaction;
  const proven = hashTransaction({ rawHex, signatures, results })?.txId;
  if (transaction.txId !== info.txId || proven !== info.txId)
    throw new AnswerError("the transaction has the bytes of another one");
  const mismatch = findReceiptMismatch(transaction, info, tokens);
  if (mismatch !== undefined) throw new AnswerError(`the info of transaction ${info.txId} says ${mismatch}`);
  return { transaction, info };
}

/** Its transfers of TRX, these tokens and unsupported ones; none is Merkle-proven. */
export function transfersOfNodeTransaction(
  { transaction, info }: NodeTransaction,
  tokens: readonly Token[],
): DecodedTransfers {
  const header = { number: info.blockNumber };
  return decodeTransfers({ header, transactions: [transaction], infos: [info], isAccepted: true }, tokens);
}

function isNothing(answer: unknown): boolean {
  return Object.keys(readObject(answer, "transaction")).length === 0;
}
