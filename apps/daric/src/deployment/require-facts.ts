import { type BrokenFact, findFaults, type Use } from "@daric/postgres/facts";
import type { Queryable } from "@daric/postgres/sql";
import { StartError } from "./start-error.ts";

/** A line for each thing to do: what does not hold, and what mends it. */
export function linesOf(findings: readonly BrokenFact[]): string[] {
  const mends = [...new Set(findings.map(({ mend }) => mend))];
  return mends.map((mend) => {
    const words = findings.filter((finding) => finding.mend === mend).map((finding) => finding.words);
    return `${words.join("; ")}: ${mend}`;
  });
}

/**
 * Returns the doubts about the database, one line each.
 *
 * @throws StartError with the statements to run, if a fact does not hold that this use depends on.
 */
export async function requireFacts(db: Queryable, use: Use): Promise<string[]> {
  const findings = await findFaults(db, use);
  const faults = findings.filter(({ stops }) => stops !== undefined);
  if (faults.length > 0) throw new StartError("database_unfit", linesOf(faults).join("; "));
  return linesOf(findings);
}
