import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withDedicatedClient } from "./dedicated-client.ts";
import {
  DatabaseUnavailableError,
  isDatabaseUnavailable,
  isLockTimeout,
  isRefusedForRights,
  isRetryable,
} from "./errors.ts";
import { adoptFormer } from "./former-migrations.ts";
import { one, type Queryable, sql } from "./sql.ts";

/** All processes that migrate must use the same number. These are the letters of "daric". */
const ADVISORY_LOCK = 0x64_61_72_69_63n;
const VERSION_TABLE = "schema_version";
const FILE_NAME = /^(\d{4})\.do\.([a-z0-9_-]+)\.sql$/;
/** A migration waits at most this long for a table, because later callers of the table wait behind it. */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY_MS = 1_000;
const MAX_TRIES = 60;

/** For the rest of a connection. PostgreSQL 16 and older have no such limit. */
const LIFT_TRANSACTION_TIMEOUT =
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'";

/**
 * Brings the schema to the newest migration of `directory`; returns the number of applied files and the version.
 * All pending files are one transaction. Several processes may migrate at once: they wait for each other and all
 * succeed.
 * @throws Error when a file is misnamed, missing, failing or changed after it was applied, or when the database is
 * ahead.
 * @throws DatabaseUnavailableError when the server cannot be reached.
 */
export async function migrate(url: string, directory: string): Promise<{ applied: number; version: number }> {
  const files = await listMigrations(directory);
  return withMigrationLock(url, async (client) => ({
    applied: await applyPending(client, files),
    version: newestOf(files),
  }));
}

/**
 * Runs `work` in a transaction that excludes other changes of schema and roles, without the role's time limits. Where it
 * would wait more than a second for a lock, or meets a deadlock, all of it is tried again, for about two minutes.
 * @throws DatabaseUnavailableError when the server cannot be reached.
 */
export async function withMigrationLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryWithLock(url, work);
    } catch (error) {
      const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
      if (!(isLockTimeout(cause) || isRetryable(cause)) || tries === MAX_TRIES) throw error;
    }
    await sleep(RETRY_MS);
  }
}

