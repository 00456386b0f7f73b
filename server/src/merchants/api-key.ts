import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment } from "../domain/api-scope.ts";

/*
 * daric_<environment>_sk_<id>_<secret><checksum>: 16 + 43 + 6 characters of base62. The id is what the database is
 * asked for, the secret is 256 random bits, the checksum is the CRC-32 of everything before it. CRC-32 notices every
 * change of one character and every swap of neighbours, so a mistyped or cut key is refused without a query.
 */

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARS = 16;
const SECRET_BYTES = 32;
/** 62^43 > 2^256 > 62^42 */
const SECRET_CHARS = 43;
/** 62^6 > 2^32 */
const CHECKSUM_CHARS = 6;
const HASH_BYTES = 32;

const KEY_PATTERN = /^daric_(live|test)_sk_([0-9A-Za-z]{16})_[0-9A-Za-z]{49}$/;

/** What the text of a key says of itself. Nothing of it is proven yet. */
export type ParsedApiKey = { readonly environment: Environment; readonly lookupId: string };

/** A new key of this environment. `key` is the only copy of the secret: it is shown once and never stored. */
export function newApiKey(environment: Environment): { key: string; lookupId: string } {
  const lookupId = Array.from({ length: ID_CHARS }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
  const secret = encodeBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString("hex")}`), SECRET_CHARS);
  const body = `daric_${environment}_sk_${lookupId}_${secret}`;
  return { key: body + checksum(body), lookupId };
}

/** Reads a key, or undefined where the text cannot be one: wrong shape or wrong checksum. Asks nobody. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const match = KEY_PATTERN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const body = text.slice(0, -CHECKSUM_CHARS);
  if (text.slice(-CHECKSUM_CHARS) !== checksum(body)) return undefined;
  return { environment: match[1] === "live" ? "live" : "test", lookupId: match[2] };
}

/** The part of a key that is no secret: by it a key that turns up somewhere is found and revoked. */
export function keyPrefix({ environment, lookupId }: ParsedApiKey): string {
  return `daric_${environment}_sk_${lookupId}`;
}

/** The same of a text, or undefined where it cannot be a key. Asks nobody. */
export function findKeyPrefix(text: string): string | undefined {
  const parsed = parseApiKey(text);
  return parsed && keyPrefix(parsed);
}

/**
 * HMAC-SHA-256 of the whole key under the server's pepper: 32 bytes. A fast hash is right here, because a secret of
 * 256 random bits cannot be searched for, and a slow one would let strangers spend our processor.
 */
export function hashApiKey(pepper: string, key: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

const UNKNOWN_KEY_HASH = Buffer.alloc(HASH_BYTES);

/**
 * Whether a key with this hash is the one whose hash is stored, in a time that does not depend on where they differ. Without
 * a stored hash (an unknown id) the same work is done against one that no key has.
 */
export function isHashOf(hash: Buffer, storedHash: Uint8Array | undefined): boolean {
  const isEqual = timingSafeEqual(hash, storedHash ?? UNKNOWN_KEY_HASH);
  return isEqual && storedHash !== undefined;
}

function checksum(body: string): string {
  return encodeBase62(BigInt(crc32(body)), CHECKSUM_CHARS);
}

function encodeBase62(value: bigint, length: number): string {
  const base = BigInt(BASE62.length);
  let rest = value;
  let text = "";
  for (let position = 0; position < length; position += 1) {
    text = BASE62.charAt(Number(rest % base)) + text;
    rest /= base;
  }
  return text;
}
