import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { keccak256Hex, sha256 } from "./hash.ts";

/** Inside the chain an address is 42 lower-case hex digits: the byte 41, then 20 bytes. */
const ADDRESS_HEX = /^41[0-9a-f]{40}$/;
const ADDRESS_BYTES = 21;
const CHECKSUM_BYTES = 4;

/** Whether the text is a 21-byte TRON address in lower-case hex. */
export function isAddressHex(text: string): boolean {
  return ADDRESS_HEX.test(text);
}

/** Base58check (T…) form of a 21-byte hex address; "" for anything else, as a node prints an empty field. */
export function addressToBase58(hex: string): string {
  if (hex === "") return "";
  const payload = hexToBytes(hex);
  return base58.encode(concatBytes(payload, checksum(payload)));
}

/** The hex form of a base58check address, or undefined when length, prefix or checksum is wrong. */
export function addressFromBase58(text: string): string | undefined {
  const decoded = decodeBase58(text);
  if (decoded === undefined || decoded.length !== ADDRESS_BYTES + CHECKSUM_BYTES) return undefined;
  const payload = decoded.subarray(0, ADDRESS_BYTES);
  const hex = bytesToHex(payload);
  const isIntact = bytesToHex(checksum(payload)) === bytesToHex(decoded.subarray(ADDRESS_BYTES));
  return isIntact && isAddressHex(hex) ? hex : undefined;
}

/** The hex form of an address written in either form, or undefined: hex and base58check cannot be confused. */
export function addressFromText(text: string): string | undefined {
  const hex = text.toLowerCase();
  return isAddressHex(hex) ? hex : addressFromBase58(text);
}

/** 41 followed by the last 20 bytes of keccak256 of the uncompressed public key without its leading 04. */
export function addressOfPublicKey(uncompressed: Uint8Array): string {
  return `41${keccak256Hex(uncompressed.subarray(1)).slice(24)}`;
}

/** The address a contract gets from the transaction that creates it: keccak256(txID ‖ owner), last 20 bytes. */
export function contractAddress(txId: string, ownerAddress: string): string {
  return `41${keccak256Hex(hexToBytes(txId + ownerAddress)).slice(24)}`;
}

function checksum(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}
