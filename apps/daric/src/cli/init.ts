import { openDatabase } from "@daric/postgres/database";
import { ConfigError, fileVariableOf } from "@daric/runtime/setting";
import { type Command, Option } from "commander";
import { readSettings, settingAt, type Variables, variableOf } from "../process/config.ts";
import { type ConfigReport, checkConfig } from "./check-config.ts";
import { textOfReport } from "./config.ts";
import { type Trial, worstVerdict } from "./config-findings.ts";
import { type FilingTerminal, readEnvFile, readKeptFile, writeEnvFile } from "./env-file.ts";
import { CommandError } from "./failure.ts";
import { isServing, localApi } from "./init-first-order.ts";
import { type Progress, reportProgress } from "./init-progress.ts";
import {
  type InitOptions,
  initNetworks,
  networkQuestion,
  questionsFor,
  shopQuestions,
  shownSecrets,
} from "./init-questions.ts";
import { fileWith, type Line, promptSettings } from "./init-settings.ts";
import { type Asking, finish, openFirstShop, showEntrance } from "./init-steps.ts";
import { takeInitLock } from "./init-store.ts";
import { openInterview, silentInterview } from "./interview.ts";
import { serveUntilStopped } from "./serve.ts";
import type { RunCommand } from "./terminal.ts";

/** The call of the program in the folder of its packages, and in a clone. */
const DARIC = "npx daric";

/** `daric init`: sets up a service with a first order. Completed steps stay as they are. */
export function addInitCommand(program: Command, terminal: FilingTerminal, run: RunCommand): void {
  const command = program
    .command("init")
    .description(
      "set up a service, and go on from there when run again: ask for the settings, check them, write them to a file that " +
        "only you can read, migrate, make a merchant with its wallet and key, and print the page of a first order of 1 USDT and " +
        "the owner's link into the dashboard",
    )
    .option(
      "--file <path>",
      "the file of the settings; the lines of an existing one are used and stay",
      "daric.env",
    )
    .addOption(new Option("--network <name>", networkQuestion.text).choices([...initNetworks]));
  for (const { option, text } of [...questionsFor("mainnet"), ...shopQuestions])
    command.option(`${option} <value>`, text);
  command
    .option("--yes", "ask nothing: use the defaults")
    .option("--serve", "then serve all roles in this terminal, until Ctrl-C")
    .addOption(new Option("--json", "print JSON, and ask nothing").conflicts("serve"))
    .addHelpText(
      "after",
      "\nOther users of this machine can see the command line, and the shell keeps it. Give a URL with a password as an \n" +
        `answer to the question, or in a file named by ${fileVariableOf(settingAt("runtime.databaseUrl"))}.`,
    )
    .action((options: InitOptions) => runInit(terminal, run, options));
}

async function runInit(terminal: FilingTerminal, run: RunCommand, options: InitOptions): Promise<void> {
  const interview = options.yes || options.json ? silentInterview() : openInterview(terminal);
  try {
    await reportProgress(terminal, options, (progress) =>
      goThrough(terminal, { run, interview, options, progress }),
    );
  } finally {
    await interview.close();
  }
}

async function goThrough(terminal: FilingTerminal, asking: Asking): Promise<void> {
  const settings = await ask(terminal, String(asking.options.file), asking);
  const { serving } = await aloneOn(settings, async () => setUp(await check(settings), asking));
  await serving;
}

/** @throws CommandError if another `daric init` works on this database: two would make two merchants and keys. */
async function aloneOn<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  const { variables } = settings;
  const { runtime } = readSettings(variables, ["runtime.databaseUrl", "runtime.databaseDirectUrl"]);
  const url = runtime.databaseDirectUrl ?? runtime.databaseUrl;
  // The lock lasts for a transaction, which a pooler keeps on one connection. It may wait for an answer of the operator.
  const limits = { idleMs: 0 };
  const db = openDatabase({ url, max: 1, limits, applicationName: "daric-init", onError: () => {} });
  let isReached = false;
  try {
    return await db.transaction(async (tx) => {
      isReached = true;
      if (await takeInitLock(tx)) return work();
      throw new CommandError(
        "another `daric init` works on this database: wait until it has ended, and run this again",
      );
    });
  } catch (error) {
    // The check reports the fault of the database.
    if (!isReached) await check(settings);
    throw error;
  } finally {
    await db.close();
  }
}

/** The service, if a run serves in this terminal; in an object, because the caller waits for it later. */
type End = { readonly serving?: Promise<void> };

