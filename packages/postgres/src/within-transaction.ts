import type { Database, Transaction } from "./sql.ts";

/** The open transaction as a database: a use case that starts its own runs in this one, and ends with it. */
export function withinTransaction(tx: Transaction): Database {
  const within: Database = {
    query: (statement) => tx.query(statement),
    transaction: (work) => work(tx),
    answeringWithin: () => within,
    forTenant: () => within,
    close: async () => {},
  };
  return within;
}
