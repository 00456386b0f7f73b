import { createHash, createHmac } from "node:crypto";

/** The secrets that what a database holds was made under: with another one it cannot be used. */
export const secretNames = [
  "merchants.keyPepper",
  "webhooks.masterKey",
  "integrity.key",
  "addresses.accountXpub",
] as const;
export type SecretName = (typeof secretNames)[number];

const FINGERPRINT_HEX_DIGITS = 8;

/** The secrets that a process was given; a role or a command may have none of them. */
export type Secrets = {
  readonly merchants?: { readonly keyPepper?: string };
  readonly webhooks?: { readonly masterKey?: Buffer };
  readonly integrity?: { readonly key?: Buffer };
  readonly addresses?: { readonly accountXpub?: string };
};

/** What a database remembers of each secret: 32 bytes, or null where it was never used. */
export type SecretChecks = Readonly<Record<SecretName, Buffer | null>>;

/**
 * Tells each secret from every other one and gives nothing of it away; null for one that was not given, or is not of
 * `names`.
 */
export function checksOf(secrets: Secrets, names: readonly SecretName[] = secretNames): SecretChecks {
  const { merchants, webhooks, integrity, addresses } = secrets;
  const checks = {
    // These texts are in what databases remember: they stay, whatever the variables are called.
    "merchants.keyPepper": keyedCheck("DARIC_KEY_PEPPER", merchants?.keyPepper),
    "webhooks.masterKey": keyedCheck("DARIC_MASTER_KEY", webhooks?.masterKey),
    "integrity.key": keyedCheck("DARIC_INTEGRITY_KEY", integrity?.key),
    "addresses.accountXpub": addresses?.accountXpub === undefined ? null : xpubCheck(addresses.accountXpub),
  };
  for (const name of secretNames) if (!names.includes(name)) checks[name] = null;
  return checks;
}

/** The fixed text names its purpose, so that no digest made elsewhere under the same secret can be this one. */
function keyedCheck(name: string, secret: string | Buffer | undefined): Buffer | null {
  if (secret === undefined) return null;
  return createHmac("sha256", secret).update(`daric deployment check of ${name}`).digest();
}

/** An xpub has one spelling only, so its text can be compared. */
export function xpubCheck(xpub: string): Buffer {
  return createHash("sha256").update(xpub).digest();
}

/** The head of a check, for people to compare. */
export function fingerprintOf(check: Buffer | null): string | undefined {
  return check?.toString("hex").slice(0, FINGERPRINT_HEX_DIGITS);
}
