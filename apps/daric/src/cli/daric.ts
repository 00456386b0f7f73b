import { readFileSync } from "node:fs";
import { currencies } from "@daric/domain/asset";
import { fileVariableOf } from "@daric/runtime/setting";
import { Command, CommanderError } from "commander";
import { settingAt, settingPaths, type Variables } from "../process/config.ts";
import { type FilingTerminal, withEnvFile } from "./env-file.ts";
import { CommandError, failureLines } from "./failure.ts";
import { printable } from "./print.ts";
import { processTerminal, type RunCommand, type Terminal } from "./terminal.ts";

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
  const recording = withEnvFile({
    ...terminal,
    write: (text) => terminal.write(printable(text)),
    writeError: (text) => terminal.writeError(printable(text)),
  });
  try {
    await (await createProgram(args, recording)).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    for (const line of failureLines(error, recording.variables)) recording.writeError(`daric: ${line}\n`);
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
  if (exitCode !== 0) throw new CommandError(errors.trim().replace(/^daric: /gm, ""));
  return JSON.parse(output) as T;
}

/** The variables of an environment that the service and its commands read. */
export function variablesRead(env: Variables): Readonly<Record<string, string>> {
  const names = settingPaths.map(settingAt).flatMap((setting) => [setting.env, fileVariableOf(setting)]);
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

type AddCommand = (program: Command, terminal: FilingTerminal, run: RunCommand) => void;

/** The modules that add the commands, in the order of the help. A command loads only its own modules. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  init: async () => (await import("./init.ts")).addInitCommand,
  serve: async () => (await import("./serve.ts")).addServeCommand,
  migrate: async () => (await import("./migrate.ts")).addMigrateCommand,
  distribute: async () => (await import("./distribute.ts")).addDistributeCommand,
  integrity: async () => (await import("./integrity.ts")).addIntegrityCommands,
  retain: async () => (await import("./retain.ts")).addRetainCommand,
  erase: async () => (await import("./erase.ts")).addEraseCommand,
  seed: async () => (await import("./seed.ts")).addSeedCommand,
  merchant: async () => (await import("./merchant.ts")).addMerchantCommands,
  "payment-link": async () => (await import("./payment-link.ts")).addPaymentLinkCommands,
  "settlement-account": async () => (await import("./settlement-account.ts")).addSettlementAccountCommands,
  key: async () => (await import("./key.ts")).addKeyCommands,
  secret: async () => (await import("./secret.ts")).addSecretCommands,
  people: async () => (await import("./people.ts")).addPeopleCommands,
  config: async () => (await import("./config.ts")).addConfigCommands,
  network: async () => (await import("./network.ts")).addNetworkCommands,
  rates: async () => (await import("./rates.ts")).addRatesCommands,
  statement: async () => (await import("./statement.ts")).addStatementCommand,
  audit: async () => (await import("./audit.ts")).addAuditCommand,
  find: async () => (await import("./find.ts")).addFindCommand,
  sweep: async () => (await import("./sweep.ts")).addSweepCommands,
  wallet: async () => (await import("./wallet.ts")).addWalletCommands,
  scan: async () => (await import("./scan.ts")).addScanCommand,
  deposit: async () => (await import("./deposit.ts")).addDepositCommands,
  alert: async () => (await import("./alert.ts")).addAlertCommands,
  notify: async () => (await import("./notify.ts")).addNotifyCommands,
  adopt: async () => (await import("./adopt.ts")).addAdoptCommand,
  restore: async () => (await import("./restore.ts")).addRestoreCommands,
  doctor: async () => (await import("./doctor.ts")).addDoctorCommand,
  listen: async () => (await import("./listen.ts")).addListenCommand,
};

/** The module of the named command. Help and wrong usage need all modules, because they list every command. */
function modulesFor(args: readonly string[]): (() => Promise<AddCommand>)[] {
  const [first, path, ...rest] = args;
  if (first === "--env-file" && path !== undefined) return modulesFor(rest);
  if (first?.startsWith("--env-file=") && path !== undefined) return modulesFor(args.slice(1));
  const named = Object.entries(commands).filter(([name]) => name === first);
  return (named.length > 0 ? named : Object.entries(commands)).map(([, load]) => load);
}

async function createProgram(args: readonly string[], terminal: FilingTerminal): Promise<Command> {
  const program = new Command("daric")
    .description(`Self-hosted payments in ${currencies.join(" and ")} on TRON.`)
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
  for (const add of await Promise.all(modulesFor(args).map((load) => load())))
    add(program, terminal, runDaricForOutput);
  return program;
}

/** The path is right from the sources and from the build. */
function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
