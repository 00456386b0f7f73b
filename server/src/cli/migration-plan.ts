import { type PlannedMigration, planMigrations } from "@daric/postgres/plan-migrations";
import { MIGRATIONS_DIRECTORY } from "../deployment/migrations.ts";
import { readSettings } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound } from "./print.ts";
import type { Terminal } from "./terminal.ts";

export type PlanOptions = OutputOptions & { readonly databaseUrl?: string; readonly besideService?: true };

/** `daric migrate --plan`: the pending migrations with their locks, measured in a transaction that is rolled back. */
export async function showPlan(terminal: Terminal, options: PlanOptions): Promise<void> {
  const planned = await planMigrations(
    ownerUrlOf(terminal, options),
    MIGRATIONS_DIRECTORY,
    async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and application_name ~ '^daric-[a-z]+/' order by 1`,
      );
      if (rows.length === 0 || options.besideService) return;
      throw new CommandError(
        `${rows.map(({ name }) => name).join(", ")} use this database, and a plan holds the locks of the migration while it measures: name a restored copy with --database-url, or add --beside-service`,
      );
    },
  );
  printFound(terminal, options, { json: { pending: planned }, text: () => textOf(planned) });
}

function ownerUrlOf({ variables }: Terminal, { databaseUrl }: PlanOptions): string {
  if (databaseUrl !== undefined) return databaseUrl;
  const { runtime } = readSettings(variables, ["runtime.databaseUrl", "runtime.databaseDirectUrl"]);
  return runtime.databaseDirectUrl ?? runtime.databaseUrl;
}

/** The effect of each kind of lock. */
const STOPS: Readonly<Record<string, string>> = {
  ShareLock: "writes wait",
  ShareRowExclusiveLock: "writes wait",
  ExclusiveLock: "writes wait",
  AccessExclusiveLock: "reads and writes wait",
};

function textOf(planned: readonly PlannedMigration[]): string {
  if (planned.length === 0) return "No migration is pending.\n";
  const lines = planned.flatMap(({ name, ms, locks, heldMs }) => [
    `  ${name}  ${ms} ms`,
    ...(locks.length === 0 ? ["    locks no table that was there before"] : []),
    ...locks.map(({ table, mode }) => `    ${table}: ${mode}, ${STOPS[mode]} for ${heldMs} ms`),
  ]);
  const [first] = planned;
  return `${[
    `${planned.length} pending, in one transaction of ${first?.heldMs ?? 0} ms here. Nothing was changed.`,
    ...lines,
  ].join("\n")}\n`;
}
