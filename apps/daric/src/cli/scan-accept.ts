import { createTronClient } from "@daric/chain/nodes/client";
import { findNetwork } from "@daric/chain/nodes/networks";
import { acceptBlock, MAX_BLOCKS_ABOVE, NotAcceptableError } from "@daric/deposits/accept-block";
import { type Command, InvalidArgumentError } from "commander";
import { auditCommand, commandActor } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const NODE_SETTINGS = ["chain.nodeUrls", "chain.solidityUrls", "chain.apiKey"] as const;

type AcceptOptions = OutputOptions & {
  readonly reason: string;
  readonly by: string;
  readonly blocksAbove: number;
};

/** `daric scan accept`: an operator accepts a block although a check of it fails. */
export function addScanAcceptCommand(scan: Command, terminal: Terminal): void {
  scan
    .command("accept")
    .description("accept a block as the nodes return it, although a failed check stops the scan")
    .argument("<block id>", "its id, as in the alarm", readBlockId)
    .requiredOption("--reason <text>", "why the chain is right and the check is not", readPhrase)
    .option("--by <name>", "the operator's name", readPhrase, commandActor)
    .option(
      "--blocks-above <number>",
      "also this many blocks above it, if the same checks fail",
      readCount,
      0,
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nFirst compare the block with an explorer and with a node of another operator: this is for a chain with features that this\n" +
        "version does not know, not for a dishonest node. Only the checks that fail now are waived: never the ids, the parent or\n" +
        "the signature. The block's root does not prove its deposits: each must be proven by balance or quorum.",
    )
    .action(async (blockId: string, _own: AcceptOptions, command: Command) => {
      const options: AcceptOptions = command.optsWithGlobals();
      const accepted = await accept(terminal, blockId, options);
      const { blockNumber, until, checks, nodeFaults, reason, acceptedBy } = accepted;
      printOne(terminal, options, {
        title: `The watcher reads block ${blockNumber} as it is in its next step.`,
        view: {
          blockNumber,
          blockId,
          until,
          checks: checks.join(", "),
          nodeFaults,
          reason,
          acceptedBy,
        },
      });
    });
}

function accept(
  terminal: Terminal,
  blockId: string,
  { reason, by: acceptedBy, blocksAbove }: AcceptOptions,
): ReturnType<typeof acceptBlock> {
  return withDatabase(terminal.variables, NODE_SETTINGS, async ({ db, config: { chain } }) => {
    const { name: network, genesisId, tokens } = await findNetwork(chain);
    const nodes = chain.nodeUrls.map((url, index) => ({ url, solidityUrl: chain.solidityUrls[index] }));
    const client = createTronClient({ nodes, apiKey: chain.apiKey, genesisId, tokens });
    try {
      const accepted = await acceptBlock(db, client, { network, blockId, blocksAbove, reason, acceptedBy });
      const after = { blockId, until: String(accepted.until), checks: accepted.checks };
      const subject = `block ${accepted.blockNumber}`;
      await auditCommand(db, { action: "scan accept", subject, after, reason, actor: acceptedBy });
      return accepted;
    } catch (error) {
      if (!(error instanceof NotAcceptableError)) throw error;
      for (const line of error.reasons) terminal.writeError(`daric: ${line}\n`);
      throw new CommandError(error.message);
    } finally {
      await client.close();
    }
  });
}

function readBlockId(text: string): string {
  if (/^0{4}[0-9a-f]{60}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be the 64 digits of a block's id.");
}

function readCount(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= MAX_BLOCKS_ABOVE) return number;
  throw new InvalidArgumentError(`It must be a number up to ${MAX_BLOCKS_ABOVE}, which is a day.`);
}
