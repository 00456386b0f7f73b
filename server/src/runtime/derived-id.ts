import { createHash } from "node:crypto";

/**
 * The id that is a function of these parts: whoever derives it, whenever, gets the same, and other parts get another.
 * A UUID of version 8 (RFC 9562, section 5.8) of 122 bits of SHA-256; every part is hashed with its length before it,
 * so that no two lists of parts run into each other.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = Buffer.from(String(part));
    hash.update(`${bytes.length}:`).update(bytes);
  }
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
