import type { ContractResult } from "@daric/tron/contract-result";
import type { ContractOf } from "@daric/tron/contract-shapes";
import { contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { type ContractEffect, DONE, type ExecutionContext } from "./contract-effect.ts";
import { energyBudget, payEnergy } from "./energy.ts";
import { runContract } from "./run-contract.ts";
import { mergeChanges, type Overlay, type StateReader } from "./state.ts";

/**
 * Calls a contract and pays its energy from stake first, then TRX, up to the fee limit. A call that reverts or runs
 * out of energy is a valid outcome without logs and storage.
 * @throws BroadcastRefusal without a contract or with invalid amounts.
 */
export function executeTrigger(
  state: Overlay,
  contract: ContractOf<"trigger">,
  { feeLimit, mustFail, nowMs }: ExecutionContext & { readonly feeLimit: bigint },
): ContractEffect {
  validateTrigger(state, contract, feeLimit);
  const run = runContract(state, contract);
  if (run === undefined) throw contractRefusal("No contract or not a smart contract");
  const { ownerAddress, callValue } = contract;
  const { limit, staked } = energyBudget(state, ownerAddress, { feeLimit, callValue, nowMs });
  const { outcome } = run;
  const total = Math.min(outcome.energy, limit);
  const isReverted = outcome.status === "REVERT";
  const contractRet = resultOf(outcome.energy > limit, mustFail === true || isReverted);
  const isSuccess = contractRet === "SUCCESS";
  if (isSuccess) mergeChanges(state.changes, run.changes);
  const penalty = Math.min(outcome.energyPenalty, total);
  return {
    ...DONE,
    contractRet,
    contractResult: isSuccess || (contractRet === "REVERT" && isReverted) ? outcome.returnData : "",
    contractAddress: contract.contractAddress,
    logs: isSuccess ? outcome.logs : [],
    failureMessage: failureMessage(contractRet, limit, outcome.energy),
    energy: payEnergy(state, ownerAddress, { total, penalty, staked, nowMs }),
  };
}

function validateTrigger(state: StateReader, contract: ContractOf<"trigger">, feeLimit: bigint): void {
  const maxFeeLimit = chainParameter(state, "getMaxFeeLimit");
  if (feeLimit < 0n || feeLimit > maxFeeLimit) {
    throw contractRefusal(`feeLimit must be >= 0 and <= ${maxFeeLimit}`);
  }
  if (contract.callTokenValue !== 0n || contract.tokenId !== 0n) {
    throw contractRefusal("TRC-10 tokens are not supported by this chain");
  }
  const balance = state.account(contract.ownerAddress)?.balance ?? 0n;
  if (contract.callValue < 0n) throw contractRefusal("callValue must be >= 0");
  if (contract.callValue > balance) {
    throw contractRefusal("Validate InternalTransfer error, balance is not sufficient.");
  }
}

function resultOf(isOutOfEnergy: boolean, isReverted: boolean): ContractResult {
  if (isOutOfEnergy) return "OUT_OF_ENERGY";
  return isReverted ? "REVERT" : "SUCCESS";
}

function failureMessage(result: ContractResult, energyLimit: number, energyNeeded: number): string {
  if (result === "REVERT") return "REVERT opcode executed";
  if (result !== "OUT_OF_ENERGY") return "";
  return `Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[${energyLimit}], curOpEnergy[${energyNeeded}], usedEnergy[${energyLimit}]`;
}
