import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { isHexOf, must, parseObject, SignerError } from "./config.ts";

/** The format of the file, which is authenticated with it. */
const FORMAT = "daric seed 1: scrypt N=2^17 r=8 p=1, AES-256-GCM";
const TAG_BYTES = 16;
/**
 * scrypt at the cost that OWASP recommends: 128 MiB a guess. Argon2id in JavaScript takes twice the time for
 * half the memory; for the same delay at a start scrypt costs an attacker more.
 */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const KEY_BYTES = 32;

/** The text of `seed.enc`: the words of a seed, sealed under a passphrase. Takes about a second. */
export function sealSeed(words: string, passphrase: string): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", keyOf(passphrase, salt), nonce).setAAD(Buffer.from(FORMAT));
  const sealed = Buffer.concat([cipher.update(words, "utf8"), cipher.final(), cipher.getAuthTag()]);
  const [saltHex, nonceHex, sealedHex] = [salt, nonce, sealed].map((bytes) => bytes.toString("hex"));
  return `${JSON.stringify({ format: FORMAT, salt: saltHex, nonce: nonceHex, sealed: sealedHex })}\n`;
}

/**
 * The words in the text of `seed.enc`.
 *
 * @throws SignerError for a truncated file, another format, and a wrong passphrase.
 */
export function openSeed(text: string, passphrase: string): string {
  const { format, salt, nonce, sealed } = parseObject(text, "seed.enc");
  must(format === FORMAT, `seed.enc is not of the format "${FORMAT}"`);
  const isWhole = isHexOf(salt, 32) && isHexOf(nonce, 24) && isHexOf(sealed, String(sealed).length);
  must(isWhole, "seed.enc is truncated or was changed");
  const bytes = (hex: unknown) => Buffer.from(String(hex), "hex");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(passphrase, bytes(salt)), bytes(nonce));
  try {
    decipher.setAAD(Buffer.from(FORMAT)).setAuthTag(bytes(sealed).subarray(-TAG_BYTES));
    return decipher.update(bytes(sealed).subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw new SignerError("the passphrase is wrong, or seed.enc was changed");
  }
}

function keyOf(passphrase: string, salt: Uint8Array): Uint8Array {
  return scryptSync(passphrase.normalize("NFKD"), salt, KEY_BYTES, COST);
}
