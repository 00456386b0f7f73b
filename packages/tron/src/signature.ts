import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { addressHexFromPoint } from "./address.ts";
import { sha256Hex } from "./hash.ts";
import type { CurvePoint } from "./multiples-table.ts";

type Signature = InstanceType<typeof secp256k1.Signature>;

/** A key pair of the devnet; both in hex. */
export type KeyPair = {
  readonly privateKey: string;
  readonly address: string;
};

/** A public key pair: the SHA-256 of a phrase. Every devnet has the same ones, and they protect nothing. */
export function keyPairFromPhrase(phrase: string): KeyPair {
  const privateKey = sha256Hex(utf8ToBytes(phrase));
  return { privateKey, address: addressHexFromPoint(secp256k1.getPublicKey(hexToBytes(privateKey), false)) };
}

/** Signs a 32-byte hash: 65 bytes r ‖ s ‖ recovery id (0 or 1), as hex. Deterministic (RFC 6979), low s. */
export function signHash(hashHex: string, privateKey: string): string {
  const signature = secp256k1.sign(hexToBytes(hashHex), hexToBytes(privateKey), {
    prehash: false,
    format: "recovered",
  });
  return bytesToHex(concatBytes(signature.subarray(1), signature.subarray(0, 1)));
}

/**
 * The address that signed a 32-byte hash, or undefined. The last byte may be 0/1 or 27/28; nodes accept up to three
 * more bytes.
 */
export function recoverSigner(hashHex: string, signatureHex: string): string | undefined {
  const point = recoverPoint(hashHex, signatureHex);
  return point && addressHexFromPoint(point.toBytes(false));
}

export function recoverPoint(hashHex: string, signatureHex: string): CurvePoint | undefined {
  const signature = readSignature(signatureHex);
  try {
    return signature?.recoverPublicKey(hexToBytes(hashHex));
  } catch {
    return undefined;
  }
}

/** Parses r and s, both from 1 to below the order of the curve, and the recovery id 0 to 3; otherwise undefined. */
export function readSignature(signatureHex: string): Signature | undefined {
  const signature = hexToBytes(signatureHex);
  if (signature.length < 65 || signature.length > 68) return undefined;
  const v = signature[64] ?? 0;
  const recovered = concatBytes(Uint8Array.of(v >= 27 ? v - 27 : v), signature.subarray(0, 64));
  try {
    return secp256k1.Signature.fromBytes(recovered, "recovered");
  } catch {
    return undefined;
  }
}
