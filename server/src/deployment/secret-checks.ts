import { createHash, createHmac } from "node:crypto";
import type { Config } from "../config.ts";

/** The secrets that what a database holds was made under: with another one it cannot be used. */
export const secretNames = ["DARIC_KEY_PEPPER", "DARIC_MASTER_KEY", "ACCOUNT_XPUB"] as const;
export type SecretName = (typeof secretNames)[number];

/** The secrets that a process was given; a role or a command may have none of them. */
export type Secrets = Partial<Pick<Config, SecretName>>;

/** What a database remembers of each secret: 32 bytes, or null where it was never used. */
export type SecretChecks = Readonly<Record<SecretName, Buffer | null>>;

/** Tells each secret from every other one and gives nothing of it away; null for one that was not given. */
export function checksOf(secrets: Secrets): SecretChecks {
  const { DARIC_KEY_PEPPER: pepper, DARIC_MASTER_KEY: masterKey, ACCOUNT_XPUB: xpub } = secrets;
  return {
    DARIC_KEY_PEPPER: pepper === undefined ? null : keyedCheck("DARIC_KEY_PEPPER", pepper),
    DARIC_MASTER_KEY: masterKey === undefined ? null : keyedCheck("DARIC_MASTER_KEY", masterKey),
    ACCOUNT_XPUB: xpub === undefined ? null : xpubCheck(xpub),
  };
}

/** The fixed text names its purpose, so that no digest made elsewhere under the same secret can be this one. */
function keyedCheck(name: SecretName, secret: string | Buffer): Buffer {
  return createHmac("sha256", secret).update(`daric deployment check of ${name}`).digest();
}

/** An xpub has one spelling only, so its text can be compared. */
export function xpubCheck(xpub: string): Buffer {
  return createHash("sha256").update(xpub).digest();
}
