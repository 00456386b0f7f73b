import { scryptSync } from "node:crypto";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { checksOf, fingerprintOf, type Secrets, secretNames } from "../deployment/secret-checks.ts";
import { type SettingPath, settingAt } from "../process/config.ts";
import type { SettingReading } from "../runtime/read-setting.ts";
import type { SettingFinding } from "./config-findings.ts";

const FINGERPRINT_BYTES = 4;
/** Each guess costs some 10 ms and 4 MB. */
const SCRYPT_COST = { N: 4_096 };

/** The public part of a setting: the fingerprint of a secret, and a value without secrets. */
export function showSetting(
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
