import { randomBytes } from "node:crypto";
import { openDatabase } from "@daric/postgres/database";
import type { Database } from "@daric/postgres/sql";
import { expect, inject } from "vitest";
import { executeAsAdmin, executeOften, urlOfDatabase } from "./admin-connection.ts";
import { setOwner } from "./owners-database.ts";
import type {} from "./postgres-global-setup.ts";
import { type Pool, takeDatabase } from "./returned-databases.ts";
import { observed } from "./tenants/observed-database.ts";
import { tenantTables } from "./tenants/schema.ts";
import { watchDecoys } from "./tenants/watched-decoys.ts";
import { isGloballyWithoutDecoys, isWithoutDecoys } from "./tenants/without-decoys.ts";

/** SQLSTATE of a statement that needs an unused database. */
const IN_USE = "55006";
const COPY_TRIES = 10;

export type TestDatabase = {
  /** as the service, through the pooler of the run if it has one */
  url: string;
  /** as the service, past any pooler: for tests of one connection, or of the connections of a process, which a pooler replaces and keeps */
  directUrl: string;
  /** as the owner of the tables, past the pooler */
  ownerUrl: string;
  /** with the service's rights */
  db: Database;
  /** with the owner's rights */
  owner: Database;
  /** Closes both and drops the database, with all its connections. */
  drop(): Promise<void>;
};

/**
 * A copy of the migrated template. Each merchant's row has a decoy with the same id under another merchant, which
 * no statement of the service may reach. Decoys are checked after each test and at `drop`. The test's own queries
 * do not see them.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template, decoyTemplate, tables } = inject("postgres");
  const testPath = expect.getState().testPath ?? "";
  const hasDecoys = !isWithoutDecoys(testPath);
  const make = () => createDatabase(hasDecoys ? decoyTemplate : template);
  // Only a database with decoys can be restored, and connections of a pooler would outlive the test.
  const isUsedOnce =
    !hasDecoys || inject("postgres").pooler !== undefined || CHANGES_THE_DATABASE.test(testPath);
  const database = await (isUsedOnce ? make() : takeDatabase(testPath, make));
  const hiding = {
    tablesWithDecoys: hasDecoys ? tenantTables(tables) : [],
    fromGlobal: hasDecoys && isGloballyWithoutDecoys(testPath),
  };
  const [db, owner] = [observed(database.db, hiding), observed(database.owner, hiding)];
  setOwner(db, owner);
  const seen = { ...database, db, owner };
  return hasDecoys ? watchDecoys(seen) : seen;
}

/** A database without tables. The service may change rows of tables that the owner creates. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase("template0");
  const service = new URL(database.url).username;
  await executeAsAdmin(
    database.ownerUrl,
    `alter default privileges grant select, insert, update, delete, truncate on tables to ${service}`,
  );
  return database;
}

/** Copies a database like a restored dump. Disconnects all users of the original. The service's statements on it are recorded too. */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const name = new URL(url).pathname.slice(1);
  for (let tries = 1; ; tries += 1) {
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    try {
      const copy = await createDatabase(name);
      const db = observed(copy.db, { tablesWithDecoys: [], fromGlobal: false });
      setOwner(db, copy.owner);
      return { ...copy, db };
    } catch (error) {
      // A pooler or a disconnected user may be back before the copy begins.
      const isInUse = (error as { code?: unknown }).code === IN_USE;
      if (!isInUse || tries === COPY_TRIES) throw error;
    }
  }
}

async function admin(statement: string): Promise<void> {
  await executeOften(inject("postgres").adminUrl, statement);
}

async function createDatabase(template: string): Promise<TestDatabase & { db: Pool; owner: Pool }> {
  const postgres = inject("postgres");
  const name = `t_${randomBytes(8).toString("hex")}`;
  const ownerUrl = urlOfDatabase(postgres.ownerUrl, name);
  const owner = new URL(ownerUrl).username;
  await admin(`create database ${name} template ${template} strategy file_copy owner ${owner}`);
  const directUrl = urlOfDatabase(postgres.serviceUrl, name);
  const url = throughPooler(directUrl);
  const db = openDatabase({ url, applicationName: name, onError: () => undefined });
  const ownersDb = openDatabase({ url: ownerUrl, applicationName: name, onError: () => undefined });
  const drop = async () => {
    await Promise.all([db.close(), ownersDb.close()]);
    await admin(`drop database if exists ${name} with (force)`);
  };
  setOwner(db, ownersDb);
  return { url, directUrl, ownerUrl, db, owner: ownersDb, drop };
}

/** Tests of the product, its processes and its database: they change settings and tables, which restoring does not undo. */
const CHANGES_THE_DATABASE =
  /\/(e2e|postgres|runtime|signer|testing)\/|\/apps\/daric\/src\/(cli|process|service-tests)\//;

function throughPooler(directUrl: string): string {
  const { pooler } = inject("postgres");
  if (pooler === undefined) return directUrl;
  return Object.assign(new URL(directUrl), { host: pooler }).href;
}