/** Runs `work` once, in one transaction that ends with `end`. */
export async function tryWithLock<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  end: "commit" | "rollback" = "commit",
): Promise<T> {
  const config = { connectionString: url, application_name: "daric-migrate" };
  return withDedicatedClient(config, async (client) => {
    await client.query(LIFT_TRANSACTION_TIMEOUT);
    await client.query(
      `begin; set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}; ` +
        "set local idle_in_transaction_session_timeout = 0",
    );
    await client.query(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    const result = await work(client);
    await client.query(end);
    return result;
  }).catch((error) =>
    Promise.reject(isDatabaseUnavailable(error) ? new DatabaseUnavailableError(error) : error),
  );
}

const NO_RIGHTS =
  "the role of the service has no rights in this database, for example in a restored copy: run `daric migrate`, which grants them";

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
 * @throws ForeignSchemaError when an applied migration differs from the one in `directory`. @throws Error when the role of `db` has no
 * rights in this database, as in a restored copy.
 */
export async function migrationStatus(
  db: Queryable,
  directory: string,
): Promise<{ current: number; latest: number }> {
  const files = await listMigrations(directory);
  const latest = newestOf(files);
  const tables = await db.query<{ exists: boolean }>(
    sql`select to_regclass(${VERSION_TABLE}) is not null as exists`,
  );
  if (!one(tables).exists) return { current: 0, latest };
  const rows = await db
    .query<AppliedRow>(sql`select version, md5 from schema_version order by version`)
    .catch((error: unknown) => {
      throw isRefusedForRights(error) ? new Error(NO_RIGHTS) : error;
    });
  const applied = appliedOf(rows);
  requireSameMigrations(applied, files);
  return { current: newestOf(applied), latest };
}

type AppliedRow = { readonly version: bigint | string; readonly md5: string };
type AppliedMigration = { readonly version: number; readonly md5: string };

function appliedOf(rows: readonly AppliedRow[]): AppliedMigration[] {
  return rows.map(({ version, md5 }) => ({ version: Number(version), md5 }));
}

/** The version of the last of these, 0 without any. */
function newestOf(ordered: readonly { readonly version: number }[]): number {
  return ordered.at(-1)?.version ?? 0;
}

function requireSameMigrations(applied: readonly AppliedMigration[], files: readonly Migration[]): void {
  const known = new Map(files.map(({ version, md5 }) => [version, md5]));
  const other = applied.find(({ version, md5 }) => (known.get(version) ?? md5) !== md5);
  if (other !== undefined) throw new ForeignSchemaError(other.version);
}

/** A file of migrations. Its number is its version. */
export type Migration = {
  readonly version: number;
  /** the words of its file's name */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly md5: string;
};

/**
 * The migrations that are not applied yet, in their order. A database of the former files first becomes one of the baseline.
 * @throws as `migrate`.
 */
export async function pendingMigrations(
  client: pg.Client,
  files: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await listApplied(client);
  requireSameMigrations(applied, files);
  const current = newestOf(applied);
  const latest = newestOf(files);
  if (current > latest)
    throw new Error(
      `the database has schema version ${current} and this program knows ${latest}: run a newer program`,
    );
  if (current === 0 || current >= (files[0]?.version ?? 0))
    return files.filter(({ version }) => version > current);
  await adoptFormer(client, { applied, files });
  return pendingMigrations(client, files);
}

async function listApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('${VERSION_TABLE}') is not null as exists`,
  );
  if (!tables[0]?.exists) return [];
  const { rows } = await client.query<AppliedRow>(
    `select version, md5 from ${VERSION_TABLE} order by version`,
  );
  return appliedOf(rows);
}

async function applyPending(client: pg.Client, files: readonly Migration[]): Promise<number> {
  const pending = await pendingMigrations(client, files);
  await client.query(
    `create table if not exists ${VERSION_TABLE}
       (version bigint primary key, name text collate "C", md5 text collate "C", run_at timestamptz)`,
  );
  for (const { version, name, text, md5 } of pending) {
    await executeMigration(client, text);
    await client.query(`insert into ${VERSION_TABLE} values ($1, $2, $3, now())`, [version, name, md5]);
  }
  return pending.length;
}

/** A statement, in which a comment or a quoted text may have semicolons. */
const STATEMENT = /(?:--[^\n]*|'(?:[^']|'')*'|\$\$[\s\S]*?\$\$|[^;'$-]|-(?!-)|\$(?!\$))+;?/g;

/**
 * Runs a migration's statements, each as a query of its own. Citus sends the whole text of a query to its servers, which accept
 * one statement alone.
 * @throws Error for a text without an end. @throws the errors of the statements.
 */
export async function executeMigration(client: pg.Client, text: string): Promise<void> {
  const statements = text.match(STATEMENT) ?? [];
  if (statements.join("") !== text) throw new Error("a quoted text of this migration has no end");
  for (const statement of statements) {
    const isEmpty = statement.replace(/--[^\n]*/g, "").trim() === "";
    if (!isEmpty) await client.query(statement);
  }
}

/** The checksum of the text with line feeds, so that a checkout with other line ends counts as unchanged. */
function checksum(text: string): string {
  return createHash("md5").update(text.replace(/\r\n?/g, "\n")).digest("hex");
}

/** The migrations in order, each with the number after that of the one before it: 0100.do.deployment.sql and so on. */
export async function listMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => !file.startsWith(".")).sort();
  if (files.length === 0) throw new Error(`no migrations in ${directory}`);
  const named = files.map((file) => {
    const [, version, name] = FILE_NAME.exec(file) ?? [];
    if (version === undefined || name === undefined)
      throw new Error(`${join(directory, file)} is not named like 0100.do.deployment.sql`);
    return { version: Number(version), name, file };
  });
  for (const [index, { version, file }] of named.entries()) {
    const expected = (named[0]?.version ?? 0) + index;
    if (version !== expected)
      throw new Error(`migration ${expected} is expected and ${join(directory, file)} found`);
  }
  // In parallel, because each read needs turns of the event loop, which are long in a busy process.
  return Promise.all(
    named.map(async (migration) => {
      const text = await readFile(join(directory, migration.file), "utf8");
      return { ...migration, text, md5: checksum(text) };
    }),
  );
}
