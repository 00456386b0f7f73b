import type { Command } from "commander";
import { CommandError } from "./failure.ts";

/** `daric witnesses`, which there is no more: says what replaces it. */
export function addWitnessesCommands(program: Command): void {
  const witnesses = program
    .command("witnesses", { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments();
  witnesses.action(() => {
    throw new CommandError(
      "`daric witnesses` is removed: nothing has to be pinned any more, because finality is counted from the witnesses that headers name",
    );
  });
}
