import { appendFileSync } from "node:fs";
import { serialize } from "node:v8";
import type { Sql } from "@daric/postgres/sql";

/** A source file of the service: its package, and its path there. */
const SERVICE_FILE =
  /\/(?:packages\/(?!postgres\/|tron\/)|apps\/(?=daric\/))([\w-]+)\/src\/([\w./-]+)\.ts(?:\?|$)/;
/** Stack frames between database and store; test wrappers add some. */
const FRAMES = 30;

const callers = new Map<string, string>();

/** A statement of the service and the file that ran it, such as "charges/create/store". */
export type RecordedStatement = { readonly text: string; readonly file: string };

/** The distinct statements of the service in this test file. */
export function recordedStatements(): RecordedStatement[] {
  return [...callers].map(([text, file]) => ({ text, file }));
}

/** A log of every distinct statement with its first values, for use outside the run. */
const LOG_FILE = process.env.RECORD_STATEMENTS;
const logged = new Set<string>();

function log({ text, values }: Sql, file: string): void {
  if (LOG_FILE === undefined || logged.has(text)) return;
  logged.add(text);
  const line = { file, text, values: serialize(values).toString("base64") };
  appendFileSync(LOG_FILE, `${JSON.stringify(line)}\n`);
}

/** Forgets the statements. Called when another test file begins, because test files share their process. */
export function forgetStatements(): void {
  callers.clear();
}

/** Whether the service runs the statement, which is then recorded. Call it synchronously. */
export function isOfService(statement: Sql): boolean {
  const { text } = statement;
  if (callers.has(text)) return true;
  const file = findCallerOf();
  if (file !== undefined) callers.set(text, file);
  if (file !== undefined) log(statement, file);
  return file !== undefined;
}

/** The innermost file of the service among the callers; undefined for a test's own query. */
function findCallerOf(): string | undefined {
  const files = callSites().map((site) =>
    SERVICE_FILE.exec(site.getFileName() ?? "")
      ?.slice(1)
      .join("/"),
  );
  return files.find((file) => file !== undefined && !file.endsWith(".test"));
}

/**
 * The direct callers, without those behind an `await`. Their lines are not mapped to the source, which would be
 * slow.
 */
function callSites(): NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES;
  Error.prepareStackTrace = (_, sites) => sites;
  const { stack } = new Error() as { stack?: unknown };
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return (stack as (NodeJS.CallSite & { isAsync(): boolean })[]).filter((site) => !site.isAsync());
}
