import { scryptSync } from "node:crypto";
import { readSetting, type SettingReading } from "@daric/runtime/read-setting";
import { isOfRoles, type Role, roles } from "@daric/runtime/setting";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { checksOf, fingerprintOf, type Secrets, secretNames } from "../deployment/secret-checks.ts";
import {
  faultsBetween,
  type SettingPath,
  type Settled,
  settingAt,
  settingPaths,
  type Variables,
} from "../process/config.ts";
import { configWarningsBetween, unknownVariableWarnings } from "../process/config-warnings.ts";
import type { ConfigVerdict, SettingFinding } from "./config-findings.ts";

/** The settings by folder; missing and invalid values are undefined, whatever the type. */
export type ReadValues = Settled<SettingPath>;

/** A sentence that begins with its variable. */
type Remark = { readonly verdict: Exclude<ConfigVerdict, "OK">; readonly sentence: string };

/** Validates every setting of these roles, and the invalid ones of others that stop every start. */
export function validateSettings(
  env: Variables,
  roleNames: readonly Role[],
): { findings: SettingFinding[]; values: ReadValues } {
  const readings = settingPaths.map((path) => ({ path, reading: readSetting(env, settingAt(path)) }));
  const values = valuesOf(readings);
  const remarks = remarksOf(readings, values, roleNames);
  const shown = readings.filter(
    ({ path }) =>
      roleNames.length === roles.length ||
      isOfRoles(settingAt(path), roleNames) ||
      remarks.some((remark) => isAbout(remark, settingAt(path).env) && remark.verdict === "fault"),
  );
  const settingFindings = shown.map(({ path, reading }) => findingOf(path, reading, remarks));
  const unknown = unknownVariableWarnings(env).map((sentence): SettingFinding => {
    const name = nameOf(sentence);
    return {
      name,
      source: "environment",
      value: null,
      fingerprint: null,
      ...describeValue(name, [warning(sentence)]),
    };
  });
  return { findings: [...settingFindings, ...unknown], values };
}

const fault = (sentence: string): Remark => ({ verdict: "fault", sentence });
const warning = (sentence: string): Remark => ({ verdict: "doubtful", sentence });

type Readings = readonly { readonly path: SettingPath; readonly reading: SettingReading }[];

function valuesOf(readings: Readings): ReadValues {
  const values: Record<string, Record<string, unknown>> = {};
  for (const { path, reading } of readings) {
    const [room = "", name = ""] = path.split(".", 2);
    values[room] = { ...values[room], [name]: reading.value };
  }
  return values as ReadValues;
}

function remarksOf(readings: Readings, values: ReadValues, roleNames: readonly Role[]): Remark[] {
  const alone = readings.flatMap(({ path, reading: { faults, warnings, isMissing, source } }) => {
    const isNeeded = isOfRoles(settingAt(path), roleNames);
    // A missing setting that no role needs matters to a command at most.
    const made = isMissing && !isNeeded ? (source === "file" ? faults.map(warning) : []) : faults.map(fault);
    return [...made, ...(isNeeded ? warnings.map(warning) : [])];
  });
  const isReadable = readings.every(({ reading }) => reading.faults.length === 0 || reading.isMissing);
  const together = isReadable ? faultsBetween(values).map(fault) : [];
  return [...alone, ...together, ...configWarningsBetween(values, roleNames).map(warning)];
}

function findingOf(path: SettingPath, reading: SettingReading, remarks: readonly Remark[]): SettingFinding {
  const name = settingAt(path).env;
  return {
    name,
    source: reading.source,
    ...showSetting(path, reading),
    ...describeValue(
      name,
      remarks.filter((remark) => isAbout(remark, name)),
    ),
  };
}

/** Also true for the variable of its file. */
function isAbout({ sentence }: Remark, name: string): boolean {
  return nameOf(sentence) === name || nameOf(sentence) === `${name}_FILE`;
}

function nameOf(sentence: string): string {
  return sentence.split(" ", 1)[0] ?? "";
}

function describeValue(name: string, remarks: readonly Remark[]): Pick<SettingFinding, "verdict" | "words"> {
  const verdict =
    remarks.find((remark) => remark.verdict === "fault")?.verdict ?? remarks[0]?.verdict ?? "OK";
  const words = remarks.map(({ sentence }) =>
    sentence.startsWith(`${name} `) ? sentence.slice(name.length + 1) : sentence,
  );
  return { verdict, words: words.join("; ") || null };
}

const FINGERPRINT_BYTES = 4;
/** Each guess costs some 10 ms and 4 MB. */
const SCRYPT_COST = { N: 4_096 };

/** The public part of a setting: the fingerprint of a secret, and a value without secrets. */
function showSetting(
  path: SettingPath,
  { text, value, faults }: SettingReading,
): Pick<SettingFinding, "value" | "fingerprint"> {
  const { secret, shown, default: preset } = settingAt(path);
  if (text === undefined)
    return { value: preset === "required" || faults.length > 0 ? null : preset, fingerprint: null };
  if (faults.length > 0) return { value: secret || shown ? null : text, fingerprint: null };
  if (!secret) return { value: shown?.(value) ?? text, fingerprint: null };
  return {
    value: shown?.(value) ?? firstAddressOf(path, text),
    fingerprint: fingerprintOfSecret(path, text, value),
  };
}

/** A value that the operator can compare in a wallet. */
function firstAddressOf(path: SettingPath, text: string): string | null {
  return path === "addresses.accountXpub"
    ? `first address ${deriveReceiveAddress(parseAccountXpub(text), 0)}`
    : null;
}

/**
 * The fingerprint that the database stores, for the secrets that it stores. For others scrypt makes guessing
 * of weak passwords expensive.
 */
function fingerprintOfSecret(path: SettingPath, text: string, value: unknown): string {
  const [room = "", name = ""] = path.split(".", 2);
  const cached = secretNames.find((secret) => secret === path);
  const check = cached && checksOf({ [room]: { [name]: value } } as Secrets)[cached];
  return (
    fingerprintOf(check ?? null) ?? scryptSync(text, path, FINGERPRINT_BYTES, SCRYPT_COST).toString("hex")
  );
}
