import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { settingAt, settingPaths, type Variables } from "../process/config.ts";
import { fileVariableOf } from "../runtime/setting.ts";
import { addBalancesCommand } from "./balances.ts";
import { addConfigCommands } from "./config.ts";
import { addDemoCommands } from "./demo.ts";
import { addDepositCommands } from "./deposit.ts";
import { addDistributeCommand } from "./distribute.ts";
import { addDoctorCommand } from "./doctor.ts";
import { type FilingTerminal, filing } from "./env-file.ts";
import { CommandError, failureLines } from "./failure.ts";
import { addFindCommand } from "./find.ts";
import { addInitCommand } from "./init.ts";
import { addIntegrityCommands } from "./integrity.ts";
import { addKeyCommands } from "./key.ts";
import { addListenCommand } from "./listen.ts";
import { addMerchantCommands } from "./merchant.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addNetworkCommands } from "./network.ts";
import { addPeopleCommands } from "./people.ts";
import { addRatesCommands } from "./rates.ts";
import { addRetainCommand } from "./retain.ts";
import { addScanCommand } from "./scan.ts";
import { addScanAcceptCommand } from "./scan-accept.ts";
import { addScanResumeCommand } from "./scan-resume.ts";
import { addSeedCommand } from "./seed.ts";
import { addServeCommand } from "./serve.ts";
import { addSettlementAccountCommands } from "./settlement-account.ts";
import { addStatementCommand } from "./statement.ts";
import { addSweepCommands } from "./sweep.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { addUnsupportedCommand } from "./unsupported.ts";
import { addWalletCommands } from "./wallet.ts";
import { addWitnessesCommands } from "./witnesses.ts";

/**
 * 0: done. 1: refused or failed, with the reason on standard error. 2: wrong usage, or doubtful settings in
 * `daric config check`. `daric doctor` returns the number of broken invariants.
 */
export type ExitCode = number;

/** Runs one command of the `daric` program and returns its exit code. Never throws. */
export async function runDaric(
  args: readonly string[],
  terminal: Terminal = processTerminal,
): Promise<ExitCode> {
  const recording = filing(terminal);
  try {
    await createProgram(recording).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    for (const line of failureLines(error, recording.variables)) terminal.writeError(`daric: ${line}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/**
 * Runs one command of the `daric` program for another program, with these settings and without input. Returns
 * its JSON output.
 *
 * @throws CommandError with the command's own error.
 */
export async function runDaricForOutput<T>(args: readonly string[], variables: Variables): Promise<T> {
  let output = "";
  let errors = "";
  const exitCode = await runDaric([...args, "--json"], {
    variables,
    readInput: async () => "",
    readLines: async function* () {},
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  });
  if (exitCode !== 0) throw new CommandError(errors.trim());
  return JSON.parse(output) as T;
}

/** The variables of an environment that the service and its commands read. */
export function variablesRead(env: Variables): Readonly<Record<string, string>> {
  const names = settingPaths.map(settingAt).flatMap((setting) => [setting.env, fileVariableOf(setting)]);
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function createProgram(terminal: FilingTerminal): Command {
  const program = new Command("daric")
    .description("Self-hosted payments in USDT and TRX on TRON.")
    .version(packageVersion())
    .option(
      "--env-file <path>",
      "a file of settings, as `daric init` writes it; the environment takes precedence",
    )
    .hook("preAction", (root) => {
      const { envFile } = root.opts<{ envFile?: string }>();
      if (envFile !== undefined) terminal.readFile(envFile);
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(text),
      outputError: (text, write) => write(text.replace(/^error: /, "daric: ")),
    })
    .addHelpText(
      "after",
      "\nSettings are read from the environment. Exit code: 0 done, 1 refused or failed, 2 wrong usage, or doubtful settings.",
    );
  addInitCommand(program, terminal);
  addServeCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addDistributeCommand(program, terminal);
  addIntegrityCommands(program, terminal);
  addRetainCommand(program, terminal);
  addSeedCommand(program, terminal);
  addMerchantCommands(program, terminal);
  addSettlementAccountCommands(program, terminal);
  addKeyCommands(program, terminal);
  addPeopleCommands(program, terminal);
  addConfigCommands(program, terminal);
  addNetworkCommands(program, terminal);
  addRatesCommands(program, terminal);
  addBalancesCommand(program, terminal);
  addStatementCommand(program, terminal);
  addFindCommand(program, terminal);
  addSweepCommands(program, terminal);
  addWalletCommands(program, terminal);
  addUnsupportedCommand(program, terminal);
  const scan = addScanCommand(program, terminal);
  addScanResumeCommand(scan, terminal);
  addScanAcceptCommand(scan, terminal);
  addDepositCommands(program, terminal);
  addDoctorCommand(program, terminal);
  addWitnessesCommands(program);
  addListenCommand(program, terminal);
  addDemoCommands(program, terminal);
  return program;
}

/** The same file from the sources and from the build. */
function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
