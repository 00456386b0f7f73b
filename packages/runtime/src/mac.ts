import { createHmac, timingSafeEqual } from "node:crypto";

/** The kind of row that a MAC covers. The names are part of the MAC and must not change. */
export type MacKind = "address" | "event" | "person" | "message" | "alert";

/** HMAC-SHA-256 under the integrity key: 32 bytes, about 3 µs. Kind and parts are hashed with their lengths. */
export function macOf(key: Buffer, kind: MacKind, parts: readonly (string | number | Buffer)[]): Buffer {
  const mac = createHmac("sha256", key);
  let text = "";
  for (const part of [`daric ${kind} 1`, ...parts]) {
    if (Buffer.isBuffer(part)) {
      mac.update(`${text}${part.length}:`).update(part);
      text = "";
    } else text += `${Buffer.byteLength(String(part))}:${part}`;
  }
  return mac.update(text).digest();
}

/** Compares two MACs in constant time. */
export function isSameMac(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

const PEPPER_ID_BYTES = 8;

/** Names the pepper under which a row was made, and reveals nothing of it. */
export function pepperIdOf(pepper: string): Buffer {
  return createHmac("sha256", pepper).update("daric id of the pepper").digest().subarray(0, PEPPER_ID_BYTES);
}
