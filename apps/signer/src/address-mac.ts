import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether a code proves the issue of an address. It is HMAC-SHA-256 under DARIC_INTEGRITY_KEY over network,
 * index, address, merchant and checkout token, each with its length before it. The service makes the codes.
 * The signer has a copy of the function, so that no code of the service runs beside the seed.
 */
export function isRightMac(key: Uint8Array, issued: readonly (string | number)[], code: Uint8Array): boolean {
  const mac = createHmac("sha256", key);
  for (const part of ["daric address 1", ...issued.map(String)]) {
    mac.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  const right = mac.digest();
  return code.length === right.length && timingSafeEqual(code, right);
}
