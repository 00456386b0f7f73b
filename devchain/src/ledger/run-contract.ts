import type { ContractCall, ContractOutcome, ContractRuntime } from "../contract/contract-runtime.ts";
import { contractAt, storageOf } from "./contracts.ts";
import { overlayOn, type StateChanges, type StateReader } from "./state.ts";

export type ContractRun = {
  readonly runtime: ContractRuntime;
  readonly outcome: ContractOutcome;
  /** what the call would write; to be merged only if it counts */
  readonly changes: StateChanges;
};

/** A call as a TriggerSmartContract or a node's constant call describes it. */
export interface ContractCallInput extends Omit<ContractCall, "caller"> {
  readonly ownerAddress: string;
}

/** Runs a call without changing the state; undefined when no contract lives at the address. */
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
