/** The generator of secp256k1, whose y is even, and the order of the curve. */
const GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Signs a 32-byte hash like `signHash`, a hundred times as fast, with the nonce 1: a signature reveals the private
 * key. Use it only for keys that are public anyway, such as the devnet's.
 */
export function signPublicly(hashHex: string, privateKey: string): string {
  const s = (BigInt(`0x${hashHex}`) + GENERATOR_X * BigInt(`0x${privateKey}`)) % ORDER;
  // Nodes accept the lower one of two equal signatures.
  const isHigh = s > ORDER / 2n;
  const hex = (value: bigint) => value.toString(16).padStart(64, "0");
  return `${hex(GENERATOR_X)}${hex(isHigh ? ORDER - s : s)}${isHigh ? "01" : "00"}`;
}
