import { randomBytes } from "node:crypto";
import { openDatabase } from "@daric/postgres/database";
import type { Database } from "@daric/postgres/sql";
import { inject } from "vitest";
import { executeAsAdmin, urlOfDatabase } from "./admin-connection.ts";
import type {} from "./postgres-global-setup.ts";

export type TestDatabase = {
  url: string;
  db: Database;
  /** Closes `db` and removes the database, with whatever is still connected to it. */
  drop(): Promise<void>;
};

/** A database of the caller's own with the schema of the service, copied from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject("postgres").template);
}

/** A database of the caller's own without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template0");
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { adminUrl } = inject("postgres");
  const name = `t_${randomBytes(8).toString("hex")}`;
  await executeAsAdmin(adminUrl, `create database ${name} template ${template}`);
  const url = urlOfDatabase(adminUrl, name);
  const db = openDatabase({ url, applicationName: name, onError: () => undefined });
  const drop = async () => {
    await db.close();
    await executeAsAdmin(adminUrl, `drop database if exists ${name} with (force)`);
  };
  return { url, db, drop };
}
