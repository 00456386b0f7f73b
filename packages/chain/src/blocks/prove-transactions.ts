import { hashTransaction } from "@daric/tron/hash-transaction";
import { merkleRoot } from "@daric/tron/merkle";
import type { BlockFault } from "./block-fault.ts";
import type { ProvableBlock } from "./parse-block.ts";

/** Why the header does not prove the transactions, if so: ids must be hashes of the bytes, and the root that of all results. */
export function findUnproven({ transactions, txTrieRoot }: ProvableBlock): BlockFault | undefined {
  const leaves: string[] = [];
  let unknown: BlockFault | undefined;
  for (const { txId, rawHex, signatures, results, contractRet } of transactions) {
    const hashes = hashTransaction({ rawHex, signatures, results: results ?? [] });
    if (hashes === undefined) return { reason: `transaction ${txId} has parts that are not hex` };
    if (hashes.txId !== txId) return { reason: `transaction ${txId} has the bytes of ${hashes.txId}` };
    if (results === undefined) {
      const reason = `transaction ${txId} ended with ${contractRet}, which is not known`;
      unknown ??= { check: "root", reason };
    }
    leaves.push(hashes.leaf);
  }
  if (unknown !== undefined) return unknown;
  if (merkleRoot(leaves) === txTrieRoot) return undefined;
  const reason = `its ${transactions.length} transactions with their results are not those of its txTrieRoot`;
  return { check: "root", reason };
}
