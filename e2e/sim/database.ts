import { randomBytes } from "node:crypto";
import { openDatabase } from "@daric/postgres/database";
import { type Database, sql } from "@daric/postgres/sql";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { setOwner } from "@daric/testing/owners-database";
import { raw } from "@daric/testing/raw-sql";
import type { ProvidedContext } from "vitest";

/** A database of the service that is emptied for each seed: its connections and plans outlive them. */
export type SimDatabase = {
  /** as the service logs in */
  readonly db: Database;
  /** as the owner of the tables does */
  readonly owner: Database;
  empty(): Promise<void>;
  drop(): Promise<void>;
};

/** What every database has from its migrations on. */
const KEPT = ["deployment", "schema_version"];

/** The owner may spoil it first: with what is taken away, the seeds must fail. */
export async function createSimDatabase(
  servers: Pick<ProvidedContext["postgres"], "adminUrl" | "ownerUrl" | "serviceUrl" | "template">,
  spoil?: string,
): Promise<SimDatabase> {
  const name = `sim_${randomBytes(6).toString("hex")}`;
  const ownerUrl = urlOfDatabase(servers.ownerUrl, name);
  const { username } = new URL(ownerUrl);
  await executeAsAdmin(
    servers.adminUrl,
    `create database ${name} template ${servers.template} strategy file_copy owner ${username}`,
  );
  // A seed asks the same few statements three thousand times, about tables of a few rows: planned once they cost less.
  await executeAsAdmin(servers.adminUrl, `alter database ${name} set plan_cache_mode = force_generic_plan`);
  const open = (url: string, max: number) =>
    openDatabase({ url, max, applicationName: name, onError: () => undefined });
  const db = open(urlOfDatabase(servers.serviceUrl, name), 4);
  const owner = open(ownerUrl, 2);
  setOwner(db, owner);
  if (spoil !== undefined) await executeAsAdmin(ownerUrl, spoil);
  const tables = await owner.query<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${KEPT}::text[])`);
  const all = tables.map((table) => table.name).join(", ");
  return {
    db,
    owner,
    empty: async () => {
      await owner.query(raw(`truncate ${all} restart identity cascade`));
    },
    drop: async () => {
      await Promise.all([db.close(), owner.close()]);
      await executeAsAdmin(servers.adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
