import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment } from "../domain/api-scope.ts";

/*
 * daric_<environment>_sk_<id>_<secret><check>: 16 + 44 + 6 characters of base62. The id is what the database is asked for, the
 * secret is 44 characters by chance (262 bits), and the check is an HMAC under the pepper of everything before it: a key that
 * was not made here is refused without a query. In keys from before, of 43 + 6, it is a CRC-32: it finds a slip
 * of the hand, and anybody can compute it.
 */

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARS = 16;
const SECRET_CHARS = 44;
/** 62^6 > 2^32 */
const CHECK_CHARS = 6;
/** Of what the check is made of, which is more than it has room for. */
const CHECK_BYTES = 8;
const HASH_BYTES = 32;

const KEY_PATTERN = /^daric_(live|test)_sk_([0-9A-Za-z]{16})_[0-9A-Za-z]{49,50}$/;
const OLD_LENGTH = "daric_test_sk_".length + ID_CHARS + 1 + 49;

/** What the text of a key says of itself. Nothing of it is proven yet. */
export type ParsedApiKey = { readonly environment: Environment; readonly lookupId: string };

/** The text of a key, and the id to look it up with. */
type MadeApiKey = { readonly key: string; readonly lookupId: string };

/** A new key of this environment. `key` is the only copy of the secret: it is shown once and never stored. */
export function newApiKey(pepper: string, environment: Environment): MadeApiKey {
  const lookupId = charsByChance(ID_CHARS);
  const body = `daric_${environment}_sk_${lookupId}_${charsByChance(SECRET_CHARS)}`;
  return { key: body + keyedCheck(pepper, body), lookupId };
}

/** Reads a key, or undefined where the text cannot be one: wrong shape, or in an old key a wrong checksum. Asks nobody. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const match = KEY_PATTERN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  if (isOldApiKey(text) && text.slice(-CHECK_CHARS) !== checksum(text.slice(0, -CHECK_CHARS)))
    return undefined;
  return { environment: match[1] === "live" ? "live" : "test", lookupId: match[2] };
}

/** Whether a key is of the form from before, which anybody can make up: to tell it from junk costs a look-up. */
export function isOldApiKey(key: string): boolean {
  return key.length === OLD_LENGTH;
}

/** Whether a key may have been made under this pepper: of an old one that is not known before it is looked up. */
export function mayBeOurs(pepper: string, key: string): boolean {
  if (isOldApiKey(key)) return true;
  const check = Buffer.from(keyedCheck(pepper, key.slice(0, -CHECK_CHARS)));
  return timingSafeEqual(Buffer.from(key.slice(-CHECK_CHARS)), check);
}

/** The part of a key that is no secret: by it a key that turns up somewhere is found and revoked. */
export function keyPrefix({ environment, lookupId }: ParsedApiKey): string {
  return `daric_${environment}_sk_${lookupId}`;
}

/** The same of a text, or undefined where it cannot be a key, or none of this environment that was made here. Asks nobody. */
export function findKeyPrefix(
  text: string,
  { pepper, environment }: { pepper: string; environment: Environment },
): string | undefined {
  const parsed = parseApiKey(text);
  if (parsed === undefined) return undefined;
  if (parsed.environment === environment && !mayBeOurs(pepper, text)) return undefined;
  return keyPrefix(parsed);
}

/**
 * HMAC-SHA-256 of the whole key under the server's pepper: 32 bytes. A fast hash is right here, because a secret of
 * 256 random bits and more cannot be searched for, and a slow one would let strangers spend our processor.
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

function charsByChance(count: number): string {
  return Array.from({ length: count }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
}

/** Of other words than the hash that is stored, so that neither says anything of the other. */
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
