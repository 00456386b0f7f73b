import { readSecretFile } from "./secret-file.ts";
import { fileVariableOf, type Setting } from "./setting.ts";

/** What became of one setting. Faults and doubts are sentences that begin with the variable, and hold no secret. */
export type SettingReading = {
  readonly source: "environment" | "file" | "default" | "missing";
  /** as it was given, without the blanks around it; undefined where it was not */
  readonly text: string | undefined;
  /** what was read; undefined where there are faults */
  readonly value: unknown;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** Whether the faults are only that it cannot be had: no concern of who does not need it. */
  readonly isMissing: boolean;
};

/** The text of a setting, the variable that an operator knows it by, and why it cannot be had. */
type Found = Pick<SettingReading, "source" | "text"> & {
  readonly name: string;
  readonly fault?: string;
  readonly warnings: readonly string[];
};

/**
 * Reads one setting of an environment: its variable, or of a secret the file that is named instead. Blanks around a value are
 * nobody's intention: what is checked and used is the text between them, and a variable without any is not set.
 */
export function readSetting(
  env: Readonly<Record<string, string | undefined>>,
  setting: Setting,
): SettingReading {
  const { source, text, name, fault, warnings } = findText(env, setting);
  const missing = fault ?? lackOf(setting, text);
  const result = setting.read.safeParse(text);
  const found = { source, text, value: result.success ? result.data : undefined };
  if (missing !== undefined) return { ...found, faults: [missing], warnings, isMissing: true };
  if (!result.success) {
    const quotes = /^(['"`]).*\1$/s.test(text ?? "")
      ? "; it stands in quotes, which are read as part of it"
      : "";
    const faults = result.error.issues.map(({ message }) => `${name} ${message}${quotes}`);
    return { ...found, faults, warnings, isMissing: false };
  }
  const warning = setting.warning?.(result.data);
  const all = warning === undefined ? warnings : [...warnings, `${name} ${warning}`];
  return { ...found, faults: [], warnings: all, isMissing: false };
}

function lackOf({ env, default: preset, meaning }: Setting, text: string | undefined): string | undefined {
  return text === undefined && preset === "required" ? `${env} is required: ${meaning}` : undefined;
}

function findText(env: Readonly<Record<string, string | undefined>>, setting: Setting): Found {
  const name = setting.env;
  const text = env[name]?.trim() || undefined;
  const fileVariable = fileVariableOf(setting);
  const path = setting.secret && (env[fileVariable]?.trim() || undefined);
  if (path === undefined) {
    const unset = setting.default === "required" ? "missing" : "default";
    return { source: text === undefined ? unset : "environment", text, name, warnings: [] };
  }
  const ofFile = { source: "file", text: undefined, name, warnings: [] } as const;
  if (text !== undefined)
    return { ...ofFile, fault: `${name} and ${fileVariable} are both set: which one counts?` };
  const file = readSecretFile(path);
  if ("fault" in file) return { ...ofFile, fault: `${fileVariable} names a file that ${file.fault}` };
  const openness = `${fileVariable} names a file that everybody on this machine may read: chmod o-r`;
  return {
    source: "file",
    text: file.text,
    name: `${name} (in the file that ${fileVariable} names)`,
    warnings: file.isOpenToAll ? [openness] : [],
  };
}
