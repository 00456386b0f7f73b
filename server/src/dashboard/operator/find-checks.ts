import type { Queryable } from "@daric/postgres/sql";
import { findProcessChecks, type ProcessCheck } from "../../alerts/process-checks.ts";
import type { CheckStatus, Status } from "../../status/status.ts";
import { readerCheck } from "./reader-check.ts";

/**
 * The checks of this process, and whether another one reads the chain. Then the checks of the other processes that fail or that this
 * process does not have. Only theirs name a process.
 */
export async function findChecks(db: Queryable, status: Status): Promise<(CheckStatus | ProcessCheck)[]> {
  const reader = readerCheck(status);
  const own = [...status.checks, ...(reader ? [reader] : [])];
  const names = new Set(own.map(({ name }) => name));
  const others = await findProcessChecks(db, { except: status.process.name });
  return [...own, ...others.filter(({ name, ok }) => !ok || !names.has(name))];
}
