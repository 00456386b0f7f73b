import { randomBytes } from "node:crypto";
import { type Command, Option } from "commander";
import { type SettingPath, type Variables, variableOf } from "../config.ts";
import { type ConfigReport, checkConfig } from "./check-config.ts";
import { textOfReport } from "./config.ts";
import { envLine, requireNoFile, writeEnvFile } from "./env-file.ts";
import { CommandError } from "./failure.ts";
import { type InitNetwork, initNetworks, networkQuestion, questionsFor } from "./init-questions.ts";
import { faultOfAnswer, type Interview, openInterview, type Question, silentInterview } from "./interview.ts";
import { type OutputOptions, printFound } from "./print.ts";
import type { Terminal } from "./terminal.ts";

const SECRET_BYTES = 32;
const made: readonly SettingPath[] = ["merchants.keyPepper", "webhooks.masterKey"];

/** As commander names them: `--node-urls` is nodeUrls. */
type InitOptions = OutputOptions & Readonly<Record<string, string | boolean | undefined>>;

/** `daric init`: the environment of a deployment, in a file. */
export function addInitCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("init")
    .description(
      "ask what a service on nile or mainnet needs, make its pepper and master key, write all of it to a file that only " +
        "you can read, and check it; what an option or the environment says is not asked",
    )
    .option("--file <path>", "the file to write; none is overwritten", "daric.env")
    .addOption(new Option("--network <name>", networkQuestion.text).choices([...initNetworks]));
  for (const { option, text } of questionsFor("mainnet")) command.option(`${option} <value>`, text);
  command
    .option("--yes", "ask nothing: what is not given is as it is proposed")
    .option("--json", "print JSON, and ask nothing")
    .action((options: InitOptions) => runInit(terminal, options));
}

async function runInit(terminal: Terminal, options: InitOptions): Promise<void> {
  const file = String(options.file);
  // So that nobody answers questions for nothing.
  requireNoFile(file);
  const interview = options.yes || options.json ? silentInterview() : openInterview(terminal);
  let answers: Answers;
  try {
    answers = await ask(interview, { options, variables: terminal.variables });
  } finally {
    await interview.close();
  }
  const secrets = made.map((path) => [path, given(path, terminal.variables) ?? newSecret()] as const);
  const values = new Map<SettingPath, string | undefined>([...answers.values, ...secrets]);
  writeEnvFile(file, textOf(answers.network, values));
  const set = [...values].flatMap(([path, value]) =>
    value === undefined ? [] : [[variableOf(path), value]],
  );
  const report = await checkConfig({ ...terminal.variables, ...Object.fromEntries(set) }, "all");
  show(terminal, options, { file, report, next: nextSteps(file, values) });
}

type Answers = {
  readonly network: InitNetwork;
  readonly values: readonly (readonly [SettingPath, string | undefined])[];
};
type Given = { readonly options: InitOptions; readonly variables: Variables };

async function ask(interview: Interview, from: Given): Promise<Answers> {
  const said = await answerTo(interview, networkQuestion, from);
  const network = initNetworks.find((name) => name === said);
  if (network === undefined)
    throw new CommandError(
      `${variableOf("chain.network")} must be nile or mainnet here: \`npm start\` is for the others`,
    );
  const values: [SettingPath, string | undefined][] = [["chain.network", network]];
  for (const question of questionsFor(network)) {
    values.push([question.path, await answerTo(interview, question, from)]);
  }
  return { network, values };
}

/** @throws CommandError when what an option or the environment says cannot be used, in words that do not repeat it. */
async function answerTo(
  interview: Interview,
  question: Question,
  { options, variables }: Given,
): Promise<string | undefined> {
  const name = question.option.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const option = options[name];
  const told = (typeof option === "string" ? option.trim() : "") || given(question.path, variables);
  if (told === undefined) return interview.ask(question);
  const fault = faultOfAnswer(question.path, told);
  if (fault !== undefined) throw new CommandError(fault);
  return told;
}

function given(path: SettingPath, variables: Variables): string | undefined {
  return variables[variableOf(path)]?.trim() || undefined;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

function textOf(network: InitNetwork, values: ReadonlyMap<SettingPath, string | undefined>): string {
  const lines = [...values].map(([path, value]) =>
    value === undefined ? `# ${variableOf(path)}=\n` : envLine(variableOf(path), value),
  );
  const [pepper, masterKey] = made.map(variableOf);
  return [
    `# Daric on ${network}. Keep this file to yourself, and a copy of ${pepper} and ${masterKey}\n`,
    "# apart from the backups of the database: without them it cannot be used.\n",
    ...lines,
  ].join("");
}

function nextSteps(file: string, values: ReadonlyMap<SettingPath, string | undefined>): string[] {
  const run = `daric --env-file ${file}`;
  const xpub = variableOf("addresses.accountXpub");
  const baseUrl = variableOf("http.publicBaseUrl");
  const isOpen = (path: SettingPath) => values.get(path) === undefined;
  return [
    ...(isOpen("addresses.accountXpub")
      ? [`daric seed   (on another computer; set ${xpub} in ${file} to the xpub)`]
      : []),
    ...(isOpen("http.publicBaseUrl") ? [`set ${baseUrl} in ${file}, once it is known`] : []),
    `${run} migrate`,
    `${run} config check`,
    `${run} merchant create --name <name>`,
    `${run} settlement-account add --merchant <id> --address <T…>`,
    `${run} key create --merchant <id>`,
    `${run} serve`,
  ];
}

type Written = { readonly file: string; readonly report: ConfigReport; readonly next: readonly string[] };

/** Of the settings those that are not OK: the others were just given. */
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
