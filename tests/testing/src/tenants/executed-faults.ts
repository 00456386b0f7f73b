import { globalStatements } from "@daric/runtime/global-statements";
import { distributionFaults } from "./distribution-faults.ts";
import type { RecordedStatement } from "./recorded-statements.ts";
import type { Tables } from "./schema.ts";
import { sessionFaults } from "./session-faults.ts";
import { statementFaults } from "./statement-faults.ts";

const GLOBAL = /^\s*\/\* global: ([a-z-]+) \*\//;

/** The faults by text of the statement, because most test files execute the same ones. */
const checked = new Map<string, readonly string[]>();

/**
 * The faults of these statements, each with its file and text. They touch a merchant without naming it, keep state in their
 * session, or a distributed database refuses them. A listed global statement may touch any merchant.
 */
export async function executedFaults(
  statements: readonly RecordedStatement[],
  tables: Tables,
): Promise<string[]> {
  const found: string[] = [];
  for (const { text, file } of statements) {
    const name = GLOBAL.exec(text)?.[1];
    const isGlobal = name !== undefined && name in globalStatements;
    const faults = checked.get(text) ?? (await faultsOf(text, isGlobal ? undefined : tables));
    checked.set(text, faults);
    if (faults.length > 0) found.push(`${file}: ${faults.join("; ")}\n${text.trim()}`);
  }
  return found;
}

/** Without `tables` the statement may touch any merchant. */
async function faultsOf(text: string, tables: Tables | undefined): Promise<string[]> {
  const untied = tables === undefined ? [] : await statementFaults(text, tables);
  return [...untied, ...(await sessionFaults(text)), ...(await distributionFaults(text))];
}
