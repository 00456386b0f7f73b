import { hashTransaction } from "@daric/tron/hash-transaction";
import { merkleRoot } from "@daric/tron/merkle";
import type { ToldBlock } from "./parse-block.ts";

/**
 * What keeps a block's transactions from being those that its id covers; undefined when nothing does. Each id must be
 * the hash of the bytes that the transaction was read from, and the txTrieRoot that of all transactions with their
 * signatures and results. A transaction is named where it is known to be the one.
 */
export function findUnproven({ transactions, txTrieRoot }: ToldBlock): string | undefined {
  const leaves: string[] = [];
  for (const { txId, rawHex, signatures, results, contractRet } of transactions) {
    if (results === undefined) return `transaction ${txId} ended with ${contractRet}, which is not known`;
    const hashes = hashTransaction({ rawHex, signatures, results });
    if (hashes === undefined) return `transaction ${txId} has parts that are not hex`;
    if (hashes.txId !== txId) return `transaction ${txId} has the bytes of ${hashes.txId}`;
    leaves.push(hashes.leaf);
  }
  return merkleRoot(leaves) === txTrieRoot
    ? undefined
    : `its ${transactions.length} transactions with their results are not those of its txTrieRoot`;
}
