import { randomBytes } from "node:crypto";
import { type Command, Option } from "commander";
import { quorumOf } from "../deposits/settings.ts";
import {
  readSettings,
  type SettingPath,
  settingAt,
  settingPaths,
  type Variables,
  variableOf,
} from "../process/config.ts";
import { fileVariableOf } from "../runtime/setting.ts";
import { type ConfigReport, checkConfig } from "./check-config.ts";
import { textOfReport } from "./config.ts";
import { envLine, requireNoFile, writeEnvFile } from "./env-file.ts";
import { CommandError } from "./failure.ts";
import {
  type InitNetwork,
  type InitOptions,
  initNetworks,
  nameOfOption,
  networkQuestion,
  questionsFor,
  shownSecrets,
} from "./init-questions.ts";
import { faultOfAnswer, type Interview, openInterview, type Question, silentInterview } from "./interview.ts";
import { type OutputOptions, printFound } from "./print.ts";
import type { Terminal } from "./terminal.ts";

const SECRET_BYTES = 32;
const made: readonly SettingPath[] = ["merchants.keyPepper", "webhooks.masterKey", "integrity.key"];

/** `daric init`: writes the settings of a deployment to a file. */
export function addInitCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("init")
    .description(
      "ask for the settings of a service on nile or mainnet, make its pepper and keys, write all to a file that only" +
        "you can read, and check it; given options and variables are not asked again",
    )
    .option("--file <path>", "the file to write; an existing one is refused", "daric.env")
    .addOption(new Option("--network <name>", networkQuestion.text).choices([...initNetworks]));
  for (const { option, text } of questionsFor("mainnet")) command.option(`${option} <value>`, text);
  command
    .option("--yes", "ask nothing: use the defaults")
    .option("--json", "print JSON, and ask nothing")
    .addHelpText(
      "after",
      "\nOther users of this machine can see the command line, and the shell keeps it. Give a URL with a password as an \n" +
        `answer to the question, or in a file named by ${fileVariableOf(settingAt("runtime.databaseUrl"))}.`,
    )
    .action((options: InitOptions) => runInit(terminal, options));
}

async function runInit(terminal: Terminal, options: InitOptions): Promise<void> {
  const file = String(options.file);
  requireNoFile(file);
  const interview = options.yes || options.json ? silentInterview() : openInterview(terminal);
  let answers: Answers;
  try {
    answers = await promptAll(interview, { options, variables: terminal.variables });
  } finally {
    await interview.close();
  }
  const { network, lines } = answers;
  writeEnvFile(file, textOf(network, lines));
  const shown = shownSecrets(options).join(" and ");
  if (shown !== "")
    terminal.writeError(
      `daric: other users may have seen ${shown}, and the shell may keep it: answer the question instead, or name a file\n`,
    );
  const set = lines.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  const report = await checkConfig({ ...terminal.variables, ...Object.fromEntries(set) }, "all");
  show(terminal, options, { file, report, next: nextSteps(file, lines) });
  const stopping = stoppingOf(report, lines);
  if (stopping.length > 0)
    throw new CommandError(`${file} is written, and this stops a start: ${stopping.join(", ")}`);
}

/**
 * The faults that would stop a start, except open settings and the first migration, which are the next steps.
 */
function stoppingOf({ settings, trials }: ConfigReport, lines: readonly Line[]): string[] {
  const open = lines.filter(({ value }) => value === undefined).map(({ name }) => name);
  return [
    ...settings
      .filter(({ name, verdict }) => verdict === "fault" && !open.includes(name))
      .map(({ name }) => name),
    ...trials
      .filter(({ verdict, words }) => verdict === "fault" && !words.includes("run `daric migrate`"))
      .map(({ trial }) => trial),
  ];
}

/** A line of the file: a setting, or the file variable of a secret; an undefined value is left open. */
type Line = { readonly name: string; readonly value: string | undefined };
type Answers = { readonly network: InitNetwork; readonly lines: readonly Line[] };
type Given = { readonly options: InitOptions; readonly variables: Variables };

