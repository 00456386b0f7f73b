import type { Command } from "commander";
import { CommandError } from "./failure.ts";

/** `daric witnesses` is removed; it only names its replacement. */
export function addWitnessesCommands(program: Command): void {
  const witnesses = program
    .command("witnesses", { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments();
  witnesses.action(() => {
    throw new CommandError(
      "`daric witnesses` is removed: no key is pinned any more. Finality is counted from the witnesses in block headers",
    );
  });
}
