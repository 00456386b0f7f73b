import type { Transaction } from "@daric/postgres/sql";
import { type DepositScope, findDepositViolations, findRepeated } from "./deposit-check-store.ts";
import { findHistoryViolations } from "./history-check-store.ts";
import type { Violation } from "./invariant.ts";
import { listSuspects } from "./suspect-store.ts";

/** Beyond this number a statement reads the whole range instead of named ids. */
const MAX_NAMED = 1_000;

/**
 * Finds violations in a range of deposits, their history and their events. One pass finds suspects; the
 * detailed checks read only those.
 */
export async function findDepositBookViolations(tx: Transaction, scope: DepositScope): Promise<Violation[]> {
  const repeated = await findRepeated(tx, scope);
  const suspects = await listSuspects(tx, scope);
  if (suspects.length === 0) return repeated;
  const closer = suspects.length > MAX_NAMED ? scope : { ...scope, only: suspects };
  return [
    ...repeated,
    ...(await findDepositViolations(tx, closer)),
    ...(await findHistoryViolations(tx, closer)),
  ];
}
