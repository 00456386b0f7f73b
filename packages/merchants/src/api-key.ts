import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment } from "@daric/domain/api-scope";

/*
 * daric_<environment>_sk_<id>_<secret><check>: 16 + 44 + 6 characters of base62. The id is the look-up key, and the
 * secret has 262 random bits. The check is an HMAC under the pepper of all before it, so forged keys cost no query.
 * Older keys (43 + 6) end with a CRC-32, which can be forged.
 */

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARS = 16;
const SECRET_CHARS = 44;
const CHECK_CHARS = 6;
/** More bytes than the check's characters can hold. */
const CHECK_BYTES = 8;
const HASH_BYTES = 32;

const KEY_PATTERN = /^daric_(live|test)_sk_([0-9A-Za-z]{16})_[0-9A-Za-z]{49,50}$/;
const OLD_LENGTH = "daric_test_sk_".length + ID_CHARS + 1 + 49;

/** The public parts of a key, unverified. */
export type ParsedApiKey = { readonly environment: Environment; readonly lookupId: string };

type MadeApiKey = { readonly key: string; readonly lookupId: string };

/** Makes a key. `key` is the only copy of the secret: it is shown once and never stored. */
export function newApiKey(pepper: string, environment: Environment): MadeApiKey {
  const lookupId = charsByChance(ID_CHARS);
  const body = `daric_${environment}_sk_${lookupId}_${charsByChance(SECRET_CHARS)}`;
  return { key: body + keyedCheck(pepper, body), lookupId };
}

/** Parses a key; undefined for a wrong shape, or a wrong checksum of an old key. Runs no query. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const match = KEY_PATTERN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  if (isOldApiKey(text) && text.slice(-CHECK_CHARS) !== checksum(text.slice(0, -CHECK_CHARS)))
    return undefined;
  return { environment: match[1] === "live" ? "live" : "test", lookupId: match[2] };
}

/** Whether the key has the older form, whose check can be forged. */
export function isOldApiKey(key: string): boolean {
  return key.length === OLD_LENGTH;
}

/** Whether the key's check fits this pepper; always true for an old key. */
export function mayBeOurs(pepper: string, key: string): boolean {
  if (isOldApiKey(key)) return true;
  const check = Buffer.from(keyedCheck(pepper, key.slice(0, -CHECK_CHARS)));
  return timingSafeEqual(Buffer.from(key.slice(-CHECK_CHARS)), check);
}

/** The public part of a key, by which a leaked key can be found and revoked. */
export function keyPrefix({ environment, lookupId }: ParsedApiKey): string {
  return `daric_${environment}_sk_${lookupId}`;
}

/** The public part of a text; undefined unless it can be a key of this service and environment. Runs no query. */
export function findKeyPrefix(
  text: string,
  { peppers, environment }: { peppers: readonly string[]; environment: Environment },
): string | undefined {
  const parsed = parseApiKey(text);
  if (parsed === undefined) return undefined;
  const isOurs = peppers.some((pepper) => mayBeOurs(pepper, text));
  if (parsed.environment === environment && !isOurs) return undefined;
  return keyPrefix(parsed);
}

/**
 * HMAC-SHA-256 of the key under the pepper. 262 random bits need no slow hash, which would let strangers use up the
 * CPU.
 */
export function hashApiKey(pepper: string, key: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

const UNKNOWN_KEY_HASH = Buffer.alloc(HASH_BYTES);

/** Compares two hashes in constant time. An unknown id is compared with a hash that no key has. */
export function isHashOf(hash: Buffer, storedHash: Uint8Array | undefined): boolean {
  const isEqual = timingSafeEqual(hash, storedHash ?? UNKNOWN_KEY_HASH);
  return isEqual && storedHash !== undefined;
}

function charsByChance(count: number): string {
  return Array.from({ length: count }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
}

/** The hashed text differs from that of the stored hash, so neither reveals the other. */
function keyedCheck(pepper: string, body: string): string {
  const digest = createHmac("sha256", pepper).update(`check of ${body}`).digest();
  return encodeBase62(BigInt(`0x${digest.subarray(0, CHECK_BYTES).toString("hex")}`), CHECK_CHARS);
}

function checksum(body: string): string {
  return encodeBase62(BigInt(crc32(body)), CHECK_CHARS);
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
