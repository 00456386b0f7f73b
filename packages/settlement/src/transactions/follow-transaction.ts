import type { VerifiedTip } from "../context.ts";
import type { SettlementTransaction } from "./transaction-store.ts";

/**
 * The state of a transaction, by the signer's answer and by blocks that the watcher has verified. No node is called.
 *
 * - unsigned: the signer has not answered
 * - signed: the signer has answered, and the bytes are not stored yet
 * - refused: the signer has refused for good
 * - live: its bytes are stored; it may land or expire
 * - included: a verified block has it
 * - expired: it cannot land any more. No verified block has it, and the next block is later than its expiration
 */
export type Standing = "unsigned" | "signed" | "refused" | "live" | "included" | "expired";

export function transactionStanding(transaction: SettlementTransaction, verified: VerifiedTip): Standing {
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
