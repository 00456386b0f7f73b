import { randomBytes } from "node:crypto";
import { openDatabase } from "@daric/postgres/database";
import type { Database } from "@daric/postgres/sql";
import { expect, inject } from "vitest";
import { executeAsAdmin, executeOften, urlOfDatabase } from "./admin-connection.ts";
import { setOwner } from "./owners-database.ts";
import type { PastThePooler } from "./past-the-pooler.ts";
import { startPooler } from "./pooler/pooler.ts";
import type {} from "./postgres-global-setup.ts";
import { observed } from "./tenants/observed-database.ts";
import { tenantTables } from "./tenants/schema.ts";
import { watchDecoys } from "./tenants/watched-decoys.ts";
import { isWithoutDecoys } from "./tenants/without-decoys.ts";

/** The state of a statement that needs a database for itself which somebody uses. */
const IN_USE = "55006";
const COPY_TRIES = 10;

export type TestDatabase = {
  /** As the service logs in, through the pooler. */
  url: string;
  /** As the service logs in, past the pooler, for what stands in the list of {@link PastThePooler}. */
  directUrl(test: PastThePooler): string;
  /** As the owner of the tables logs in, past the pooler. */
  ownerUrl: string;
  /** What the service has. */
  db: Database;
  /** What the service may not: other tables, rows that nobody changes. */
  owner: Database;
  /** Closes both and removes the database, with whatever is still connected to it. */
  drop(): Promise<void>;
};

/**
 * A database of the caller's own with the schema of the service, copied from the migrated template. Every row of a
 * merchant that is made in it has a decoy of the same id under another merchant, which no statement of the service may
 * reach; after each test, and when the database is dropped, the decoys are compared with what they were. What a test asks
 * of `db` or `owner` by itself does not see them.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template, decoyTemplate, tables } = inject("postgres");
  const hasDecoys = !isWithoutDecoys(expect.getState().testPath ?? "");
  const database = await createDatabase(hasDecoys ? decoyTemplate : template);
  const tablesWithDecoys = hasDecoys ? tenantTables(tables) : [];
  const db = observed(database.db, tablesWithDecoys);
  const owner = observed(database.owner, tablesWithDecoys);
  setOwner(db, owner);
  const seen = { ...database, db, owner };
  return hasDecoys ? watchDecoys(seen) : seen;
}

/** A database of the caller's own without any table. In those that its owner makes there the service may change rows. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase("template0");
  const service = new URL(database.url).username;
  await executeAsAdmin(
    database.ownerUrl,
    `alter default privileges grant select, insert, update, delete, truncate on tables to ${service}`,
  );
  return database;
}

/** A copy of a database on the same server, as a restored dump is one. Whoever is connected to the original is cut off. */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const name = new URL(url).pathname.slice(1);
  for (let tries = 1; ; tries += 1) {
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    try {
      return await createDatabase(name);
    } catch (error) {
      // Whoever was cut off, or a pooler for them, may be there again before the copy begins.
      const isInUse = (error as { code?: unknown }).code === IN_USE;
      if (!isInUse || tries === COPY_TRIES) throw error;
    }
  }
}

async function admin(statement: string): Promise<void> {
  await executeOften(inject("postgres").adminUrl, statement);
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const postgres = inject("postgres");
  const name = `t_${randomBytes(8).toString("hex")}`;
  const ownerUrl = urlOfDatabase(postgres.ownerUrl, name);
  const owner = new URL(ownerUrl).username;
  await admin(`create database ${name} template ${template} strategy file_copy owner ${owner}`);
  const directUrl = urlOfDatabase(postgres.serviceUrl, name);
  const pooler = await openPooler(directUrl);
  const db = openDatabase({ url: pooler.url, applicationName: name, onError: () => undefined });
  const ownersDb = openDatabase({ url: ownerUrl, applicationName: name, onError: () => undefined });
  const drop = async () => {
    await Promise.all([db.close(), ownersDb.close()]);
    await pooler.close();
    await admin(`drop database if exists ${name} with (force)`);
  };
  setOwner(db, ownersDb);
  return { url: pooler.url, directUrl: () => directUrl, ownerUrl, db, owner: ownersDb, drop };
}

/** The pooler of the run where there is one, else one of our own for this database. */
async function openPooler(directUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const { pooler } = inject("postgres");
  if (pooler === "transaction" || pooler === "session") return startPooler(directUrl, { mode: pooler });
  const url = new URL(directUrl);
  if (pooler !== "none") url.host = pooler;
  return { url: url.href, close: async () => undefined };
}
