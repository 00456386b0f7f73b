import type { VerifiedTip } from "./context.ts";
import type { SweepTransaction } from "./sweep-store.ts";

/**
 * Where a transaction stands, by the signer's answer and by blocks that the watcher has verified; no node is asked.
 *
 * - unsigned: the signer has not answered
 * - signed: it has, and its bytes are not stored yet
 * - refused: for good
 * - live: its bytes are stored; it may land or expire
 * - included: a verified block has it
 * - expired: it can land no more. A block takes no transaction that expires up to the time of the block before, and none up to the
 *   verified one has it
 */
export type Standing = "unsigned" | "signed" | "refused" | "live" | "included" | "expired";

export function transactionStanding(transaction: SweepTransaction, verified: VerifiedTip): Standing {
  const { txId, signedBytes, refusal, blockNumber, expiresAt } = transaction;
  const isOver = verified.time >= expiresAt;
  if (txId !== null) {
    if (blockNumber !== null && blockNumber <= verified.number) return "included";
    return isOver ? "expired" : "live";
  }
  if (refusal !== null) return "refused";
  if (isOver) return "expired";
  return signedBytes === null ? "unsigned" : "signed";
}
