import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";

/** First byte of every TRON address, on mainnet and on the testnets alike: an address does not tell its network. */
const ADDRESS_PREFIX = 0x41;
const ADDRESS_BYTES = 21;
const CHECKSUM_BYTES = 4;
/** 25 bytes need at most 35 characters; anything longer is refused before the quadratic decoding. */
const MAX_ADDRESS_CHARS = 35;
const ADDRESS_HEX = /^41[0-9a-f]{40}$/;

/** Why a text is not a TRON address. */
export type AddressProblem = "not_base58" | "wrong_length" | "wrong_checksum" | "wrong_prefix";

/** `address` is the base58check form (`T…`, 34 characters), `hex` the 21-byte form (`41…`, lower case). */
export type ParsedAddress =
  | { readonly ok: true; readonly address: string; readonly hex: string }
  | { readonly ok: false; readonly problem: AddressProblem };

/**
 * Reads a base58check TRON address. Never throws. Case matters and surrounding blanks are not forgiven:
 * the text that passes is the only text of that address.
 */
export function parseAddress(text: string): ParsedAddress {
  const problem = (reason: AddressProblem): ParsedAddress => ({ ok: false, problem: reason });
  if (text.length > MAX_ADDRESS_CHARS) return problem("wrong_length");
  const bytes = decodeBase58(text);
  if (bytes === undefined) return problem("not_base58");
  if (bytes.length !== ADDRESS_BYTES + CHECKSUM_BYTES) return problem("wrong_length");
  const payload = bytes.subarray(0, ADDRESS_BYTES);
  if (!checksum(payload).equals(bytes.subarray(ADDRESS_BYTES))) return problem("wrong_checksum");
  if (payload[0] !== ADDRESS_PREFIX) return problem("wrong_prefix");
  return { ok: true, address: text, hex: Buffer.from(payload).toString("hex") };
}

/** True for a base58check TRON address with the right checksum and prefix. */
export function isAddress(text: string): boolean {
  return parseAddress(text).ok;
}

/** The 21-byte hex form (`41…`, lower case) of a base58check address; throws a TypeError on anything else. */
export function addressToHex(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed.ok) throw new TypeError(`not a TRON address: ${parsed.problem}`);
  return parsed.hex;
}

/** The base58check form of a 21-byte hex address (`41…`, lower case); throws a TypeError on anything else. */
export function hexToAddress(hex: string): string {
  if (!isAddressHex(hex))
    throw new TypeError("not a TRON address in hex: 41 and 40 lower-case digits expected");
  return encodeAddress(Buffer.from(hex, "hex"));
}

/** True for the 21-byte hex form that nodes print with `visible=false`: `41` and 40 lower-case digits. */
export function isAddressHex(hex: string): boolean {
  return ADDRESS_HEX.test(hex);
}

/**
 * The address of a secp256k1 public key (33 or 65 bytes): 0x41 and the last 20 bytes of keccak256 over the
 * uncompressed point without its leading 04. Throws when the bytes are not a point of the curve.
 */
export function addressFromPublicKey(publicKey: Uint8Array): string {
  return addressFromPoint(secp256k1.Point.fromBytes(publicKey).toBytes(false));
}

/** {@link addressFromPublicKey} for the 65 bytes of a point already known to be on the curve. */
export function addressFromPoint(uncompressedPoint: Uint8Array): string {
  const digest = keccak_256(uncompressedPoint.subarray(1));
  return encodeAddress(Buffer.concat([Uint8Array.of(ADDRESS_PREFIX), digest.subarray(12)]));
}

function encodeAddress(payload: Buffer): string {
  return base58.encode(Buffer.concat([payload, checksum(payload)]));
}

function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

function checksum(payload: Uint8Array): Buffer {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
