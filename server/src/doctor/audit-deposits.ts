import type { Transaction } from "@daric/postgres/sql";
import { type DepositScope, findDepositViolations, findRepeated } from "./deposit-check-store.ts";
import { findHistoryViolations } from "./history-check-store.ts";
import type { Violation } from "./invariant.ts";
import { listSuspects } from "./suspect-store.ts";

/** More than these are not named to a statement: it looks at all of the range instead. */
const MAX_NAMED = 1_000;

/**
 * What is wrong with a range of some merchants' deposits, with their history and with what was said of them. All of it in one
 * pass, and then, question by question, only what that leaves in doubt.
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
