import type { Transaction } from "@daric/postgres/sql";
import { type DepositScope, findDepositBreakages, findRepeated } from "./deposit-check-store.ts";
import { listDoubtful } from "./doubtful-store.ts";
import { findHistoryBreakages } from "./history-check-store.ts";
import type { Breakage } from "./invariant.ts";

/** More than these are not named to a statement: it looks at all of the range instead. */
const MAX_NAMED = 1_000;

/**
 * What is wrong with a range of some merchants' deposits, with their history and with what was said of them. All of it in one
 * pass, and then, question by question, only what that leaves in doubt.
 */
export async function findBookBreakages(tx: Transaction, scope: DepositScope): Promise<Breakage[]> {
  const repeated = await findRepeated(tx, scope);
  const doubtful = await listDoubtful(tx, scope);
  if (doubtful.length === 0) return repeated;
  const closer = doubtful.length > MAX_NAMED ? scope : { ...scope, only: doubtful };
  return [
    ...repeated,
    ...(await findDepositBreakages(tx, closer)),
    ...(await findHistoryBreakages(tx, closer)),
  ];
}
