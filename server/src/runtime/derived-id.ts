import { hash } from "node:crypto";

/**
 * Derives an id from its parts: equal parts give equal ids. A UUID of version 8 (RFC 9562, section 5.8) with 122
 * bits
 * of SHA-256. Each part is hashed with its length, so lists with the same concatenation differ.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(String(part))}:${part}`).join("");
  const bytes = hash("sha256", text, "buffer").subarray(0, 16);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
