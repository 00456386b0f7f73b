import { hash } from "node:crypto";

/** The root an empty block carries. */
export const EMPTY_ROOT = "0".repeat(64);

const HASH_BYTES = 32;

/**
 * The txTrieRoot over leaf hashes: binary SHA-256 tree, an odd node is promoted unchanged to the next level.
 * Source: java-tron MerkleTree; the leaf of a transaction is the SHA-256 of its whole bytes, signature and
 * result included.
 */
export function merkleRoot(leaves: readonly Uint8Array[]): string {
  if (leaves.length === 0) return EMPTY_ROOT;
  // Each level is written over the one below it, whose pairs lie side by side already.
  const level = Buffer.concat(leaves);
  for (let count = leaves.length; count > 1; count = Math.ceil(count / 2)) {
    for (let at = 0; at < count; at += 2) {
      const start = at * HASH_BYTES;
      const node =
        at + 1 < count
          ? hash("sha256", level.subarray(start, start + 2 * HASH_BYTES), "buffer")
          : level.subarray(start, start + HASH_BYTES);
      level.set(node, start / 2);
    }
  }
  return level.toString("hex", 0, HASH_BYTES);
}
