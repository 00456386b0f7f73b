import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import Postgrator from "postgrator";
import { withDedicatedClient } from "./dedicated-client.ts";
import { DatabaseUnavailableError, isDatabaseUnavailable } from "./errors.ts";
import { one, type Queryable, sql } from "./sql.ts";

/** Any fixed number does; all who migrate must use the same. These are the letters of "daric". */
const ADVISORY_LOCK = 0x64_61_72_69_63n;
const VERSION_TABLE = "schema_version";
const FILE_NAME = /^(\d{4})\.do\.[a-z0-9_-]+\.sql$/;
/** How long to wait for another process that migrates, or for a table that is in use. */
const LOCK_TIMEOUT_MS = 60_000;

/**
 * Brings the schema to the newest migration of `directory` and says how many files that took and which version it has now.
 *
 * All pending files and their records are one transaction: either all are in or none. Several processes may
 * call this at once; they wait for each other and all succeed. A file that was applied must not be changed.
 *
 * @throws Error when a file is misnamed or missing in the sequence, when an applied file was changed, when a file
 * fails, or when the database is ahead of the files.
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
 * Runs `work` in a transaction beside which no other process changes the schema or its roles. Whatever limits the role
 * has do not count: a migration may take its time.
 *
 * @throws DatabaseUnavailableError when the server cannot be reached.
 */
export async function withMigrationLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const config = { connectionString: url, application_name: "daric-migrate" };
  return withDedicatedClient(config, async (client) => {
    await client.query(
      `begin; set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}; ` +
        "set local idle_in_transaction_session_timeout = 0",
    );
    await client.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    const result = await work(client);
    await client.query("commit");
    return result;
  }).catch((error) =>
    Promise.reject(isDatabaseUnavailable(error) ? new DatabaseUnavailableError(error) : error),
  );
}

/** Thrown when a migration that the database has is not the one of this program, so that no later one can follow it. */
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
 * The version the schema has and the newest in `directory`; equal when the process may serve.
 *
 * @throws ForeignSchemaError when an applied migration is not the one in `directory`.
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

/** Compares checksums as postgrator records them: of the text with line feeds, none for its own first row. */
async function requireSameMigrations(applied: readonly AppliedMigration[], directory: string): Promise<void> {
  const names = await readdir(directory);
  // All at once: a process with much to do takes long for each turn of its event loop, and each file needs some.
  await Promise.all(
    applied.map(async ({ version, md5 }) => {
      const name = names.find((file) => Number(FILE_NAME.exec(file)?.[1]) === Number(version));
      if (name === undefined || md5 === null || md5 === "") return;
      const text = (await readFile(join(directory, name), "utf8")).replace(/\r\n?/g, "\n");
      if (createHash("md5").update(text).digest("hex") !== md5) throw new ForeignSchemaError(Number(version));
    }),
  );
}

async function applyPending(client: pg.Client, directory: string, latest: number): Promise<number> {
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

/**
 * How many migrations there are, which is also the newest version. A file that postgrator would pass over in
 * silence is an error here: names are 0001.do.merchants.sql, numbered from 1 without a gap.
 */
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

/** The pattern is a glob, in which a folder's name may have characters of meaning. */
function escapePattern(path: string): string {
  return path.replace(/[\\?*+@!()[\]{}|]/g, "\\$&");
}
