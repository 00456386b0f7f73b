import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { digestOf } from "./bytes.ts";

const { Point } = secp256k1;
const { Fn } = Point;

/** A key with its address. */
export type SigningKey = { readonly addressHex: string; readonly secret: bigint; readonly nonce: Nonce };

/** The precomputed part of a signature: its first half, the inverse, and the recovery id. */
type Nonce = { readonly r: bigint; readonly inverse: bigint; readonly recovery: number };

const known = new Map<string, SigningKey>();

/** The key of a phrase: the same in each run. */
export function keyOf(phrase: string): SigningKey {
  const found = known.get(phrase);
  if (found !== undefined) return found;
  const secret = scalarOf(phrase);
  const point = Point.BASE.multiply(secret).toBytes(false).subarray(1);
  const addressHex = `41${Buffer.from(keccak_256(point)).subarray(12).toString("hex")}`;
  const key = { addressHex, secret, nonce: nonceOf(scalarOf(`${phrase}, once`)) };
  known.set(phrase, key);
  return key;
}

/**
 * 65 bytes in hex: r, s, and the recovery id, 0 or 1 in blocks and 27 more in transactions. A key reuses one
 * nonce, which saves the curve arithmetic and would reveal a real secret.
 */
export function signature(hash: Uint8Array, { secret, nonce }: SigningKey, offset = 0): string {
  const { r, inverse, recovery } = nonce;
  const message = Fn.create(BigInt(`0x${Buffer.from(hash).toString("hex")}`));
  const s = Fn.mul(inverse, Fn.add(message, Fn.mul(r, secret)));
  const isHigh = s > Fn.ORDER >> 1n;
  const last = Buffer.of((isHigh ? recovery ^ 1 : recovery) + offset).toString("hex");
  return word(r) + word(isHigh ? Fn.neg(s) : s) + last;
}

function scalarOf(phrase: string): bigint {
  return Fn.create(BigInt(`0x${digestOf(Buffer.from(phrase)).toString("hex")}`));
}

function nonceOf(scalar: bigint): Nonce {
  const { x, y } = Point.BASE.multiply(scalar).toAffine();
  return { r: Fn.create(x), inverse: Fn.inv(scalar), recovery: Number(y & 1n) };
}

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
