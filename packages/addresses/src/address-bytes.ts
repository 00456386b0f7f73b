import { addressToHex } from "@daric/tron/address";

/** The 20 bytes of an address after the prefix that all addresses share. */
export function addressBytes(address: string): Buffer {
  return bytesOfHex(addressToHex(address));
}

/** The 20 bytes of an address in its 21-byte hex form. */
export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}
