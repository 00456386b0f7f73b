import { migrate } from "@daric/postgres/migrate";
import type { Command } from "commander";
import { readSettings } from "../config.ts";
import { MIGRATIONS_DIRECTORY } from "../deployment/migrations.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/** `daric migrate`: may be run by several machines at once; a schema that is current stays as it is. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command("migrate")
    .description(
      "bring the database schema to the version of this program; harmless when it is there already",
    )
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { runtime } = readSettings(terminal.variables, ["runtime.databaseUrl"]);
      const { applied, version } = await migrate(runtime.databaseUrl, MIGRATIONS_DIRECTORY);
      const title = applied === 0 ? "The schema was current already." : "The schema is current.";
      printOne(terminal, options, { title, view: { applied, version } });
    });
}
