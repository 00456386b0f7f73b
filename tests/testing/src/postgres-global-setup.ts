import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@daric/postgres/database";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { startPostgres } from "@daric/postgres/embedded";
import { isAlive } from "@daric/postgres/embedded/process-table";
import { migrate } from "@daric/postgres/migrate";
import { makePartitions } from "@daric/postgres/partitions";
import { prepareServiceRole } from "@daric/postgres/service-role";
import { roleDefaults } from "@daric/postgres/session-settings";
import { grants } from "@daric/server/deployment/grants";
import { MIGRATIONS_DIRECTORY } from "@daric/server/deployment/migrations";
import { addServerKeys } from "@daric/server/deployment/server-keys-store";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { executeAsAdmin, urlOfDatabase } from "./admin-connection.ts";
import { isPooled, startPgBouncer } from "./pgbouncer.ts";
import { installRestore } from "./pristine.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { installDecoys } from "./tenants/decoys.ts";
import { readTables, type Tables } from "./tenants/schema.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface ProvidedContext {
    /**
     * The server for `createTestDatabase`: URLs of superuser, tables' owner and service, and the template database.
     * `pooler` is host and port of the run's PgBouncer, if it has one.
     */
    postgres: {
      adminUrl: string;
      ownerUrl: string;
      serviceUrl: string;
      template: string;
      /** the template with decoys */
      decoyTemplate: string;
      /** the tables of the template, for the checks of statements */
      tables: Tables;
      pooler: string | undefined;
    };
  }
}

/** Fewer than in production: a copy of the template costs by its files. As many as readiness wants. */
const FEW_MONTHS = 2;

const HOME = /^daric-test-postgres-(\d+)-/;

/**
 * One PostgreSQL for the whole run: that of `TEST_DATABASE_URL`, or an embedded one in a temporary folder.
 * Migrations run once, into a template that tests copy.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres, stop } = await preparePostgres();
  project.provide("postgres", postgres);
  return stop;
}

/** The same without vitest. */
export async function preparePostgres(): Promise<{
  postgres: ProvidedContext["postgres"];
  stop(): Promise<void>;
}> {
  const server = await startServer();
  const run = `${process.pid}_${Date.now().toString(36)}`;
  const template = `daric_template_${run}`;
  const decoyTemplate = `${template}_decoys`;
  const roles = [`daric_owner_${run}`, `daric_service_${run}`, `daric_admin_${run}`] as const;
  const undo: (() => Promise<void>)[] = [server.stop];
  try {
    const [ownerUrl, serviceUrl, adminUrl] = await createRoles(server.url, roles);
    undo.unshift(() => executeAsAdmin(server.url, `drop role ${roles.join(", ")}`));
    await executeAsAdmin(server.url, `create database ${template} owner ${roles[0]}`);
    undo.unshift(() => dropDatabasesOf(server.url, roles[0]));
    await migrate(urlOfDatabase(ownerUrl, template), MIGRATIONS_DIRECTORY);
    await makePartitions(urlOfDatabase(ownerUrl, template), FEW_MONTHS);
    await prepareServiceRole({
      ownerUrl: urlOfDatabase(ownerUrl, template),
      serviceUrl: urlOfDatabase(serviceUrl, template),
      grants,
    });
    if (process.env.RECORD_SHARDED === "1") await addKeys(urlOfDatabase(ownerUrl, template));
    const tables = await readTables(urlOfDatabase(ownerUrl, template));
    await executeAsAdmin(
      server.url,
      `create database ${decoyTemplate} template ${template} owner ${roles[0]}`,
    );
    await installDecoys(urlOfDatabase(server.url, decoyTemplate), tables);
    await installRestore(urlOfDatabase(server.url, decoyTemplate));
    const pgBouncer = isPooled() ? await startPgBouncer(serviceUrl) : undefined;
    if (pgBouncer) undo.unshift(pgBouncer.stop);
    const stop = async () => {
      for (const step of undo) await step();
    };
    return {
      postgres: {
        adminUrl,
        ownerUrl,
        serviceUrl,
        template,
        decoyTemplate,
        tables,
        pooler: pgBouncer?.host,
      },
      stop,
    };
  } catch (error) {
    for (const step of undo) await step().catch(() => undefined);
    throw error;
  }
}

/** The keys that `daric distribute` makes. */
async function addKeys(url: string): Promise<void> {
  const db = openDatabase({ url, max: 1, onError: () => undefined });
  await addServerKeys(db).finally(() => db.close());
}

/**
 * One SCRAM iteration instead of thousands: test passwords are random, and tests log in ten thousand times. Before
 * version 16 it cannot be set.
 */
const HASH_ONCE = `do $$ begin
  if current_setting('server_version_num')::integer >= 160000 then perform set_config('scram_iterations', '1', false); end if;
end $$`;

/** Creates the three roles and returns their URLs. */
async function createRoles(
  serverUrl: string,
  [owner, service, admin]: readonly [string, string, string],
): Promise<readonly [string, string, string]> {
  const url = (name: string) => {
    const changed = new URL(serverUrl);
    changed.username = name;
    changed.password = randomBytes(16).toString("hex");
    return changed.href;
  };
  const urls = [url(owner), url(service), url(admin)] as const;
  const password = (of: string) => new URL(of).password;
  const limits = Object.entries(roleDefaults).map(
    ([name, value]) => `alter role ${service} set ${name} = '${value}'`,
  );
  await executeAsAdmin(
    serverUrl,
    [
      HASH_ONCE,
      `create role ${owner} login password '${password(urls[0])}'`,
      `create role ${service} login password '${password(urls[1])}'`,
      `create role ${admin} superuser login password '${password(urls[2])}'`,
      ...limits,
    ].join("; "),
  );
  return urls;
}

/** The templates, and databases that tests have left behind. */
async function dropDatabasesOf(serverUrl: string, owner: string): Promise<void> {
  await withDedicatedClient({ connectionString: serverUrl }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datdba = '${owner}'::regrole`,
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  });
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== "") return { url: given, stop: async () => undefined };
  await removeAbandonedHomes();
  const home = await mkdtemp(join(scratchFolder(), `daric-test-postgres-${process.pid}-`));
  const server = await startPostgres({ home, mode: "test" });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Killed runs leave their folder behind. */
async function removeAbandonedHomes(): Promise<void> {
  for (const name of await readdir(scratchFolder())) {
    const pid = Number(HOME.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isAlive(pid)) {
      await rm(join(scratchFolder(), name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
