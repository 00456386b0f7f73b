import { hash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256: transaction ids, block ids, Merkle nodes and address checksums. */
export function sha256(bytes: Uint8Array): Uint8Array {
  // As text, because Node 20 takes ten times as long to make a buffer of its own for so few bytes.
  return Uint8Array.from(Buffer.from(hash("sha256", bytes, "binary"), "binary"));
}

export function sha256Hex(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

/** Keccak-256 (not SHA3-256): addresses, function selectors and event topics. */
export function keccak256Hex(bytes: Uint8Array): string {
  return bytesToHex(keccak_256(bytes));
}
