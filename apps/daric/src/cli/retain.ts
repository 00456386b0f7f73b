import { parseDurationMs } from "@daric/runtime/duration";
import { type Command, InvalidArgumentError } from "commander";
import { auditCommand } from "./audit-command.ts";
import { type OutputOptions, printOne } from "./print.ts";
import { retain } from "./retention.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

/** `daric retain`, as the owner of the tables: deletes old data while the service runs. */
export function addRetainCommand(program: Command, terminal: Terminal): void {
  program
    .command("retain")
    .description(
      "delete old final data: deliveries with their attempts, bodies of events and the history of deposits; " +
        "and webhook secrets replaced by a rotation",
    )
    .requiredOption("--older-than <duration>", "the age of data to keep, like 400d; 30d at least", durationMs)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nOpen data stays; deposits, charges and the record of sent events are never deleted.",
    )
    .action(async ({ olderThan, ...options }: OutputOptions & { olderThan: number }) => {
      const { before, monthsBefore, ...done } = await withOwnersDatabase(
        terminal.variables,
        [],
        async ({ db, url }) => {
          const deleted = await retain({ db, ownerUrl: url }, { olderThanMs: olderThan, now: new Date() });
          await auditCommand(db, {
            action: "retain",
            subject: "old data",
            after: { before: deleted.before.toISOString() },
          });
          return deleted;
        },
      );
      const view = { before: before.toISOString(), monthsBefore: monthsBefore.toISOString(), ...done };
      printOne(terminal, options, { title: "Older data is deleted, open data is kept.", view });
    });
}

function durationMs(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new InvalidArgumentError("It must be a duration like 400d.");
  return ms;
}
