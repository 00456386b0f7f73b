import type { Queryable, Transaction } from "@daric/postgres/sql";
import type { MerchantId } from "../domain/ids.ts";
import type { LedgerTransaction } from "../domain/ledger.ts";
import { bookTransactions, type FeesOwed, listFeesOwed } from "./store.ts";

/** Books what settlement does, in the transaction of the change: what is booked already stays as it is. */
export function bookSettlement(tx: Transaction, transactions: readonly LedgerTransaction[]): Promise<void> {
  return bookTransactions(tx, transactions);
}

/** What the operator is owed of the fees of these merchants, 200 at most. */
export function findFeesOwed(db: Queryable, merchantIds: readonly MerchantId[]): Promise<FeesOwed[]> {
  return listFeesOwed(db, merchantIds);
}
