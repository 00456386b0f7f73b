import type { Transaction } from "@daric/postgres/sql";
import type { SizedScope } from "./audit.ts";
import type { Violation } from "./invariant.ts";
import { addEntries, findLedgerViolations, findWrongTotals, type TotalSums } from "./ledger-check-store.ts";
import { listChargeRanges } from "./list-charge-ranges.ts";

/** Rebuilds the balances of some merchants from their entries and deposits, by ranges of charges, and says what differs. */
export async function auditLedger(tx: Transaction, scope: SizedScope): Promise<Violation[]> {
  const found: Violation[] = [];
  const sums: TotalSums = new Map();
  for (const range of await listChargeRanges(tx, scope)) {
    found.push(...(await findLedgerViolations(tx, scope, range)));
    await addEntries(tx, scope, range, sums);
  }
  return [...found, ...(await findWrongTotals(tx, scope, sums))];
}
