import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const RANDOM_BYTES = 24;
const CHECK_BYTES = 6;
/** 30 bytes are exactly 40 characters of base64url, so that each token has one form only. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{40}$/;

/**
 * 192 random bits, so that whoever can name the token was given it, and 48 bits that only the holder of the key can
 * have computed from them.
 */
export function newCheckoutToken(checkoutKey: Buffer): string {
  const random = randomBytes(RANDOM_BYTES);
  return Buffer.concat([random, checkOf(checkoutKey, random)]).toString("base64url");
}

/** Whether the text was made by `newCheckoutToken` with this key. Asks nobody, and takes as long for every guess. */
export function isCheckoutToken(checkoutKey: Buffer, text: string): boolean {
  if (!TOKEN_PATTERN.test(text)) return false;
  const bytes = Buffer.from(text, "base64url");
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), checkOf(checkoutKey, bytes.subarray(0, RANDOM_BYTES)));
}

/** The token's 30 bytes, under which the directory knows its charge. */
export function tokenBytes(token: string): Buffer {
  return Buffer.from(token, "base64url");
}

function checkOf(checkoutKey: Buffer, random: Buffer): Buffer {
  return createHmac("sha256", checkoutKey).update(random).digest().subarray(0, CHECK_BYTES);
}
