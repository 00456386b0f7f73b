import type { Command } from "commander";
import { resumeScan } from "../deposits/follow/resume-scan.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

/** `daric scan resume`: an operator's word after the nodes' chain has left what was final. */
export function addScanResumeCommand(scan: Command, terminal: Terminal): void {
  scan
    .command("resume")
    .description("let a halted scan go on along the nodes' chain, from the newest block that both have")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nFirst find out which chain is the network's; where the nodes are wrong, put TRON_NODE_URLS right and start the " +
        "watcher anew. What is confirmed stays confirmed: `daric doctor` names what was confirmed in blocks that left the chain.",
    )
    .action(async (_own: OutputOptions, command: Command) => {
      const options: OutputOptions = command.optsWithGlobals();
      const halt = await withDatabase(terminal.variables, [], ({ db, config }) =>
        resumeScan(db, config.chain.network),
      );
      if (halt === undefined) throw new CommandError("the scan is not halted");
      const { number, ourId, theirId, nodes, haltedAt } = halt;
      printOne(terminal, options, {
        title: "The watcher goes on along the nodes' chain with its next look.",
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
