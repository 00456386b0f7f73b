import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@daric/postgres/embedded";
import { isAlive } from "@daric/postgres/embedded/process-table";
import { migrate } from "@daric/postgres/migrate";
import { MIGRATIONS_DIRECTORY } from "@daric/server/deployment/migrations";
import type { TestProject } from "vitest/node";
import { executeAsAdmin, urlOfDatabase } from "./admin-connection.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface ProvidedContext {
    /** Where `createTestDatabase` makes databases: a superuser's URL and the migrated database it copies. */
    postgres: { adminUrl: string; template: string };
  }
}

const HOME = /^daric-test-postgres-(\d+)-/;

/**
 * One PostgreSQL for the whole run: the one of `TEST_DATABASE_URL`, whose user may create databases, or an own one
 * in a temporary folder that is removed afterwards. The migrations run once, into a database that tests copy.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `daric_template_${process.pid}_${Date.now().toString(36)}`;
  try {
    await executeAsAdmin(server.url, `create database ${template}`);
    await migrate(urlOfDatabase(server.url, template), MIGRATIONS_DIRECTORY);
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide("postgres", { adminUrl: server.url, template });
  return async () => {
    await executeAsAdmin(server.url, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== "") return { url: given, stop: async () => undefined };
  await removeAbandonedHomes();
  const home = await mkdtemp(join(tmpdir(), `daric-test-postgres-${process.pid}-`));
  const server = await startPostgres({ home, mode: "test" });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Runs that were killed could not remove their folder. */
async function removeAbandonedHomes(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(HOME.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isAlive(pid)) {
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
