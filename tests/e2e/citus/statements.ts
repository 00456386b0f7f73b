import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize } from "node:v8";
import { openDatabase } from "@daric/postgres/database";
import type { Sql } from "@daric/postgres/sql";
import type { ShardFinder } from "@daric/postgres/tenants";
import { openShards } from "@daric/server/deployment/distribute";

export type ServiceStatement = {
  readonly file: string;
  readonly text: string;
  readonly values: readonly unknown[];
};

/**
 * The distinct statements of the service that its database tests run, as on a distributed database, each with its values. `STATEMENTS`
 * names a file that earlier runs recorded: tests with `RECORD_SHARDED=1` and `RECORD_STATEMENTS` append to it, in pieces of any size.
 *
 * @throws Error when a package with stores ran none: its tests did not run, and nothing would be known of its statements.
 */
export async function recordStatements(): Promise<ServiceStatement[]> {
  const folder = await mkdtemp(join(tmpdir(), "daric-statements-"));
  const file = process.env.STATEMENTS ?? join(folder, "statements.jsonl");
  if (process.env.STATEMENTS === undefined) await runTests(file);
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  await rm(folder, { recursive: true });
  const statements = new Map<string, ServiceStatement>();
  for (const line of lines) {
    const { file: store, text, values } = JSON.parse(line) as { file: string; text: string; values: string };
    if (store !== OF_THE_OWNER && !statements.has(text))
      statements.set(text, { file: store, text, values: deserialize(Buffer.from(values, "base64")) });
  }
  const recorded = new Set([...statements.values()].map(({ file: store }) => store.split("/", 1)[0]));
  const silent = (await packagesWithStores()).filter((name) => !recorded.has(name));
  if (silent.length > 0) throw new Error(`no statement was recorded of ${silent.join(", ")}`);
  return [...statements.values()];
}

/** The packages of the service that have SQL. */
async function packagesWithStores(): Promise<string[]> {
  const files = await readdir("packages", { recursive: true });
  const stores = files.map((file) => /^([\w-]+)\/src\/.*store\.ts$/.exec(file)?.[1] ?? "");
  return [...new Set(stores)].filter((name) => name !== "");
}

/** `daric distribute` runs some of its statements, in the main job, and `daric migrate` the others, on a plain copy alone. */
const OF_THE_OWNER = "daric/deployment/server-keys-store";

/** Runs the tests of the server. Tests that count statements fail here; their statements are recorded all the same. */
async function runTests(file: string): Promise<void> {
  const args = ["vitest", "run", "--project", "db", "--retry", "0", "packages", "apps/daric"];
  const env = { ...process.env, RECORD_SHARDED: "1", RECORD_STATEMENTS: file };
  const child = spawn("npx", args, { env, stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
}

export type Failure = { readonly file: string; readonly text: string; readonly message: string };

/**
 * Runs each statement as the service in a transaction that is rolled back. Returns those that fail for another reason than
 * on one server. Merchants of one statement become merchants of one shard, and a statement about one merchant runs about two as well.
 */
export async function findFailures(
  statements: readonly ServiceStatement[],
  urls: { readonly distributed: string; readonly plain: string },
): Promise<Failure[]> {
  const [distributed, plain] = [openProbe(urls.distributed), openProbe(urls.plain)];
  const shardOf = await distributed.openShards();
  const failures: Failure[] = [];
  const all = statements.flatMap((statement) => [
    gathered(statement, shardOf),
    ...spreadOverTwo(statement, shardOf),
  ]);
  for (const statement of all) {
    const failure = await distributed.attempt(statement);
    if (failure === undefined) continue;
    const onOneServer = await plain.attempt(statement);
    if (onOneServer === undefined || !isSame(failure, onOneServer))
      failures.push({ file: statement.file, text: statement.text, message: failure.message });
  }
  await Promise.all([distributed.close(), plain.close()]);
  return failures;
}

const OF_ONE = /\bmerchant_id = \$(\d+)::uuid\b/g;
const OF_SEVERAL = /\bmerchant_id = any\(\$(\d+)::uuid\[\]\)/g;

/**
 * The statement about two merchants of one shard, as `oneOf` and `joinedOf` write it; none if it is about no merchant, or about
 * one alone.
 */
function spreadOverTwo({ text, values, file }: ServiceStatement, shardOf: ShardFinder): ServiceStatement[] {
  const places = new Set([...text.matchAll(OF_ONE)].map(([, place]) => Number(place) - 1));
  // A merchant may be null, where the statement is about the rows of no merchant.
  if (places.size === 0 || [...places].some((place) => values[place] === null)) return [];
  const lists = values.map((value, place) =>
    places.has(place) ? [value, beside(String(value), shardOf)] : value,
  );
  return [{ file, text: text.replaceAll(OF_ONE, "merchant_id = any($$$1::uuid[])"), values: lists }];
}

/** Another merchant of the same shard. */
function beside(merchantId: string, shardOf: ShardFinder): string {
  for (;;) {
    const other = randomUUID();
    if (shardOf(other) === shardOf(merchantId)) return other;
  }
}

/** The statement with other ids for the merchants that stand on another shard than its first one. */
function gathered({ values, ...statement }: ServiceStatement, shardOf: ShardFinder): ServiceStatement {
  const lists = [...statement.text.matchAll(OF_SEVERAL)].map(([, place]) => values[Number(place) - 1]);
  const [first, ...others] = new Set(lists.flat() as string[]);
  const isMoved = (id: string) => first !== undefined && shardOf(id) !== shardOf(first);
  const moved = others.filter(isMoved).map((id) => ({ id, other: beside(String(first), shardOf) }));
  const renamed = (text: string, form: (id: string) => string) =>
    moved.reduce((renaming, { id, other }) => renaming.replaceAll(form(id), form(other)), text);
  /** Lists are arrays, their text, or their bytes. */
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value === "string") return renamed(value, (id) => id);
    if (!Buffer.isBuffer(value)) return value;
    return Buffer.from(
      renamed(value.toString("hex"), (id) => id.replaceAll("-", "")),
      "hex",
    );
  };
  return { ...statement, values: values.map(replaced) };
}

type Fault = { readonly code: string; readonly message: string };

/**
 * Whether both failures have the same cause. Recorded values name no row of this database, so foreign keys fail:
 * by SQLSTATE on one server, by message on a shard.
 */
function isSame(failure: Fault, onOneServer: Fault): boolean {
  const isForeignKey = ({ code, message }: Fault) =>
    code === "23503" || /violates foreign key constraint/.test(message);
  return failure.code === onOneServer.code || (isForeignKey(failure) && isForeignKey(onOneServer));
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
    openShards: () => openShards(db),
    close: () => db.close(),
  };
}

function faultOf(error: unknown): Fault {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  if (code === undefined && cause instanceof Error) return faultOf(cause);
  return { code: code ?? "", message };
}
