import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { sha256 } from "./hash.ts";

/** The root an empty block carries. */
export const EMPTY_ROOT = "0".repeat(64);

/**
 * The txTrieRoot over leaf hashes: binary SHA-256 tree, an odd node is promoted unchanged to the next level.
 * Source: java-tron MerkleTree; the leaf of a transaction is the SHA-256 of its whole bytes, signature and
 * result included.
 */
export function merkleRoot(leaves: readonly Uint8Array[]): string {
  let level = leaves;
  while (level.length > 1) level = parents(level);
  const root = level[0];
  return root === undefined ? EMPTY_ROOT : bytesToHex(root);
}

function parents(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = level.slice(at, at + 2);
    if (left !== undefined) above.push(right === undefined ? left : sha256(concatBytes(left, right)));
  }
  return above;
}
