import {
  blockId,
  headerHash,
  type MinedTransaction,
  type TronBlock,
  type TronBlockHeader,
  transactionRoot,
} from "@daric/tron/block";
import { encodeTransaction, type TronTransaction } from "@daric/tron/transaction";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { executeTransaction } from "../ledger/execute-transaction.ts";
import { MAX_BLOCK_BYTES, RESULT_BYTES } from "../ledger/limits.ts";
import { applySettings, type SettingValues } from "../ledger/settings.ts";
import { type Overlay, overlayOn, type StateReader } from "../ledger/state.ts";
import type { TransactionOutcome } from "../ledger/transaction-info.ts";
import type { ExecutedBlock } from "./block-record.ts";
import { signPublicly } from "./sign-publicly.ts";
import type { Witness } from "./witnesses.ts";

/** Block version of mainnet's headers in 2026. */
const BLOCK_VERSION = 36;

export type BlockPlan = {
  readonly parentId: string;
  /** milliseconds */
  readonly parentTimeMs: number;
  readonly number: number;
  /** milliseconds, the beginning of a slot */
  readonly timestamp: number;
  readonly witness: Witness;
  /** applied before the first transaction */
  readonly settings: SettingValues;
  readonly transactions: readonly TronTransaction[];
  /** transactions to include as failures */
  readonly mustFail?: ReadonlySet<string>;
};

/** Executes the planned transactions and seals those that can run into a signed block. Others are left out. */
export function produceBlock(parentState: StateReader, plan: BlockPlan): ExecutedBlock {
  const state = overlayOn(parentState);
  applySettings(state, plan.settings, plan.parentTimeMs);
  const transactions: MinedTransaction[] = [];
  const outcomes: TransactionOutcome[] = [];
  let bytes = 0;
  for (const transaction of plan.transactions) {
    bytes += encodeTransaction(transaction).length + RESULT_BYTES;
    if (bytes > MAX_BLOCK_BYTES) break;
    const outcome = tryExecute(state, transaction, plan);
    if (outcome === undefined) continue;
    transactions.push({ transaction, contractRet: outcome.contractRet });
    outcomes.push(outcome);
  }
  return { block: sealBlock(plan, transactions), outcomes, changes: state.changes };
}

function tryExecute(
  state: Overlay,
  transaction: TronTransaction,
  plan: BlockPlan,
): TransactionOutcome | undefined {
  try {
    const mustFail = plan.mustFail?.has(transaction.txId) ?? false;
    return executeTransaction(state, transaction, { nowMs: plan.parentTimeMs, mustFail });
  } catch (error) {
    if (error instanceof BroadcastRefusal) return undefined;
    throw error;
  }
}

function sealBlock(plan: BlockPlan, transactions: readonly MinedTransaction[]): TronBlock {
  const header: TronBlockHeader = {
    timestamp: plan.timestamp,
    txTrieRoot: transactionRoot(transactions),
    parentHash: plan.parentId,
    number: plan.number,
    witnessId: 0,
    witnessAddress: plan.witness.address,
    version: BLOCK_VERSION,
    accountStateRoot: "",
  };
  return {
    id: blockId(header),
    header,
    witnessSignature: signPublicly(headerHash(header), plan.witness.signer.privateKey),
    transactions,
  };
}
