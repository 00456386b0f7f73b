import { sha256Hex } from "./hash.ts";

/** The root of an empty block. */
export const EMPTY_ROOT = "0".repeat(64);

const HASH_BYTES = 32;

/**
 * The txTrieRoot over leaf hashes (hex): a binary SHA-256 tree that promotes an odd node unchanged. Source:
 * java-tron MerkleTree; a leaf is the SHA-256 of the whole transaction, signature and result included.
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
