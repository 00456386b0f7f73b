import { type Command, InvalidArgumentError } from "commander";
import { parseDurationMs } from "../runtime/duration.ts";
import { type OutputOptions, printOne } from "./print.ts";
import { retain } from "./retention.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

/** `daric retain`: as the owner of the tables, now and then, beside a service that runs. */
export function addRetainCommand(program: Command, terminal: Terminal): void {
  program
    .command("retain")
    .description(
      "delete what is old and done: deliveries with their attempts, bodies of events and the history of deposits; " +
        "and secrets of endpoints that sign no more since a rotation",
    )
    .requiredOption("--older-than <duration>", "how long it is kept, like 400d; 30d at least", durationMs)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nWhat is open stays whole; deposits, charges and the record of which events were sent stay for ever.",
    )
    .action(async ({ olderThan, ...options }: OutputOptions & { olderThan: number }) => {
      const { before, monthsBefore, ...done } = await withOwnersDatabase(
        terminal.variables,
        [],
        ({ db, url }) => retain({ db, ownerUrl: url }, { olderThanMs: olderThan, now: new Date() }),
      );
      const view = { before: before.toISOString(), monthsBefore: monthsBefore.toISOString(), ...done };
      printOne(terminal, options, { title: "What is older is gone, what is open is kept.", view });
    });
}

function durationMs(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new InvalidArgumentError("It must be a duration like 400d.");
  return ms;
}
