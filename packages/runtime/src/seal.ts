import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The format of a sealed text, and the row that it is bound to: in another row it does not open. */
export type SealPlace = { readonly format: number; readonly boundTo: string };

/** Encrypts a secret for storage: format, random 96-bit nonce, tag, ciphertext. */
export function seal(key: Buffer, { format, boundTo }: SealPlace, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.from([format]), nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * The inverse of `seal`, under the first of these keys that fits.
 *
 * @throws Error on other keys, another place, another format and any changed byte.
 */
export function openSealed(keys: readonly Buffer[], place: SealPlace, sealed: Buffer): string {
  let failure: unknown = new Error("there is no key");
  for (const key of keys) {
    try {
      return openUnder(key, place, sealed);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function openUnder(key: Buffer, { format, boundTo }: SealPlace, sealed: Buffer): string {
  const tagStart = 1 + NONCE_BYTES;
  const textStart = tagStart + TAG_BYTES;
  if (format !== sealed[0] || sealed.length < textStart)
    throw new Error("the sealed secret has an unknown format");
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1, tagStart), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(tagStart, textStart));
  return Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]).toString("utf8");
}

/** The current value and, during a rotation, the one before it. The first makes new values, and both read them. */
export function currentFirst<T>(current: T, previous: T | undefined): readonly T[] {
  return previous === undefined ? [current] : [current, previous];
}
