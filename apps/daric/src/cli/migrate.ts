import { openDatabase } from "@daric/postgres/database";
import { migrate } from "@daric/postgres/migrate";
import { makePartitions } from "@daric/postgres/partitions";
import { type PlannedMigration, planMigrations } from "@daric/postgres/plan-migrations";
import { grantRole, prepareServiceRole, type ServiceRole } from "@daric/postgres/service-role";
import type { Database } from "@daric/postgres/sql";
import type { Command } from "commander";
import { isRestoredFromServers } from "../deployment/distribute.ts";
import { grants } from "../deployment/grants.ts";
import { MIGRATIONS_DIRECTORY } from "../deployment/migrations.ts";
import { linesOf, requireFacts } from "../deployment/require-facts.ts";
import { findSchemaStatus, requireServedSchema } from "../deployment/schema-status.ts";
import { dropServerKeys } from "../deployment/server-keys-store.ts";
import { signerGrants } from "../deployment/signer-grants.ts";
import { readSettings, settingAt, variableOf } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `daric migrate`, as the owner of the tables: updates the schema to this program's version. It gives the role of the
 * service, and that of the signer if one is named, their rights and limits. Several machines may run it at once; a
 * current schema stays unchanged.
 */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command("migrate")
    .description("update the database schema to the version of this program; harmless if it is current")
    .option(
      "--plan",
      "apply and lock nothing for good: list the pending migrations, the tables that they lock, and for how long",
    )
    .option("--database-url <url>", "with --plan: a copy to measure on (default: the owner's database)")
    .option("--beside-service", "with --plan: measure although processes of Daric use the database")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\n--plan runs the migrations in a transaction that it rolls back, and holds their locks meanwhile: best on a restored copy.",
    )
    .action(async (options: MigrateOptions) => {
      if (options.plan) return showPlan(terminal, options);
      return migrateAll(terminal, options);
    });
}

type MigrateOptions = PlanOptions & { readonly plan?: true };

async function migrateAll(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { runtime } = readSettings(terminal.variables, [
    "runtime.databaseUrl",
    "runtime.databaseDirectUrl",
    "runtime.signerDatabaseRole",
  ]);
  const ownerUrl = runtime.databaseDirectUrl ?? runtime.databaseUrl;
  const doubts = await withOwner(ownerUrl, (db) => requireFacts(db, { url: ownerUrl, purpose: "writing" }));
  const { current, latest, isServed } = await withOwner(ownerUrl, findSchemaStatus);
  // The newer program also manages the rights.
  if (current > latest && isServed) {
    const title = `A newer program has migrated this database, and it serves this one: nothing to do.`;
    return printOne(terminal, options, { title, view: { applied: 0, version: current } });
  }
  const { applied, version } = await migrate(ownerUrl, MIGRATIONS_DIRECTORY);
  await withOwner(ownerUrl, async (db) => {
    await requireServedSchema(db);
    if (await isRestoredFromServers(db)) await dropServerKeys(db);
  });
  await makePartitions(ownerUrl);
  const role = await prepareServiceRole({ ownerUrl, serviceUrl: runtime.databaseUrl, grants });
  const { signerDatabaseRole: signer } = runtime;
  if (signer === role.name)
    throw new CommandError(
      `${variableOf("runtime.signerDatabaseRole")} names the role of the service: the signer needs one of its own`,
    );
  const signerToRun =
    signer === undefined ? [] : await grantRole({ ownerUrl, name: signer, grants: signerGrants });
  const title = applied === 0 ? "The schema was current already." : "The schema is current.";
  const view = { applied, version, serviceRole: role.name, ...(signer && { signerRole: signer }) };
  const { isOwner, reason = null } = role;
  const toRun = [...role.toRun, ...signerToRun];
  const findings = [...new Set([...doubts, ...linesOf(role.findings)])];
  const more = { isOwner, toRun, reason, findings };
  printOne(terminal, options, { title, view: options.json ? { ...view, ...more } : view });
  if (!options.json) terminal.write(linesAbout({ ...role, toRun }, findings).join(""));
}

async function withOwner<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, max: 1, applicationName: "daric-migrate", onError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Remarks about the role, one per line; none if nothing is wrong. */
function linesAbout({ name, isOwner, toRun, reason }: ServiceRole, findings: readonly string[]): string[] {
  const owned = `The service logs in as ${name}, which owns the tables. So the database does not enforce that it only appends to append-only tables, and makes no table (${settingAt("runtime.databaseDirectUrl").env} names an owner of its own).\n`;
  const why = `${name} could not set its settings itself: ${reason}\n`;
  const refused = toRun.map(
    (statement) => `Neither role may run this; run it as a superuser: ${statement}\n`,
  );
  return [
    ...(isOwner ? [owned] : []),
    ...(reason === undefined ? [] : [why]),
    ...refused,
    ...findings.map((line) => `Of a connection of ${name}: ${line}\n`),
  ];
}

type PlanOptions = OutputOptions & { readonly databaseUrl?: string; readonly besideService?: true };

/** `daric migrate --plan`: the pending migrations with their locks, measured in a transaction that is rolled back. */
async function showPlan(terminal: Terminal, options: PlanOptions): Promise<void> {
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
