import type { MerchantId } from "@daric/domain/ids";
import type { LedgerTransaction } from "@daric/domain/ledger";
import type { Queryable, Transaction } from "@daric/postgres/sql";
import { bookTransactions, type FeesOwed, readFeesOwed } from "./store.ts";

/**
 * Books transactions of settlement, in the transaction of the change. Transactions that are booked already stay as
 * they are.
 */
export function bookSettlement(tx: Transaction, transactions: readonly LedgerTransaction[]): Promise<void> {
  return bookTransactions(tx, transactions);
}

/** The fees that these merchants, 200 at most, owe the operator. */
export function findFeesOwed(db: Queryable, merchantIds: readonly MerchantId[]): Promise<FeesOwed[]> {
  return readFeesOwed(db, merchantIds);
}
