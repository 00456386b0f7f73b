import { readFileSync, writeFileSync } from "node:fs";
import { getControl } from "@daric/settlement/control-store";
import { exportSweeps } from "@daric/settlement/offline/export-sweeps";
import { importSignatures } from "@daric/settlement/offline/import-signatures";
import { findVerifiedBlock } from "@daric/settlement/verified-tip-store";
import type { Command } from "commander";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, printOne } from "./print.ts";
import { wholeNumber } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";
import { nodeSettings, withNodes } from "./with-nodes.ts";
import { withPlanning } from "./with-planning.ts";

const HOUR_MS = 3_600_000;
/** The signer accepts no longer life. */
const MAX_HOURS = 20;
const MAX_EXPORTED = 200;

type ExportOptions = OutputOptions & {
  readonly out: string;
  readonly limit: number;
  readonly hours: number;
  readonly all?: true;
};

/** `daric sweep export|import`: for an operator whose seed stays on a computer without a network. */
export function addOfflineCommands(sweep: Command, terminal: Terminal): void {
  sweep
    .command("export")
    .description("plan sweeps for `daric-signer sign` on a computer without a network, into a file")
    .option("--out <file>", "the file to write, which must not exist yet", "sweeps.json")
    .option(
      "--limit <n>",
      "the most addresses to sweep, largest contents first",
      wholeNumber(1, MAX_EXPORTED),
      100,
    )
    .option("--hours <n>", "hours in which the signatures can land", wholeNumber(1, MAX_HOURS), MAX_HOURS)
    .option("--all", "sweep everything that is confirmed now and worth more than its price")
    .option("--json", "print JSON")
    .action((options: ExportOptions) => exportTo(terminal, options));
  sweep
    .command("import")
    .argument("<file>", "what `daric-signer sign` has written")
    .description("store signatures made offline; the settlement role broadcasts and follows the transactions")
    .option("--json", "print JSON")
    .action((file: string, options: OutputOptions) => importFrom(terminal, file, options));
}

async function exportTo(terminal: Terminal, options: ExportOptions): Promise<void> {
  const { out, limit, hours, all: isAll } = options;
  const exported = await withPlanning(terminal.variables, async (context, chain) => {
    const control = await getControl(context.db);
    return exportSweeps(context, chain, {
      control: isAll ? { ...control, sweepAllBefore: context.clock.now() } : control,
      limit,
      lifeMs: hours * HOUR_MS,
      save: (file) => writeNew(out, `${JSON.stringify(file, null, 2)}\n`),
    });
  });
  if (exported === undefined)
    return printFound(terminal, options, {
      json: { file: null, sweeps: 0 },
      text: () => "Nothing is worth a sweep now; no file was written.\n",
    });
  const { sweeps, transactions, expiresAt } = exported;
  printOne(terminal, options, {
    title: "Exported. Sign it by `daric-signer sign`, and bring the signed file to `daric sweep import`.",
    view: { file: out, sweeps, transactions, expiresAt: expiresAt.toISOString() },
  });
}

async function importFrom(terminal: Terminal, path: string, options: OutputOptions): Promise<void> {
  const text = read(path);
  const { signed, known, refused } = await withOwnersDatabase(
    terminal.variables,
    nodeSettings,
    ({ db, config }) =>
      withNodes(config.chain, async ({ network }) => {
        const verified = await findVerifiedBlock(db, network.name);
        if (verified === undefined) throw new CommandError("no block was verified yet");
        return importSignatures({ db, network, verified, path, text });
      }),
  );
  printOne(terminal, options, {
    title: "Imported. The settlement role sends what is signed; `daric sweep status` follows it.",
    view: { signed, importedBefore: known, refused: refused.length },
  });
  if (refused.length === 0) return;
  const lines = refused.map(({ address, reason }) => `${address}: ${reason}`);
  throw new CommandError(`the signer refused ${refused.length} of them: ${lines.join("; ")}`);
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${Object(error).code}), and nothing was exported`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${Object(error).code})`);
  }
}
