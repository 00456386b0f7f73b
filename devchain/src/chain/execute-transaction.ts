import type { TronTransaction } from "@daric/tron/transaction";
import { type BandwidthBill, chargeBandwidth } from "./bandwidth.ts";
import { BroadcastRefusal } from "./broadcast-refusal.ts";
import { MEMO_FEE } from "./chain-parameters.ts";
import type { ContractEffect, ExecutionContext } from "./contract-effect.ts";
import { executeTransfer } from "./execute-transfer.ts";
import { executeTrigger } from "./execute-trigger.ts";
import { addBalance, mergeChanges, type Overlay, overlayOn, type StateWriter } from "./state.ts";
import type { TransactionOutcome } from "./transaction-info.ts";
import { runnableContract } from "./validate-transaction.ts";

/**
 * Runs a transaction on a state. Charges bandwidth and memo first, then moves TRX or calls the contract; a
 * failed contract call stays in the block and keeps its fees.
 *
 * @throws BroadcastRefusal, with the state untouched, when the transaction cannot be in a block at all.
 */
export function executeTransaction(
  state: Overlay,
  transaction: TronTransaction,
  context: ExecutionContext,
): TransactionOutcome {
  const session = overlayOn(state);
  const contract = runnableContract(transaction);
  const activates = contract.kind === "transfer" && session.account(contract.toAddress) === undefined;
  const { ownerAddress } = contract;
  const bill = chargeBandwidth(session, transaction, { ownerAddress, timeMs: context.timeMs, activates });
  const memoFee = chargeMemo(session, transaction, ownerAddress);
  const effect =
    contract.kind === "transfer"
      ? executeTransfer(session, contract, context)
      : executeTrigger(session, contract, { ...context, feeLimit: transaction.raw.feeLimit });
  mergeChanges(state.changes, session.changes);
  return completeOutcome(transaction, effect, { bill, memoFee });
}

function chargeMemo(state: StateWriter, transaction: TronTransaction, ownerAddress: string): bigint {
  if (transaction.raw.data === "") return 0n;
  const balance = state.account(ownerAddress)?.balance ?? 0n;
  if (balance < MEMO_FEE) throw new BroadcastRefusal("BANDWITH_ERROR", "needs the memo fee");
  addBalance(state, ownerAddress, -MEMO_FEE);
  return MEMO_FEE;
}

function completeOutcome(
  transaction: TronTransaction,
  { energy, energyPenalty, ...effect }: ContractEffect,
  { bill, memoFee }: { bill: BandwidthBill; memoFee: bigint },
): TransactionOutcome {
  const isCall = effect.contractAddress !== "";
  return {
    ...effect,
    txId: transaction.txId,
    fee: effect.fee + bill.netFee + memoFee,
    receipt: {
      energyUsageTotal: energy,
      energyPenaltyTotal: energyPenalty,
      energyFee: isCall ? effect.fee : 0n,
      netUsage: bill.netUsage,
      netFee: bill.netFee,
      result: isCall ? effect.contractRet : undefined,
    },
  };
}
