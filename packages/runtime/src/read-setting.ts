import { readSecretFile } from "./secret-file.ts";
import { fileVariableOf, type Setting } from "./setting.ts";

/** The result of reading one setting. Faults and warnings begin with the variable and contain no secret. */
export type SettingReading = {
  readonly source: "environment" | "file" | "default" | "missing";
  /** the trimmed text; undefined if the variable is not set */
  readonly text: string | undefined;
  readonly value: unknown;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** The only fault is that the value is absent, which matters only to processes that need it. */
  readonly isMissing: boolean;
};

type Found = Pick<SettingReading, "source" | "text"> & {
  readonly name: string;
  readonly fault?: string;
  readonly warnings: readonly string[];
};

/** Reads one setting from its variable or its secret's file. Text is trimmed; a blank variable counts as unset. */
export function readSetting(
  env: Readonly<Record<string, string | undefined>>,
  setting: Setting,
): SettingReading {
  const { source, text, name, fault, warnings } = findText(env, setting);
  const missing = fault ?? findAbsence(setting, text);
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

function findAbsence(
  { env, default: preset, meaning }: Setting,
  text: string | undefined,
): string | undefined {
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
  const fromFile = { source: "file", text: undefined, name, warnings: [] } as const;
  if (text !== undefined)
    return { ...fromFile, fault: `${name} and ${fileVariable} are both set: which one counts?` };
  const file = readSecretFile(path);
  if ("fault" in file) return { ...fromFile, fault: `${fileVariable} names a file that ${file.fault}` };
  const openWarning = `${fileVariable} names a file that every user of this machine may read: chmod o-r`;
  return {
    source: "file",
    text: file.text,
    name: `${name} (in the file that ${fileVariable} names)`,
    warnings: file.isOpenToAll ? [openWarning] : [],
  };
}
