import type { ShapedContract } from "@daric/tron/contract-shapes";
import { contractTypeName } from "@daric/tron/contract-types";
import type { TronTransaction } from "@daric/tron/transaction";
import { type BandwidthBill, chargeBandwidth } from "./bandwidth.ts";
import { BroadcastRefusal, contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter, type ParameterName } from "./chain-parameters.ts";
import type { ContractEffect, ExecutionContext } from "./contract-effect.ts";
import { executeTrigger } from "./execute-trigger.ts";
import { validateSignatures } from "./permissions.ts";
import { addBalance, mergeChanges, type Overlay, overlayOn, type StateWriter } from "./state.ts";
import { executeSystemContract } from "./system-contracts.ts";
import type { TransactionOutcome } from "./transaction-info.ts";

/**
 * Executes a transaction: checks signatures, charges bandwidth, further signatures and memo, then runs its
 * contract. A failed call stays in the block and keeps its fees.
 * @throws BroadcastRefusal, with the state untouched, when the transaction cannot be in a block.
 */
export function executeTransaction(
  state: Overlay,
  transaction: TronTransaction,
  context: ExecutionContext,
): TransactionOutcome {
  const session = overlayOn(state);
  const contract = runnableContract(transaction);
  validateSignatures(session, transaction);
  const { ownerAddress } = contract;
  const activates = contract.kind === "transfer" && session.account(contract.toAddress) === undefined;
  const bill = chargeBandwidth(session, transaction, { ownerAddress, nowMs: context.nowMs, activates });
  const extras =
    (transaction.signatures.length > 1 ? chargeExtra(session, ownerAddress, "getMultiSignFee") : 0n) +
    (transaction.raw.data !== "" ? chargeExtra(session, ownerAddress, "getMemoFee") : 0n);
  const effect =
    contract.kind === "trigger"
      ? executeTrigger(session, contract, { ...context, feeLimit: transaction.raw.feeLimit })
      : executeSystemContract(session, contract, context);
  mergeChanges(state.changes, session.changes);
  return completeOutcome(transaction, effect, { bill, extras });
}

/** The one contract of a transaction. @throws BroadcastRefusal for none, for several, and for an unsupported type. */
export function runnableContract(transaction: TronTransaction): ShapedContract {
  const [contract, ...others] = transaction.raw.contracts;
  if (contract === undefined) throw new BroadcastRefusal("SIGERROR", "miss sig or contract");
  if (others.length > 0) throw contractRefusal("act size should be exactly 1, this is extend feature");
  if (contract.value.kind === "opaque") {
    throw contractRefusal(`${contractTypeName(contract.type)} is not supported by this chain`);
  }
  return contract.value;
}

/** Burns a fee that is not for bytes; returns it in sun. */
function chargeExtra(state: StateWriter, ownerAddress: string, name: ParameterName): bigint {
  const fee = chainParameter(state, name);
  const balance = state.account(ownerAddress)?.balance ?? 0n;
  if (balance < fee) throw new BroadcastRefusal("BANDWITH_ERROR", `needs ${fee} sun for ${name}`);
  addBalance(state, ownerAddress, -fee);
  return fee;
}

function completeOutcome(
  transaction: TronTransaction,
  { energy, ...effect }: ContractEffect,
  { bill, extras }: { readonly bill: BandwidthBill; readonly extras: bigint },
): TransactionOutcome {
  return {
    ...effect,
    txId: transaction.txId,
    fee: effect.fee + energy.fee + bill.netFee + extras,
    receipt: {
      energyUsage: energy.usage,
      energyUsageTotal: energy.total,
      energyPenaltyTotal: energy.penalty,
      energyFee: energy.fee,
      netUsage: bill.netUsage,
      netFee: bill.netFee,
      result: effect.contractAddress === "" ? undefined : effect.contractRet,
    },
  };
}
