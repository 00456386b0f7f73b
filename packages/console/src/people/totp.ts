import { createHmac, randomInt } from "node:crypto";
import type { PersonId } from "@daric/domain/ids";
import { openSealed, type SealPlace, seal } from "@daric/runtime/seal";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** The codes of one step before and after count too, because clocks differ. */
const WINDOW = 1;
const ISSUER = "Daric";

/** A secret for an authenticator app, in base32, as the URI that the app reads, and as a QR code. */
export type NewTotp = { readonly secret: string; readonly uri: string; readonly qr: string };

/** Makes a secret. Nothing is stored until a code proves that the app has it. */
export function newTotp(email: string, environment: string): NewTotp {
  const secret = new Secret({ size: SECRET_BYTES });
  const issuer = environment === "live" ? ISSUER : `${ISSUER} (${environment})`;
  const uri = new TOTP({ issuer, label: email, secret }).toString();
  return { secret: secret.base32, uri, qr: renderSVG(uri) };
}

/** The time step that the code belongs to, of those near `now`; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** Whether the text is a secret that {@link newTotp} makes. */
export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

export function sealTotp(masterKey: Buffer, personId: PersonId, secret: string): Buffer {
  return seal(masterKey, placeOf(personId), secret);
}

/** @throws Error on other master keys, another person and any changed byte. */
export function openTotp(masterKeys: readonly Buffer[], personId: PersonId, sealed: Buffer): string {
  return openSealed(masterKeys, placeOf(personId), sealed);
}

function placeOf(personId: PersonId): SealPlace {
  return { format: 1, boundTo: `people.totp_ciphertext|${personId}` };
}

/** Digits and letters that do not look alike: 32, so 10 of them are 50 random bits. */
const CODE_CHARS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const CODES = 10;
const HALF = 5;

/** Codes that replace a lost app; each works once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => `${charsByChance()}-${charsByChance()}`);
}

/** HMAC-SHA-256 of a code under the pepper. Case and blanks do not matter; undefined for another form. */
export function hashRecoveryCode(pepper: string, personId: PersonId, code: string): Buffer | undefined {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, "");
  if (plain.length !== 2 * HALF || [...plain].some((char) => !CODE_CHARS.includes(char))) return undefined;
  return createHmac("sha256", pepper).update(`recovery ${personId} ${plain}`).digest();
}

function charsByChance(): string {
  return Array.from({ length: HALF }, () => CODE_CHARS.charAt(randomInt(CODE_CHARS.length))).join("");
}
