import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** `daric scan`: how the chain is read. */
export function addScanCommand(program: Command, _terminal: Terminal): Command {
  return program.command("scan").description("how the chain is read");
}
