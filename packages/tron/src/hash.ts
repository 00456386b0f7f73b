import { hash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export function sha256(bytes: Uint8Array): Uint8Array {
  // The hash comes as text, because Node 20 takes ten times as long to return a small buffer.
  return Uint8Array.from(Buffer.from(hash("sha256", bytes, "binary"), "binary"));
}

export function sha256Hex(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

/** Keccak-256, not SHA3-256. */
export function keccak256Hex(bytes: Uint8Array): string {
  return bytesToHex(keccak_256(bytes));
}
