import { createHash, createHmac } from "node:crypto";

/** The secrets that the data of a database depends on. */
export const secretNames = [
  "merchants.keyPepper",
  "webhooks.masterKey",
  "integrity.key",
  "addresses.accountXpub",
] as const;
export type SecretName = (typeof secretNames)[number];

const FINGERPRINT_HEX_DIGITS = 8;

/** The secrets of a process; a role or a command may have none. */
export type Secrets = {
  readonly merchants?: { readonly keyPepper?: string; readonly previousKeyPepper?: string | undefined };
  readonly webhooks?: { readonly masterKey?: Buffer; readonly previousMasterKey?: Buffer | undefined };
  readonly integrity?: { readonly key?: Buffer };
  readonly addresses?: { readonly accountXpub?: string };
};

/** The check of each secret in a database: 32 bytes, or null before its first use. */
export type SecretChecks = Readonly<Record<SecretName, Buffer | null>>;

/**
 * A check of each secret, which identifies it and reveals nothing of it; null for one that is missing or not in
 * `names`.
 */
export function checksOf(secrets: Secrets, names: readonly SecretName[] = secretNames): SecretChecks {
  const { merchants, webhooks, integrity, addresses } = secrets;
  const checks = {
    // Databases store the results of these names, so they never change, even if a variable is renamed.
    "merchants.keyPepper": keyedCheck("DARIC_KEY_PEPPER", merchants?.keyPepper),
    "webhooks.masterKey": keyedCheck("DARIC_MASTER_KEY", webhooks?.masterKey),
    "integrity.key": keyedCheck("DARIC_INTEGRITY_KEY", integrity?.key),
    "addresses.accountXpub": addresses?.accountXpub === undefined ? null : xpubCheck(addresses.accountXpub),
  };
  for (const name of secretNames) if (!names.includes(name)) checks[name] = null;
  return checks;
}

/** The checks of the previous secrets, which a rotation has not replaced in the database yet. */
export function previousChecksOf({ merchants, webhooks }: Secrets): Partial<SecretChecks> {
  return {
    "merchants.keyPepper": keyedCheck("DARIC_KEY_PEPPER", merchants?.previousKeyPepper),
    "webhooks.masterKey": keyedCheck("DARIC_MASTER_KEY", webhooks?.previousMasterKey),
  };
}

/** The fixed text separates this digest from every other one under the same secret. */
function keyedCheck(name: string, secret: string | Buffer | undefined): Buffer | null {
  if (secret === undefined) return null;
  return createHmac("sha256", secret).update(`daric deployment check of ${name}`).digest();
}

/** An xpub has only one spelling, so its text can be compared. */
export function xpubCheck(xpub: string): Buffer {
  return createHash("sha256").update(xpub).digest();
}

/** The beginning of a check, for comparison. */
export function fingerprintOf(check: Buffer | null): string | undefined {
  return check?.toString("hex").slice(0, FINGERPRINT_HEX_DIGITS);
}
