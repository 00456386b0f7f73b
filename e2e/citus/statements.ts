import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize } from "node:v8";
import { openDatabase } from "@daric/postgres/database";
import type { Sql } from "@daric/postgres/sql";

export type ServiceStatement = {
  readonly file: string;
  readonly text: string;
  readonly values: readonly unknown[];
};

/** The distinct statements of the service that its database tests run, as on a distributed database, each with its values. */
export async function recordStatements(): Promise<ServiceStatement[]> {
  const folder = await mkdtemp(join(tmpdir(), "daric-statements-"));
  const file = process.env.STATEMENTS ?? join(folder, "statements.jsonl");
  if (process.env.STATEMENTS === undefined) await runTests(file);
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  await rm(folder, { recursive: true });
  const statements = new Map<string, ServiceStatement>();
  for (const line of lines) {
    const { file: store, text, values } = JSON.parse(line) as { file: string; text: string; values: string };
    if (!statements.has(text))
      statements.set(text, { file: store, text, values: deserialize(Buffer.from(values, "base64")) });
  }
  return [...statements.values()];
}

/**
 * Runs the tests of a file. Tests that count statements, or need several merchants in one, fail here; their
 * statements are recorded all the same.
 */
async function runTests(file: string): Promise<void> {
  const args = ["vitest", "run", "--project", "db", "--retry", "0", "server/src"];
  const env = { ...process.env, TENANTS_PER_STATEMENT: "1", RECORD_STATEMENTS: file };
  const child = spawn("npx", args, { env, stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
}

export type Failure = { readonly file: string; readonly text: string; readonly message: string };

/**
 * Runs each statement as the service in a transaction that is rolled back. Returns those that fail for another
 * reason than on one node.
 */
export async function findFailures(
  statements: readonly ServiceStatement[],
  urls: { readonly distributed: string; readonly plain: string },
): Promise<Failure[]> {
  const [distributed, plain] = [openProbe(urls.distributed), openProbe(urls.plain)];
  const failures: Failure[] = [];
  for (const statement of statements) {
    const failure = await distributed.attempt(statement);
    if (failure === undefined) continue;
    const onOneNode = await plain.attempt(statement);
    if (onOneNode === undefined || !isSame(failure, onOneNode))
      failures.push({ file: statement.file, text: statement.text, message: failure.message });
  }
  await Promise.all([distributed.close(), plain.close()]);
  return failures;
}

type Fault = { readonly code: string; readonly message: string };

/**
 * Whether both failures have the same cause. Recorded values name no row of this database, so foreign keys fail:
 * by SQLSTATE on one node, by message on a shard.
 */
function isSame(failure: Fault, onOneNode: Fault): boolean {
  const isForeignKey = ({ code, message }: Fault) =>
    code === "23503" || /violates foreign key constraint/.test(message);
  return failure.code === onOneNode.code || (isForeignKey(failure) && isForeignKey(onOneNode));
}

const ROLLED_BACK = new Error("rolled back");

function openProbe(url: string) {
  const db = openDatabase({ url, max: 1, applicationName: "citus-test", onError: () => {} });
  return {
    attempt: ({ text, values }: ServiceStatement): Promise<Fault | undefined> =>
      db
        .transaction(async (tx) => {
          await tx.query({ text, values: [...values] } as unknown as Sql);
          throw ROLLED_BACK;
        })
        .then(
          () => undefined,
          (error: unknown) => (error === ROLLED_BACK ? undefined : faultOf(error)),
        ),
    close: () => db.close(),
  };
}

function faultOf(error: unknown): Fault {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  if (code === undefined && cause instanceof Error) return faultOf(cause);
  return { code: code ?? "", message };
}
