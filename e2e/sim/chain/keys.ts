import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { digestOf } from "./bytes.ts";

/** A key that signs, and the address that it makes. */
export type SigningKey = { readonly secret: Uint8Array; readonly addressHex: string };

const known = new Map<string, SigningKey>();

/** The key of a phrase: the same in each run. */
export function keyOf(phrase: string): SigningKey {
  const found = known.get(phrase);
  if (found !== undefined) return found;
  const secret = digestOf(Buffer.from(phrase));
  const point = secp256k1.getPublicKey(secret, false).subarray(1);
  const key = { secret, addressHex: `41${Buffer.from(keccak_256(point)).subarray(12).toString("hex")}` };
  known.set(phrase, key);
  return key;
}

/** 65 bytes in hex: r, s, and which of two points it is, 0 or 1 in blocks and 27 more in transactions. */
export function signature(hash: Uint8Array, key: SigningKey, offset = 0): string {
  const signed = secp256k1.sign(hash, key.secret, { prehash: false, format: "recovered" });
  return Buffer.concat([signed.subarray(1), Buffer.of((signed[0] ?? 0) + offset)]).toString("hex");
}