/** Writes the file, and continues until the first order. */
async function setUp(settled: CheckedSettings, asking: Asking): Promise<End> {
  const { options, progress } = asking;
  const { file, variables } = settled;
  const open = write(settled, progress);
  const again = `${DARIC} init${file === "daric.env" ? "" : ` --file ${file}`}`;
  if (open.length > 0) {
    const next = [...open, `${again}   (it goes on from here)`];
    progress.add({ next }, textOfSteps(next));
    return {};
  }
  await migrate(variables, asking);
  const shop = await openFirstShop(variables, asking);
  const api = localApi(variables);
  if (options.serve && !(api && (await isServing(api)))) {
    const serving = serveUntilStopped({ role: "all", env: variables });
    await Promise.race([serving, api ? finish(api, shop, { variables, progress }) : undefined]);
    return { serving };
  }
  if (api && (await isServing(api))) {
    await finish(api, shop, { variables, progress });
    return {};
  }
  const next = [
    `${DARIC} --env-file ${file} serve   (or the units of systemd: docs/running.md)`,
    `${again}   (it prints the page of a first order)`,
  ];
  progress.add({ isServing: false, next }, textOfSteps(next));
  showEntrance(shop, progress);
  return {};
}

/** The settings, and the text of the file before them. */
type Settings = {
  readonly file: string;
  readonly text: string | undefined;
  readonly kept: Variables;
  readonly lines: readonly Line[];
  readonly variables: Variables;
};

type CheckedSettings = Settings & { readonly report: ConfigReport };

async function ask(
  terminal: FilingTerminal,
  file: string,
  { interview, options }: Asking,
): Promise<Settings> {
  const text = readKeptFile(file);
  const kept = text === undefined ? {} : readEnvFile(file);
  if (text !== undefined) terminal.readFile(file);
  const lines = await promptSettings(interview, { options, variables: terminal.variables, kept, text });
  const shown = shownSecrets(options).join(" and ");
  if (shown !== "")
    terminal.writeError(
      `daric: other users may have seen ${shown}, and the shell may keep it: answer the question instead, or name a file\n`,
    );
  const set = lines.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  const variables: Variables = { ...terminal.variables, ...Object.fromEntries(set) };
  return { file, text, kept, lines, variables };
}

/** @throws ConfigError if one stops a start. */
async function check(settings: Settings): Promise<CheckedSettings> {
  const report = await checkConfig(settings.variables, "all", { asOwner: true });
  const stopping = stoppingOf(report, settings.lines);
  if (stopping.length > 0)
    throw new ConfigError(stopping.map((fault) => `${fault}. Nothing was written`).join("\n"));
  return { ...settings, report };
}

/** @returns the steps that wait for a setting. */
function write({ file, text, kept, lines, report }: CheckedSettings, { add }: Progress): string[] {
  const filled = fileWith(lines, text, kept);
  if (filled !== text) writeEnvFile(file, filled, { isNew: text === undefined });
  // The other settings were just given, or stand in the file.
  const settings = report.settings.filter(({ verdict }) => verdict !== "OK");
  const trials = report.trials.filter(({ words }) => !isUnmigrated(words));
  add(
    { file, verdict: worstVerdict([...settings, ...trials]), settings, trials },
    `\n${file} ${filled === text ? "is complete" : "is written; only you can read it"}.\n\n${textOfReport({ ...report, settings, trials })}\n`,
  );
  return openSteps(file, lines);
}

/** The faults that would stop a start, except open settings and the first migration, which are the next steps. */
function stoppingOf({ settings, trials }: ConfigReport, lines: readonly Line[]): string[] {
  const open = lines.filter(({ value }) => value === undefined).map(({ name }) => name);
  return [
    ...settings
      .filter(({ name, verdict }) => verdict === "fault" && !open.includes(name))
      .map(({ name, words }) => `${name} ${words}`),
    ...faultsOf(trials.filter(({ words }) => !isUnmigrated(words))),
  ];
}

function faultsOf(trials: readonly Trial[]): string[] {
  return trials.filter(({ verdict }) => verdict === "fault").map(({ trial, words }) => `${trial}: ${words}`);
}

function isUnmigrated(words: string): boolean {
  return words.includes("run `daric migrate`");
}

function openSteps(file: string, lines: readonly Line[]): string[] {
  const isOpen = (variable: string) =>
    lines.some(({ name, value }) => name === variable && value === undefined);
  const [xpub, baseUrl] = [variableOf("addresses.accountXpub"), variableOf("http.publicBaseUrl")];
  return [
    ...(isOpen(xpub) ? [`${DARIC} seed   (on another computer; set ${xpub} in ${file} to the xpub)`] : []),
    ...(isOpen(baseUrl) ? [`set ${baseUrl} in ${file}, once it is known`] : []),
  ];
}

type Migrated = { readonly applied: number; readonly version: number; readonly toRun?: readonly string[] };

async function migrate(variables: Variables, { run, progress: { add } }: Asking): Promise<void> {
  const { applied, version, toRun = [] } = await run<Migrated>(["migrate"], variables);
  const asSuperuser = toRun.map((statement) => `Run this as a superuser: ${statement}\n`).join("");
  add(
    { schemaVersion: version, toRun },
    `The database has schema ${version}; ${applied} migrations were applied.\n${asSuperuser}`,
  );
}

function textOfSteps(steps: readonly string[]): string {
  return ["\nNext:\n", ...steps.map((step, index) => `  ${index + 1}. ${step}\n`)].join("");
}
