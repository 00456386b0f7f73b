import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withDedicatedClient } from "./dedicated-client.ts";
import { DatabaseUnavailableError, isDatabaseUnavailable, isLockTimeout } from "./errors.ts";
import { one, type Queryable, sql } from "./sql.ts";

/** All processes that migrate must use the same number. These are the letters of "daric". */
const ADVISORY_LOCK = 0x64_61_72_69_63n;
const VERSION_TABLE = "schema_version";
const FILE_NAME = /^(\d{4})\.do\.[a-z0-9_-]+\.sql$/;
/** A change of the schema waits no longer for a table: callers that come after it wait behind it. */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY_MS = 1_000;
const MAX_TRIES = 60;

/**
 * Brings the schema to the newest migration of `directory`; returns the number of applied files and the version.
 * All pending files are one transaction. Several processes may migrate at once: they wait for each other and all
 * succeed.
 * @throws Error when a file is misnamed, missing, failing or changed after it was applied, or when the database is
 * ahead.
 * @throws DatabaseUnavailableError when the server cannot be reached.
 */
export async function migrate(url: string, directory: string): Promise<{ applied: number; version: number }> {
  const latest = await countMigrations(directory);
  return withMigrationLock(url, async (client) => {
    const applied = await applyPending(client, directory, latest);
    return { applied, version: latest };
  });
}

/**
 * Runs `work` in a transaction that excludes other changes of schema and roles, without the role's time limits. Where it
 * would wait more than a second for a lock, all of it is tried again, for about two minutes.
 * @throws DatabaseUnavailableError when the server cannot be reached.
 */
export async function withMigrationLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryWithLock(url, work);
    } catch (error) {
      const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
      if (!isLockTimeout(cause) || tries === MAX_TRIES) throw error;
    }
    await sleep(RETRY_MS);
  }
}

/** One transaction; `end` is how it ends. */
export async function tryWithLock<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  end: "commit" | "rollback" = "commit",
): Promise<T> {
  const config = { connectionString: url, application_name: "daric-migrate" };
  return withDedicatedClient(config, async (client) => {
    await client.query(
      `begin; set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}; ` +
        "set local idle_in_transaction_session_timeout = 0",
    );
    await client.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    const result = await work(client);
    await client.query(end);
    return result;
  }).catch((error) =>
    Promise.reject(isDatabaseUnavailable(error) ? new DatabaseUnavailableError(error) : error),
  );
}

/** An applied migration differs from this program's, so no later one can follow it. */
export class ForeignSchemaError extends Error {
  override readonly name = "ForeignSchemaError";

  constructor(version: number) {
    super(
      `this database was made by an unreleased version of Daric with another schema (migration ${version} differs): ` +
        "use a new database; of development data, move the home (DARIC_HOME, .daric) away",
    );
  }
}

/**
 * Returns the version of the schema and the newest in `directory`; the process may serve when they are equal.
 * @throws ForeignSchemaError when an applied migration differs from the one in `directory`.
 */
export async function migrationStatus(
  db: Queryable,
  directory: string,
): Promise<{ current: number; latest: number }> {
  const latest = await countMigrations(directory);
  const tables = await db.query<{ exists: boolean }>(
    sql`select to_regclass(${VERSION_TABLE}) is not null as exists`,
  );
  if (!one(tables).exists) return { current: 0, latest };
  const applied = await db.query<AppliedMigration>(
    sql`select version, md5 from schema_version order by version`,
  );
  await requireSameMigrations(applied, directory);
  return { current: Number(applied.at(-1)?.version ?? 0), latest };
}

type AppliedMigration = { readonly version: bigint | string; readonly md5: string | null };

/** Compares checksums as postgrator records them: of the text with line feeds; its own first row has none. */
async function requireSameMigrations(applied: readonly AppliedMigration[], directory: string): Promise<void> {
  const names = await readdir(directory);
  // In parallel: each read needs turns of the event loop, which are long in a busy process.
  await Promise.all(
    applied.map(async ({ version, md5 }) => {
      const name = names.find((file) => versionOf(file) === Number(version));
      if (name === undefined || md5 === null || md5 === "") return;
      const text = (await readFile(join(directory, name), "utf8")).replace(/\r\n?/g, "\n");
      if (createHash("md5").update(text).digest("hex") !== md5) throw new ForeignSchemaError(Number(version));
    }),
  );
}

export type Migration = { readonly version: number; readonly name: string; readonly text: string };

/**
 * The migrations that are not applied yet, in their order.
 * @throws as `migrate`.
 */
export async function pendingMigrations(client: pg.Client, directory: string): Promise<Migration[]> {
  await countMigrations(directory);
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('${VERSION_TABLE}') is not null as exists`,
  );
  const { rows } = tables[0]?.exists
    ? await client.query<AppliedMigration>(`select version, md5 from ${VERSION_TABLE} order by version`)
    : { rows: [] };
  await requireSameMigrations(rows, directory);
  const current = Number(rows.at(-1)?.version ?? 0);
  const names = (await readdir(directory)).filter((name) => versionOf(name) > current).sort();
  return Promise.all(
    names.map(async (name) => ({
      version: versionOf(name),
      name,
      text: await readFile(join(directory, name), "utf8"),
    })),
  );
}

/** 0 for another file. */
function versionOf(name: string): number {
  return Number(FILE_NAME.exec(name)?.[1] ?? 0);
}

async function applyPending(client: pg.Client, directory: string, latest: number): Promise<number> {
  // Loaded here: only this changes a schema, and every command loads this file.
  const { default: Postgrator } = await import("postgrator");
  const postgrator = new Postgrator({
    driver: "pg",
    migrationPattern: join(escapePattern(directory), "*.sql"),
    schemaTable: VERSION_TABLE,
    newline: "LF",
    execQuery: (query) => client.query(query),
  });
  const known = await postgrator.getMigrations();
  if (known.length !== latest) {
    throw new Error(`${latest} migration files in ${directory}, but only ${known.length} are recognised`);
  }
  const current = await postgrator.getDatabaseVersion();
  if (current > 0) {
    const { rows } = await client.query<AppliedMigration>(
      `select version, md5 from ${VERSION_TABLE} order by version`,
    );
    await requireSameMigrations(rows, directory);
  }
  if (current > latest) {
    throw new Error(
      `the database has schema version ${current} and this program knows ${latest}: run a newer program`,
    );
  }
  return (await postgrator.migrate()).length;
}

/** Counts the migrations, 0001.do.merchants.sql and so on without a gap; postgrator would silently skip others. */
async function countMigrations(directory: string): Promise<number> {
  const names = (await readdir(directory)).filter((name) => !name.startsWith(".")).sort();
  if (names.length === 0) throw new Error(`no migrations in ${directory}`);
  for (const [index, name] of names.entries()) {
    const version = FILE_NAME.exec(name)?.[1];
    if (version === undefined) {
      throw new Error(`${join(directory, name)} is not named like 0001.do.merchants.sql`);
    }
    if (Number(version) !== index + 1) {
      throw new Error(`migration ${index + 1} is expected and ${join(directory, name)} found`);
    }
  }
  return names.length;
}

/** The pattern is a glob, and a folder's name may contain its special characters. */
function escapePattern(path: string): string {
  return path.replace(/[\\?*+@!()[\]{}|]/g, "\\$&");
}
