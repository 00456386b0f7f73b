import { CONTRACT_SHAPES, type ShapedContract } from "@daric/tron/contract-shapes";
import { type TronTransaction, transactionFromRaw } from "@daric/tron/transaction";
import { DEFAULT_EXPIRATION_MS } from "../ledger/limits.ts";
import { headTimeMs, type LocalChain, solidOf } from "./chain.ts";

export type BuildOptions = {
  readonly permissionId?: number;
  /** hex */
  readonly memo?: string;
  /** sun */
  readonly feeLimit?: bigint;
};

/**
 * Builds an unsigned transaction as a node does: it refers to the solid block and expires a minute after the
 * head's time. Its timestamp is the wall clock's, moved forward until no waiting transaction has the same bytes.
 */
export function buildTransaction(
  chain: LocalChain,
  value: ShapedContract,
  { permissionId = 0, memo = "", feeLimit = 0n }: BuildOptions = {},
): TronTransaction {
  const solid = solidOf(chain);
  const { type } = CONTRACT_SHAPES[value.kind];
  const raw = {
    refBlockBytes: solid.toString(16).padStart(16, "0").slice(12, 16),
    refBlockHash: chain.store.ids[solid]?.slice(16, 32) ?? "",
    expiration: BigInt(headTimeMs(chain) + DEFAULT_EXPIRATION_MS),
    data: memo,
    contracts: [{ type, permissionId, value }],
    timestamp: BigInt(chain.now()),
    feeLimit,
  };
  let transaction = transactionFromRaw(raw);
  while (chain.pool.has(transaction.txId)) {
    raw.timestamp += 1n;
    transaction = transactionFromRaw(raw);
  }
  return transaction;
}
