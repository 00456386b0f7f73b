import type { Transaction } from "@daric/postgres/sql";
import type { Violation } from "./invariant.ts";
import { addEntries, findLedgerViolations, findWrongTotals, type TotalSums } from "./ledger-check-store.ts";
import { listChargeRanges, type SizedScope } from "./list-charge-ranges.ts";

/** Compares the balances of some merchants with their entries and deposits, by ranges of charges. */
export async function auditLedger(tx: Transaction, scope: SizedScope): Promise<Violation[]> {
  const found: Violation[] = [];
  const sums: TotalSums = new Map();
  for (const range of await listChargeRanges(tx, scope)) {
    found.push(...(await findLedgerViolations(tx, scope, range)));
    await addEntries(tx, sums, { ...scope, ...range });
  }
  return [...found, ...(await findWrongTotals(tx, scope, sums))];
}
