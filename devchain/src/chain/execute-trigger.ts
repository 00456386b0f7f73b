import type { ContractResult } from "@daric/tron/contract-result";
import type { TriggerSmartContract } from "@daric/tron/transaction";
import { contractRefusal } from "./broadcast-refusal.ts";
import { ENERGY_PRICE, MAX_FEE_LIMIT } from "./chain-parameters.ts";
import type { ContractEffect, ExecutionContext } from "./contract-effect.ts";
import { runContract } from "./run-contract.ts";
import { addBalance, mergeChanges, type Overlay, type StateReader } from "./state.ts";

/**
 * Calls a contract and burns TRX for its energy, at most the fee limit and at most what the caller has. A call
 * that reverts or runs out of energy is an outcome like any other; it leaves no logs and no storage.
 *
 * @throws BroadcastRefusal when there is nothing to call or the amounts make no sense.
 */
export function executeTrigger(
  state: Overlay,
  contract: TriggerSmartContract,
  { feeLimit, mustFail }: ExecutionContext & { feeLimit: bigint },
): ContractEffect {
  const balance = validateTrigger(state, contract, feeLimit);
  const energyLimit = Number((balance < feeLimit ? balance : feeLimit) / ENERGY_PRICE);
  const run = runContract(state, contract);
  if (run === undefined) throw contractRefusal("No contract or not a smart contract");
  const { outcome } = run;
  const energy = Math.min(outcome.energy, energyLimit);
  const isReverted = outcome.status === "REVERT";
  const contractRet = resultOf(outcome.energy > energyLimit, mustFail === true || isReverted);
  const isSuccess = contractRet === "SUCCESS";
  if (isSuccess) mergeChanges(state.changes, run.changes);
  const fee = BigInt(energy) * ENERGY_PRICE;
  addBalance(state, contract.ownerAddress, -fee);
  return {
    fee,
    contractRet,
    contractResult: isSuccess || (contractRet === "REVERT" && isReverted) ? outcome.returnData : "",
    contractAddress: contract.contractAddress,
    logs: isSuccess ? outcome.logs : [],
    failureMessage: failureMessage(contractRet, energyLimit, outcome.energy),
    energy,
    energyPenalty: Math.min(outcome.energyPenalty, energy),
  };
}

/** Returns the caller's balance in sun. */
function validateTrigger(state: StateReader, contract: TriggerSmartContract, feeLimit: bigint): bigint {
  if (feeLimit < 0n || feeLimit > MAX_FEE_LIMIT) {
    throw contractRefusal(`feeLimit must be >= 0 and <= ${MAX_FEE_LIMIT}`);
  }
  if (contract.callTokenValue !== 0n || contract.tokenId !== 0n) {
    throw contractRefusal("TRC-10 tokens are not supported by this chain");
  }
  const balance = state.account(contract.ownerAddress)?.balance ?? 0n;
  if (contract.callValue < 0n) throw contractRefusal("callValue must be >= 0");
  if (contract.callValue > balance) {
    throw contractRefusal("Validate InternalTransfer error, balance is not sufficient.");
  }
  return balance - contract.callValue;
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
