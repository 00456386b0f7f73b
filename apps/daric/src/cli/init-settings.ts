import { randomBytes } from "node:crypto";
import { quorumOf } from "@daric/deposits/settings";
import { fileVariableOf } from "@daric/runtime/setting";
import {
  readSettings,
  type SettingPath,
  settingAt,
  settingPaths,
  type Variables,
  variableOf,
} from "../process/config.ts";
import { envLine } from "./env-file.ts";
import { CommandError } from "./failure.ts";
import {
  awaitedSettings,
  type InitOptions,
  initNetworks,
  nameOfOption,
  networkQuestion,
  questionsFor,
  type SettingQuestion,
} from "./init-questions.ts";
import type { Interview } from "./interview.ts";

const SECRET_BYTES = 32;
const made: readonly SettingPath[] = ["merchants.keyPepper", "webhooks.masterKey", "integrity.key"];

/** A line of the file: a setting, or the file variable of a secret; an undefined value is left open. */
export type Line = { readonly name: string; readonly value: string | undefined };

/** The inputs of the settings: the options, the environment and the file. */
export type Given = {
  readonly options: InitOptions;
  /** the environment, with the variables of the file */
  readonly variables: Variables;
  /** the variables of the file alone */
  readonly kept: Variables;
  /** the text of the file */
  readonly text: string | undefined;
};

/**
 * Asks for each setting that is not given, and makes the secrets. An optional setting that the file leaves open was
 * answered with none: it is asked for again only if a step waits for it.
 *
 * @throws CommandError for a setting that contradicts another.
 */
export async function promptSettings(interview: Interview, given: Given): Promise<Line[]> {
  const chosen = await answerTo(interview, networkQuestion, given);
  const network = initNetworks.find((name) => name === chosen.value);
  if (network === undefined)
    throw new CommandError(
      `${chosen.name} must be one of ${initNetworks.join(", ")} here: other networks are set by hand`,
    );
  const questions = questionsFor(network);
  const lines = [chosen];
  for (const question of questions) lines.push(await answerTo(interview, question, given));
  for (const path of made)
    lines.push(lineSet(path, given.variables) ?? { name: variableOf(path), value: newSecret() });
  // The later check also reads the environment: both must have the same values.
  const named = new Set([...questions.map(({ path }) => path), networkQuestion.path, ...made]);
  for (const path of settingPaths) {
    const line = named.has(path) ? undefined : lineSet(path, given.variables);
    if (line !== undefined) lines.push(line);
  }
  const all = [...lines, ...quorumLine(lines)];
  requireSameAs(given.kept, all);
  return all;
}

/**
 * Refuses another value than the file has, because another xpub or database would be another deployment. Such a line
 * is changed by hand.
 */
function requireSameAs(kept: Variables, lines: readonly Line[]): void {
  for (const { name, value } of lines) {
    const inFile = kept[name]?.trim();
    if (inFile && value !== undefined && inFile !== value)
      throw new CommandError(
        `the file has another ${name} than was given: change its line, or name another file by --file`,
      );
  }
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
  question: SettingQuestion,
  { options, variables, kept, text }: Given,
): Promise<Line> {
  const { option, path, isRequired } = question;
  const given = options[nameOfOption(option)];
  const set = lineSet(path, variables);
  if (typeof given !== "string" || given.trim() === "") {
    const name = variableOf(path);
    const mayBeNone = !isRequired && !awaitedSettings.includes(path);
    const isNone = mayBeNone && openLineOf(name, linesOf(text)) !== -1;
    return set ?? { name, value: isNone ? undefined : await interview.prompt(question) };
  }
  const line = { name: variableOf(path), value: given.trim() };
  const isOfFile = set !== undefined && kept[set.name]?.trim() === set.value;
  if (set !== undefined && !isOfFile && !(set.name === line.name && set.value === line.value))
    throw new CommandError(`${option} and ${set.name} of the environment differ: leave one of them out`);
  return line;
}

function lineSet(path: SettingPath, variables: Variables): Line | undefined {
  const setting = settingAt(path);
  const names = setting.secret ? [setting.env, fileVariableOf(setting)] : [setting.env];
  const name = names.find((variable) => (variables[variable]?.trim() ?? "") !== "");
  return name === undefined ? undefined : { name, value: variables[name]?.trim() };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

/** The text of the file with these lines added; its existing settings stay as they are. */
export function fileWith(lines: readonly Line[], text: string | undefined, kept: Variables): string {
  const written = linesOf(text ?? heading(lines));
  for (const { name, value } of lines) {
    if (kept[name]?.trim()) continue;
    const open = openLineOf(name, written);
    const line = value === undefined ? `# ${name}=\n` : envLine(name, value);
    if (open === -1) written.push(line);
    else written[open] = line;
  }
  return written.join("");
}

function linesOf(text = ""): string[] {
  return text.replace(/\n?$/, "\n").split(/(?<=\n)/);
}

/** The index of the line that leaves a setting open; -1 without one. */
function openLineOf(name: string, lines: readonly string[]): number {
  return lines.findIndex((line) => [`# ${name}=`, `#${name}=`, `${name}=`].includes(line.trim()));
}

function heading(lines: readonly Line[]): string {
  const network = lines.find(({ name }) => name === variableOf(networkQuestion.path))?.value;
  const [last, ...others] = made.map(variableOf).toReversed();
  const secrets = `${others.toReversed().join(", ")} and ${last}`;
  return [
    `# Daric on ${network}. Keep this file to yourself, and a copy of ${secrets}\n`,
    "# apart from the backups of the database: without them it cannot be used.\n",
  ].join("");
}
