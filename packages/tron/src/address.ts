import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { keccak256Hex, sha256 } from "./hash.ts";

/** First byte of every TRON address; mainnet and the testnets share it. */
const PREFIX_HEX = "41";
const ADDRESS_BYTES = 21;
const CHECKSUM_BYTES = 4;
/** 25 bytes need at most 35 characters; longer text is refused before the quadratic decoding. */
const MAX_ADDRESS_CHARS = 35;
const ADDRESS_HEX = /^41[0-9a-f]{40}$/;

export type AddressProblem = "not_base58" | "wrong_length" | "wrong_checksum" | "wrong_prefix";

/** `address` is the base58check form (`T…`, 34 characters), `hex` the 21-byte form (`41…`, lower case). */
export type ParsedAddress =
  | { readonly ok: true; readonly address: string; readonly hex: string }
  | { readonly ok: false; readonly problem: AddressProblem };

/**
 * Parses a base58check address. Never throws. Case matters and blanks are refused: each address has one valid text.
 */
export function parseAddress(text: string): ParsedAddress {
  const problem = (reason: AddressProblem): ParsedAddress => ({ ok: false, problem: reason });
  if (text.length > MAX_ADDRESS_CHARS) return problem("wrong_length");
  const bytes = decodeBase58(text);
  if (bytes === undefined) return problem("not_base58");
  if (bytes.length !== ADDRESS_BYTES + CHECKSUM_BYTES) return problem("wrong_length");
  const payload = bytes.subarray(0, ADDRESS_BYTES);
  if (bytesToHex(checksum(payload)) !== bytesToHex(bytes.subarray(ADDRESS_BYTES)))
    return problem("wrong_checksum");
  const hex = bytesToHex(payload);
  if (!hex.startsWith(PREFIX_HEX)) return problem("wrong_prefix");
  return { ok: true, address: text, hex };
}

export function isAddress(text: string): boolean {
  return parseAddress(text).ok;
}

/** The 21-byte hex form (`41…`, lower case) of a base58check address. @throws TypeError on anything else. */
export function addressToHex(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed.ok) throw new TypeError(`not a TRON address: ${parsed.problem}`);
  return parsed.hex;
}

/** The base58check form of a 21-byte hex address (`41…`, lower case). @throws TypeError on anything else. */
export function hexToAddress(hex: string): string {
  if (!isAddressHex(hex))
    throw new TypeError("not a TRON address in hex: 41 and 40 lower-case digits expected");
  return addressToBase58(hex);
}

/** The base58check form of any bytes in hex; "" for "", as a node prints an empty field. */
export function addressToBase58(hex: string): string {
  if (hex === "") return "";
  const payload = hexToBytes(hex);
  return base58.encode(concatBytes(payload, checksum(payload)));
}

/** The hex form of an address in either form, or undefined. */
export function addressFromText(text: string): string | undefined {
  const hex = text.toLowerCase();
  if (isAddressHex(hex)) return hex;
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.hex : undefined;
}

export function isAddressHex(hex: string): boolean {
  return ADDRESS_HEX.test(hex);
}

/**
 * The address of a secp256k1 public key (33 or 65 bytes). It is 0x41 and the last 20 bytes of keccak256 over
 * the uncompressed point without its leading 04. @throws Error when the bytes are not a point of the curve.
 */
export function addressFromPublicKey(publicKey: Uint8Array): string {
  return addressFromPoint(secp256k1.Point.fromBytes(publicKey).toBytes(false));
}

/** {@link addressFromPublicKey} for 65 bytes that are known to be a point of the curve. */
export function addressFromPoint(uncompressedPoint: Uint8Array): string {
  return addressToBase58(addressHexFromPoint(uncompressedPoint));
}

export function addressHexFromPoint(uncompressedPoint: Uint8Array): string {
  return addressHexOf(uncompressedPoint.subarray(1));
}

/** The address of a contract by its creating transaction: keccak256(txID ‖ owner), last 20 bytes; in hex. */
export function contractAddress(txId: string, ownerAddress: string): string {
  return addressHexOf(hexToBytes(txId + ownerAddress));
}

function addressHexOf(bytes: Uint8Array): string {
  return PREFIX_HEX + keccak256Hex(bytes).slice(24);
}

function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

function checksum(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}
