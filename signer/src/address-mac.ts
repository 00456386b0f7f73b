import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether a code says that an address was issued so: HMAC-SHA-256 under DARIC_INTEGRITY_KEY over network, index, address,
 * merchant and checkout token, each with its length before it. The service makes the codes; the signer has the function again,
 * so that nothing of the service runs beside the seed.
 */
export function isRightMac(key: Uint8Array, issued: readonly (string | number)[], code: Uint8Array): boolean {
  const mac = createHmac("sha256", key);
  for (const part of ["daric address 1", ...issued.map(String)]) {
    mac.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  const right = mac.digest();
  return code.length === right.length && timingSafeEqual(code, right);
}
