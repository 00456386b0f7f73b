import type { ContractCall, ContractOutcome, ContractRuntime } from "../contract/contract-runtime.ts";
import { contractAt, storageOf } from "./contracts.ts";
import { overlayOn, type StateChanges, type StateReader } from "./state.ts";

export type ContractRun = {
  readonly runtime: ContractRuntime;
  readonly outcome: ContractOutcome;
  /** the writes of the call; merge them only if it counts */
  readonly changes: StateChanges;
};

/** A call of a TriggerSmartContract or a constant call. */
export interface ContractCallInput extends Omit<ContractCall, "caller"> {
  readonly ownerAddress: string;
}

/** Runs a call without changing the state; undefined without a contract at the address. */
export function runContract(state: StateReader, input: ContractCallInput): ContractRun | undefined {
  const runtime = contractAt(input.contractAddress);
  if (runtime === undefined) return undefined;
  const session = overlayOn(state);
  const { ownerAddress: caller, contractAddress, data, callValue } = input;
  const outcome = runtime.call(
    { caller, contractAddress, data, callValue },
    storageOf(session, contractAddress),
  );
  return { runtime, outcome, changes: session.changes };
}
