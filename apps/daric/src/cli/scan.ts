import { resumeScan } from "@daric/deposits/follow/resume-scan";
import {
  type Completeness,
  findCompleteness,
  followRescan,
  RescanRefusedError,
  requestRescan,
} from "@daric/deposits/rescan/rescan";
import type { Command } from "commander";
import { auditCommand } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne, type View } from "./print.ts";
import { wholeNumber } from "./read-option.ts";
import { addScanAcceptCommand } from "./scan-accept.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const MAX_HEIGHT = 999_999_999_999;

type ScanOptions = OutputOptions & { readonly from?: number; readonly to?: number };
type EndedRescan = Awaited<ReturnType<typeof followRescan>>;
type Range = { readonly from: number; readonly to: number };

/**
 * `daric scan`: prints the height of the scan; with a range, requests its rescan. `daric scan resume|accept` are
 * added here.
 */
export function addScanCommand(program: Command, terminal: Terminal): void {
  const scan = program
    .command("scan")
    .description(
      "print the height up to which the chain was read, or have the watcher read a range of blocks again",
    )
    .option("--from <number>", "first block to read again", wholeNumber(1, MAX_HEIGHT))
    .option("--to <number>", "last block to read again", wholeNumber(1, MAX_HEIGHT))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nThe watcher queries every node of TRON_NODE_URLS for each block, and records what any of them returns. Nothing is credited or\nannounced twice. The watcher reads the range beside its own work: Ctrl-C ends this command alone.",
    )
    .action(async ({ from, to, ...options }: ScanOptions) => {
      if (from === undefined && to === undefined) return printCompleteness(terminal, options);
      if (from === undefined || to === undefined)
        throw new CommandError("a range has two ends: --from and --to");
      return scanAgain(terminal, options, { from, to });
    });
  addScanResumeCommand(scan, terminal);
  addScanAcceptCommand(scan, terminal);
}

async function printCompleteness(terminal: Terminal, options: OutputOptions): Promise<void> {
  const found = await withDatabase(terminal.variables, [], ({ db, config }) =>
    findCompleteness(db, config.chain.network),
  );
  if (found === undefined) throw new CommandError("no block was read yet");
  printOne(terminal, options, { title: titleOf(found), view: viewOf(found) });
  if (found.missing !== 0)
    throw new CommandError("blocks are missing between the first and the last: run `daric doctor`");
}

function titleOf({ first, last, lagSeconds, missing }: Completeness): string {
  if (missing !== 0) return `${missing} blocks are missing between ${first} and ${last}.`;
  return `Complete from block ${first ?? last + 1} to block ${last}, lag ${lagSeconds} s.`;
}

function viewOf({ first, last, lastTime, solid, lagSeconds, missing, rescan }: Completeness): View {
  return {
    firstBlock: first,
    completeTo: last,
    completeToTime: lastTime.toISOString(),
    lagSeconds,
    finalTo: solid,
    missing,
    readingAgain: rescan ? `${rescan.from} to ${rescan.to}, ${rescan.blocksRead} read` : null,
  };
}

async function scanAgain(terminal: Terminal, options: OutputOptions, range: Range): Promise<void> {
  const ended = await withDatabase(terminal.variables, [], async ({ db, config }) => {
    const { network } = config.chain;
    const { id } = await requestRescan(db, { network, ...range }).catch((error: unknown) => {
      throw error instanceof RescanRefusedError ? new CommandError(error.message) : error;
    });
    const print = (line: string) => options.json || terminal.write(`${line}\n`);
    print("The watcher reads them beside its own work; Ctrl-C ends this command alone.");
    return followRescan(
      db,
      { network, id },
      {
        progress: ({ blocksRead, note }) =>
          print(`${blocksRead} of ${range.to - range.from + 1} blocks read${note ? `; ${note}` : ""}`),
        watcherAbsent: () =>
          terminal.writeError("daric: no watcher is running; the range is read as soon as one is\n"),
      },
    );
  });
  printOne(terminal, options, {
    title: `Blocks ${range.from} to ${range.to} were read again.`,
    view: viewOfRescan(ended, options),
  });
  if (ended.status === "REFUSED") throw new CommandError(ended.note ?? "the range was refused");
  if (ended.blocksDiffering > 0)
    throw new CommandError(
      `${ended.blocksDiffering} blocks differ from the nodes, as listed: confirmed deposits stay`,
    );
}

/** Reasons are an array in JSON, and one line in text. */
function viewOfRescan(
  { next: _, goesDown: __, differing, nodes, ...view }: EndedRescan,
  { json }: OutputOptions,
): View {
  const listed = (sentences: readonly string[]) => (json ? sentences : sentences.join("; ") || null);
  return { ...view, nodes: listed(nodes.map(sentenceOf)), differing: listed(differing) };
}

function sentenceOf({ node, shown, notShown, reason }: EndedRescan["nodes"][number]): string {
  const share = `${node} showed ${shown} of ${shown + notShown} blocks`;
  return reason === null ? share : `${share} (the last that it did not: ${reason})`;
}

/** `daric scan resume`: an operator continues the scan after a fork below the final block. */
function addScanResumeCommand(scan: Command, terminal: Terminal): void {
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
