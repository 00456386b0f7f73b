import { createHmac, randomFillSync, timingSafeEqual } from "node:crypto";

const RANDOM_BYTES = 24;
const CHECK_BYTES = 6;
/** 30 bytes are exactly 40 characters of base64url, so that each token has one form only. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{40}$/;

/** The most cached valid tokens, some megabytes. */
const MAX_CACHED = 20_000;

/** One call for random bytes costs more than the bytes, so it serves many tokens. */
const block = Buffer.alloc(RANDOM_BYTES * 256);
let used = block.length;

/**
 * Makes a token of 192 random bits, which cannot be guessed, and a checksum of 48 bits. Only the holder of
 * the key can compute the checksum.
 */
export function newCheckoutToken(checkoutKey: Buffer): string {
  const random = nextRandom();
  return Buffer.concat([random, checkOf(checkoutKey, random)]).toString("base64url");
}

/** Whether `newCheckoutToken` made the text with this key. It needs no query, and compares in constant time. */
export function isCheckoutToken(checkoutKey: Buffer, text: string): boolean {
  if (!TOKEN_PATTERN.test(text)) return false;
  const bytes = Buffer.from(text, "base64url");
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), checkOf(checkoutKey, bytes.subarray(0, RANDOM_BYTES)));
}

/**
 * `isCheckoutToken` for one key, with a cache of valid tokens: a page repeats its token every few seconds.
 * The cache's timing reveals nothing beyond the answer.
 */
export function createTokenCheck(checkoutKey: Buffer): (text: string) => boolean {
  const right = new Set<string>();
  return (text) => {
    if (right.has(text)) return true;
    if (!isCheckoutToken(checkoutKey, text)) return false;
    if (right.size >= MAX_CACHED) right.clear();
    right.add(text);
    return true;
  };
}

function nextRandom(): Buffer {
  if (used === block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += RANDOM_BYTES;
  return block.subarray(used - RANDOM_BYTES, used);
}

/** The token's 30 bytes, the key of its charge in the directory. */
export function tokenBytes(token: string): Buffer {
  return Buffer.from(token, "base64url");
}

function checkOf(checkoutKey: Buffer, random: Buffer): Buffer {
  return createHmac("sha256", checkoutKey).update(random).digest().subarray(0, CHECK_BYTES);
}
