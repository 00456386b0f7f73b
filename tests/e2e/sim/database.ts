import { randomBytes } from "node:crypto";
import { openDatabase } from "@daric/postgres/database";
import { type Database, milliseconds, sql } from "@daric/postgres/sql";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { setOwner } from "@daric/testing/owners-database";
import { raw } from "@daric/testing/raw-sql";
import type { ProvidedContext } from "vitest";

/** A database that is emptied for each seed: its connections and plans survive. */
export type SimDatabase = {
  /** with the login of the service */
  readonly db: Database;
  /** with the login of the owner of the tables */
  readonly owner: Database;
  empty(): Promise<void>;
  /** Sets the database's time, counted from its beginning. */
  setElapsed(ms: number): Promise<void>;
  drop(): Promise<void>;
};

/** The tables that are not emptied, because every migrated database has their rows. */
const KEPT = ["deployment", "schema_version"];

/** Replaces the database's clock by the seed's time, because statements measure ages by it. */
const CLOCK = `
  create schema sim;
  create table sim.clock (began_at timestamptz not null, elapsed interval not null);
  insert into sim.clock values (pg_catalog.now(), interval '0');
  create function sim.now() returns timestamptz language sql stable as 'select began_at + elapsed from sim.clock';
  grant usage on schema sim to public;
  grant select on sim.clock to public;
  do $$ declare statement text; begin
    for statement in
      select format('alter table %s alter column %I set default sim.now()', d.adrelid::regclass, a.attname)
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where pg_get_expr(d.adbin, d.adrelid) = 'now()'
    loop execute statement; end loop;
  end $$;
  -- This check compares with the real clock.
  alter table signing_requests drop constraint signing_requests_bounded`;

/** Creates the database. A mutant may remove a guard afterwards, and seeds must fail then. */
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
  // A seed runs the same few statements three thousand times on small tables: generic plans are cheaper.
  await executeAsAdmin(servers.adminUrl, `alter database ${name} set plan_cache_mode = force_generic_plan`);
  await executeAsAdmin(ownerUrl, CLOCK);
  await executeAsAdmin(servers.adminUrl, `alter database ${name} set search_path = sim, pg_catalog, public`);
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
      await owner.query(sql`update sim.clock set elapsed = interval '0'`);
      await owner.query(raw(`truncate ${all} restart identity cascade`));
    },
    setElapsed: async (ms) => {
      await owner.query(sql`update sim.clock set elapsed = ${milliseconds(ms)}`);
    },
    drop: async () => {
      await Promise.all([db.close(), owner.close()]);
      await executeAsAdmin(servers.adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
