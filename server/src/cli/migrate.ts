import { migrate } from "@daric/postgres/migrate";
import { makePartitions } from "@daric/postgres/partitions";
import { grantRole, prepareServiceRole, type ServiceRole } from "@daric/postgres/service-role";
import type { Command } from "commander";
import { readSettings, settingAt, variableOf } from "../config.ts";
import { grants, signerGrants } from "../deployment/grants.ts";
import { MIGRATIONS_DIRECTORY } from "../deployment/migrations.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `daric migrate`: as the owner of the tables it brings the schema to this program's version and gives the role of the
 * service, and that of the signer where one is named, its rights and limits. May be run by several machines at once; what is current
 * stays as it is.
 */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command("migrate")
    .description(
      "bring the database schema to the version of this program; harmless when it is there already",
    )
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { runtime } = readSettings(terminal.variables, [
        "runtime.databaseUrl",
        "runtime.databaseDirectUrl",
        "runtime.signerDatabaseRole",
      ]);
      const ownerUrl = runtime.databaseDirectUrl ?? runtime.databaseUrl;
      const { applied, version } = await migrate(ownerUrl, MIGRATIONS_DIRECTORY);
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
      const { isOwner, reason = null, stale } = role;
      const toRun = [...role.toRun, ...signerToRun];
      const more = { isOwner, toRun, reason, stale };
      printOne(terminal, options, { title, view: options.json ? { ...view, ...more } : view });
      if (!options.json) terminal.write(linesAbout({ ...role, toRun }).join(""));
    });
}

/** What is left to say of the role, a line each; nothing where all is as it should be. */
function linesAbout({ name, isOwner, toRun, reason, stale }: ServiceRole): string[] {
  const owned = `The service logs in as ${name}, which owns the tables: that it only adds to what is append-only, and makes no table, is not enforced (${settingAt("runtime.databaseDirectUrl").env} names an owner of its own).\n`;
  const why = `${name} could not set its limits itself: ${reason}\n`;
  const refused = toRun.map((statement) => `Neither role could do this; have it run: ${statement}\n`);
  const kept = `A connection of ${name} does not have all limits of its role (${stale.join(", ")}): a pooler kept it from before. Give it new ones before the service starts, as by RECONNECT in the console of PgBouncer.\n`;
  return [
    ...(isOwner ? [owned] : []),
    ...(reason === undefined ? [] : [why]),
    ...refused,
    ...(stale.length === 0 ? [] : [kept]),
  ];
}
