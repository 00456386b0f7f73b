import { createHmac, randomFillSync, timingSafeEqual } from "node:crypto";

const RANDOM_BYTES = 24;
const CHECK_BYTES = 6;
/** 30 bytes are exactly 40 characters of base64url, so that each token has one form only. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{40}$/;

/** Tokens that are remembered as right at most, some megabytes; beyond it all are checked anew. */
const MAX_CACHED = 20_000;

/** Asking the system for random bytes costs more than the bytes, so a block is asked for at once, and used up. */
const block = Buffer.alloc(RANDOM_BYTES * 256);
let used = block.length;

/**
 * 192 random bits, so that whoever can name the token was given it, and 48 bits that only the holder of the key can
 * have computed from them.
 */
export function newCheckoutToken(checkoutKey: Buffer): string {
  const random = nextRandom();
  return Buffer.concat([random, checkOf(checkoutKey, random)]).toString("base64url");
}

/** Whether the text was made by `newCheckoutToken` with this key. Asks nobody, and takes as long for every guess. */
export function isCheckoutToken(checkoutKey: Buffer, text: string): boolean {
  if (!TOKEN_PATTERN.test(text)) return false;
  const bytes = Buffer.from(text, "base64url");
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), checkOf(checkoutKey, bytes.subarray(0, RANDOM_BYTES)));
}

/**
 * `isCheckoutToken` for one key, which remembers the tokens that were right: a page asks for the same one every few seconds.
 * That those are answered sooner tells nothing that the answer does not.
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

/** The token's 30 bytes, under which the directory knows its charge. */
export function tokenBytes(token: string): Buffer {
  return Buffer.from(token, "base64url");
}

function checkOf(checkoutKey: Buffer, random: Buffer): Buffer {
  return createHmac("sha256", checkoutKey).update(random).digest().subarray(0, CHECK_BYTES);
}
