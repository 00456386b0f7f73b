import type { Command } from "commander";
import { sealAddresses } from "../addresses/seal-addresses.ts";
import { systemClock } from "../runtime/clock.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { withOwnersDatabase } from "./with-database.ts";

const needed = ["integrity.key", "addresses.accountXpub"] as const;

/** `daric integrity`: the row MACs of addresses and events. */
export function addIntegrityCommands(program: Command, terminal: Terminal): void {
  program
    .command("integrity")
    .description("the codes under DARIC_INTEGRITY_KEY, which authenticate addresses and events")
    .command("seal")
    .description(
      "derive every address that was issued before there were codes and write its code; harmless when all have one",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nOnce after `daric migrate`, as the owner of the tables (DATABASE_DIRECT_URL), also beside a service that runs.\n" +
        "After an interruption it continues. Exit code 1: some addresses do not match their index, or are\n" +
        "another charge's. They are named, stay without a code and are never shown.",
    )
    .action(async (options: OutputOptions) => {
      const print = throttleProgress(systemClock, (line) => terminal.writeError(`daric: ${line}\n`));
      const found = await withOwnersDatabase(terminal.variables, needed, (context) =>
        sealAddresses(context, (sealed) => print(`${sealed} addresses are sealed`)),
      );
      const { sealed, refused, named } = found;
      printFound(terminal, options, {
        json: found,
        text: () =>
          [
            `${sealed} addresses were sealed; from now on one without a code is not shown.`,
            ...named.map(({ chargeId, address, fault }) => `  refused: ${address} of ${chargeId}: ${fault}`),
            ...(refused > named.length ? [`  and ${refused - named.length} more`] : []),
            "",
          ].join("\n"),
      });
      if (refused > 0) throw new CommandError(`${refused} addresses were refused; they are never shown`);
    });
}