async function promptAll(interview: Interview, from: Given): Promise<Answers> {
  const chosen = await answerTo(interview, networkQuestion, from);
  const network = initNetworks.find((name) => name === chosen.value);
  if (network === undefined)
    throw new CommandError(`${chosen.name} must be nile or mainnet here: \`npm start\` is for the others`);
  const lines = [chosen];
  for (const question of questionsFor(network)) lines.push(await answerTo(interview, question, from));
  for (const path of made)
    lines.push(lineSet(path, from.variables) ?? { name: variableOf(path), value: newSecret() });
  // The later check also reads the environment: both must have the same values.
  const named = new Set([...questionsFor(network).map(({ path }) => path), networkQuestion.path, ...made]);
  for (const path of settingPaths) {
    const line = named.has(path) ? undefined : lineSet(path, from.variables);
    if (line !== undefined) lines.push(line);
  }
  return { network, lines: [...lines, ...quorumLine(lines)] };
}

/** The quorum of several nodes, written explicitly; empty if it is set, or with one node. */
function quorumLine(lines: readonly Line[]): Line[] {
  const name = variableOf("deposits.quorum");
  const { value } = lines.find((line) => line.name === variableOf("chain.nodeUrls")) ?? {};
  if (value === undefined || lines.some((line) => line.name === name)) return [];
  const { chain } = readSettings({ [variableOf("chain.nodeUrls")]: value }, ["chain.nodeUrls"]);
  const quorum = quorumOf({ quorum: undefined, nodeUrls: chain.nodeUrls });
  return quorum === 1 ? [] : [{ name, value: String(quorum) }];
}

async function answerTo(
  interview: Interview,
  question: Question,
  { options, variables }: Given,
): Promise<Line> {
  const { option, path } = question;
  const given = options[nameOfOption(option)];
  if (typeof given === "string" && given.trim() !== "")
    return usable(path, { name: variableOf(path), value: given.trim() });
  return lineSet(path, variables) ?? { name: variableOf(path), value: await interview.prompt(question) };
}

function lineSet(path: SettingPath, variables: Variables): Line | undefined {
  const setting = settingAt(path);
  const names = setting.secret ? [setting.env, fileVariableOf(setting)] : [setting.env];
  const name = names.find((variable) => (variables[variable]?.trim() ?? "") !== "");
  return name === undefined ? undefined : usable(path, { name, value: variables[name]?.trim() });
}

/** @throws CommandError for an invalid value, without repeating it. */
function usable(path: SettingPath, line: Line): Line {
  const fault = faultOfAnswer(path, line.value, line.name);
  if (fault !== undefined) throw new CommandError(fault);
  return line;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

function textOf(network: InitNetwork, lines: readonly Line[]): string {
  const [last, ...others] = made.map(variableOf).toReversed();
  const secrets = `${others.toReversed().join(", ")} and ${last}`;
  return [
    `# Daric on ${network}. Keep this file to yourself, and a copy of ${secrets}\n`,
    "# apart from the backups of the database: without them it cannot be used.\n",
    ...lines.map(({ name, value }) => (value === undefined ? `# ${name}=\n` : envLine(name, value))),
  ].join("");
}

function nextSteps(file: string, lines: readonly Line[]): string[] {
  const run = `daric --env-file ${file}`;
  const isOpen = (variable: string) =>
    lines.some(({ name, value }) => name === variable && value === undefined);
  const xpub = variableOf("addresses.accountXpub");
  const baseUrl = variableOf("http.publicBaseUrl");
  return [
    ...(isOpen(xpub) ? [`daric seed   (on another computer; set ${xpub} in ${file} to the xpub)`] : []),
    ...(isOpen(baseUrl) ? [`set ${baseUrl} in ${file}, once it is known`] : []),
    `${run} migrate`,
    `${run} config check`,
    `${run} merchant create --name <name>`,
    `${run} settlement-account add --merchant <id> --address <T…>`,
    `${run} key create --merchant <id>`,
    `${run} serve`,
  ];
}

type Written = { readonly file: string; readonly report: ConfigReport; readonly next: readonly string[] };

/** The settings that are not OK: the others were just given. */
function show(terminal: Terminal, options: OutputOptions, { file, report, next }: Written): void {
  const settings = report.settings.filter(({ verdict }) => verdict !== "OK");
  const { verdict, trials } = report;
  printFound(terminal, options, {
    json: { file, verdict, settings, trials, next },
    text: () =>
      [
        `\n${file} is written; only you can read it.\n\n`,
        textOfReport({ ...report, settings }),
        "\nNext:\n",
        ...next.map((step, index) => `  ${index + 1}. ${step}\n`),
      ].join(""),
  });
}
