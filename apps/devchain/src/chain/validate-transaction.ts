import { encodeTransaction, type RawData, type TronTransaction } from "@daric/tron/transaction";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { runnableContract } from "../ledger/execute-transaction.ts";
import { MAX_EXPIRATION_MS, MAX_TRANSACTION_BYTES, RESULT_BYTES, SLOT_MS } from "../ledger/limits.ts";
import { validateSignatures } from "../ledger/permissions.ts";
import type { StateReader } from "../ledger/state.ts";

export type ChainFacts = {
  readonly state: StateReader;
  /** block time of the head, milliseconds */
  readonly headTimeMs: number;
  /** the id of the newest block with a number that ends in these two bytes */
  blockIdByReference(refBlockBytes: string): string | undefined;
  isKnown(txId: string): boolean;
};

/**
 * Checks signature, reference block, size, expiration and repetition. Source: java-tron Manager.pushTransaction and
 * processTransaction.
 * @throws BroadcastRefusal for the first broken rule.
 */
export function validateTransaction(transaction: TronTransaction, facts: ChainFacts): void {
  if (facts.isKnown(transaction.txId)) throw new BroadcastRefusal("DUP_TRANSACTION_ERROR", "");
  runnableContract(transaction);
  validateSignatures(facts.state, transaction);
  validateReference(transaction, facts);
  if (encodeTransaction(transaction).length + RESULT_BYTES > MAX_TRANSACTION_BYTES) {
    throw new BroadcastRefusal("TOO_BIG_TRANSACTION_ERROR", "");
  }
  validateExpiration(transaction, facts.headTimeMs);
}

function validateReference({ raw }: TronTransaction, facts: ChainFacts): void {
  const id = facts.blockIdByReference(raw.refBlockBytes);
  if (id?.slice(16, 32) !== raw.refBlockHash) throw new BroadcastRefusal("TAPOS_ERROR", "");
}

/** Valid from the block of the next slot on, and for at most a day. */
function validateExpiration({ raw }: TronTransaction, headTimeMs: number): void {
  if (isExpired(raw, headTimeMs) || raw.expiration > BigInt(headTimeMs + MAX_EXPIRATION_MS)) {
    throw new BroadcastRefusal("TRANSACTION_EXPIRATION_ERROR", "");
  }
}

/** Whether a transaction is too late for the next block. Source: java-tron checkExpiration. */
export function isExpired({ expiration }: Pick<RawData, "expiration">, headTimeMs: number): boolean {
  return expiration < BigInt(headTimeMs + SLOT_MS);
}
