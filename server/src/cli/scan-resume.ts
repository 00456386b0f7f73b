import type { Command } from "commander";
import { resumeScan } from "../deposits/follow/resume-scan.ts";
import { auditCommand } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

/** `daric scan resume`: an operator continues the scan after a fork below the final block. */
export function addScanResumeCommand(scan: Command, terminal: Terminal): void {
  scan
    .command("resume")
    .description("let a halted scan continue along the nodes' chain, from the newest block that both have")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nFirst find out which chain is the network's. If the nodes are wrong, correct TRON_NODE_URLS and restart the " +
        "watcher. Confirmed deposits stay confirmed: `daric doctor` names those in blocks that left the chain.",
    )
    .action(async (_own: OutputOptions, command: Command) => {
      const options: OutputOptions = command.optsWithGlobals();
      const halt = await withDatabase(terminal.variables, [], async ({ db, config }) => {
        const ended = await resumeScan(db, config.chain.network);
        if (ended !== undefined)
          await auditCommand(db, { action: "scan resume", subject: `block ${ended.number}` });
        return ended;
      });
      if (halt === undefined) throw new CommandError("the scan is not halted");
      const { number, ourId, theirId, nodes, haltedAt } = halt;
      printOne(terminal, options, {
        title: "The watcher continues on the nodes' chain with its next step.",
        view: {
          blockNumber: number,
          ourBlock: ourId,
          theirBlock: theirId,
          nodes,
          haltedAt: haltedAt.toISOString(),
        },
      });
    });
}
