import { openDatabase } from "@daric/postgres/database";
import type { Command } from "commander";
import { distribute, type PlacementStep, UnfitClusterError } from "../deployment/distribute.ts";
import { requireFacts } from "../deployment/require-facts.ts";
import { requireServedSchema } from "../deployment/schema-status.ts";
import { readSettings } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";

type DistributeCliOptions = OutputOptions & { readonly dryRun?: boolean };

/** `daric distribute`: as the owner of the tables, after `daric migrate`, while the service is stopped. */
export function addDistributeCommand(program: Command, terminal: Terminal): void {
  program
    .command("distribute")
    .description(
      "place the tables on the servers of a Citus cluster, each merchant's rows together on one server",
    )
    .option("--dry-run", "print each step, and change nothing")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nMay run again, as after `daric migrate` has made a new table: what is placed stays.",
    )
    .action(async (options: DistributeCliOptions) => {
      const startedAt = performance.now();
      const { citus, servers, steps } = await distributeTables(terminal, options);
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      const [rows, bytes] = [sum(steps.map((step) => step.rows)), sum(steps.map((step) => step.bytes))];
      const view = { citus, servers, tables: steps.length, rows, bytes, seconds };
      printOne(terminal, options, { title: titleOf(steps.length, options), view });
    });
}

async function distributeTables(terminal: Terminal, { dryRun = false, json }: DistributeCliOptions) {
  const paths = ["runtime.databaseUrl", "runtime.databaseDirectUrl", "runtime.signerDatabaseRole"] as const;
  const { runtime } = readSettings(terminal.variables, paths);
  const url = runtime.databaseDirectUrl ?? runtime.databaseUrl;
  const db = openDatabase({
    url,
    max: 1,
    applicationName: "daric-cli",
    // The statement that needs the connection fails and reports the error.
    onError: () => {},
  });
  try {
    await requireFacts(db, { url, purpose: "writing" });
    await requireServedSchema(db);
    return await distribute(db, {
      serviceRole: decodeURIComponent(new URL(runtime.databaseUrl).username),
      signerRole: runtime.signerDatabaseRole,
      isDryRun: dryRun,
      onStep: (step) => {
        if (!json) terminal.write(lineOf(step));
      },
    });
  } catch (error) {
    throw error instanceof UnfitClusterError ? new CommandError(error.message) : error;
  } finally {
    await db.close();
  }
}

function lineOf({ table, placement, rows, bytes }: PlacementStep): string {
  return `${table}: ${placement}, ${rows} rows, ${Math.ceil(bytes / 1_024)} KiB\n`;
}

function titleOf(steps: number, { dryRun }: DistributeCliOptions): string {
  if (steps === 0) return "Every table is placed already.";
  return dryRun ? "Nothing was changed." : "The tables are placed.";
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
