import { appendFileSync } from "node:fs";
import { serialize } from "node:v8";
import type { Sql } from "@daric/postgres/sql";

/** A file of the service, from its source folder on. */
const SERVICE_FILE = /\/server\/src\/([\w./-]+?)\.ts[:?]/;
/** Frames between the database and the store that asks it are few; tests that stand in between add some. */
const FRAMES = 30;

const callers = new Map<string, string>();

/** A statement of the service that was executed, and the file that asked for it, like "charges/store". */
export type RecordedStatement = { readonly text: string; readonly file: string };

/** The different statements of the service that this test file has executed on databases of its own. */
export function recordedStatements(): RecordedStatement[] {
  return [...callers].map(([text, file]) => ({ text, file }));
}

/** Where a run leaves every different statement with the values of its first execution, for who executes them elsewhere. */
const LOG_FILE = process.env.RECORD_STATEMENTS;
const logged = new Set<string>();

function log({ text, values }: Sql, file: string): void {
  if (LOG_FILE === undefined || logged.has(text)) return;
  logged.add(text);
  const line = { file, text, values: serialize(values).toString("base64") };
  appendFileSync(LOG_FILE, `${JSON.stringify(line)}\n`);
}

/** Another test file begins: test files share their process. */
export function forgetStatements(): void {
  callers.clear();
}

/** Whether the service asks, whose statement is then remembered; otherwise a test does. Call it where the question arrives. */
export function isOfService(statement: Sql): boolean {
  const { text } = statement;
  if (callers.has(text)) return true;
  const file = findCallerOf();
  if (file !== undefined) callers.set(text, file);
  if (file !== undefined) log(statement, file);
  return file !== undefined;
}

/** The innermost file of the service among the callers; undefined where a test asks by itself. */
function findCallerOf(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const frames = new Error().stack?.split("\n") ?? [];
  Error.stackTraceLimit = limit;
  // Frames behind an `await` are callers of callers: a test that a store once awaited is not asking for it.
  const callers = frames.filter((frame) => !/^\s*at async /.test(frame));
  const files = callers.map((frame) => SERVICE_FILE.exec(frame)?.[1]);
  return files.find((file) => file !== undefined && !file.endsWith(".test"));
}
