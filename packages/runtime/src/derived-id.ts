import { hash } from "node:crypto";

/**
 * Derives an id from its parts: equal parts give equal ids. A UUID of version 8 (RFC 9562, section 5.8) with 122
 * bits
 * of SHA-256. Each part is hashed with its length, so lists with the same concatenation differ.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(String(part))}:${part}`).join("");
  const hex = hash("sha256", text, "hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
