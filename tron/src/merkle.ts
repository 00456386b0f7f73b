import { sha256Hex } from "./hash.ts";

/** The root an empty block carries. */
export const EMPTY_ROOT = "0".repeat(64);

const HASH_BYTES = 32;

/**
 * The txTrieRoot over leaf hashes (hex): binary SHA-256 tree, an odd node is promoted unchanged to the next level.
 * Source: java-tron MerkleTree; the leaf of a transaction is the SHA-256 of its whole bytes, signature and
 * result included.
 */
export function merkleRoot(leaves: readonly string[]): string {
  const pair = Buffer.allocUnsafe(2 * HASH_BYTES);
  let level = leaves;
  while (level.length > 1) {
    const above: string[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] ?? "";
      const right = level[at + 1];
      if (right === undefined) {
        above.push(left);
      } else {
        pair.write(left + right, "hex");
        above.push(sha256Hex(pair));
      }
    }
    level = above;
  }
  return level[0] ?? EMPTY_ROOT;
}
