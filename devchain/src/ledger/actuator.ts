import type { ContractKind, ContractOf } from "@daric/tron/contract-shapes";
import type { ContractEffect } from "./contract-effect.ts";
import type { StateReader, StateWriter } from "./state.ts";

/** A contract that the chain itself carries out, with no code behind it. */
export type SystemKind = Exclude<ContractKind, "trigger">;

/** The rules of one kind of system contract, and what it does. */
export type Actuator<Kind extends SystemKind> = {
  /** @throws BroadcastRefusal for the first rule that the contract breaks. */
  validate(state: StateReader, contract: ContractOf<Kind>, context: ValidationContext): void;
  /** Carries out a valid contract; returns the parts of its effect that differ from plain success. */
  execute(
    state: StateWriter,
    contract: ContractOf<Kind>,
    context: { readonly nowMs: number },
  ): Partial<ContractEffect>;
};

export type ValidationContext = {
  /** block time of the head, milliseconds */
  readonly nowMs: number;
  /** whether the contract is validated to build a transaction: a node then counts the bytes that the transaction will use */
  readonly isBuilding?: boolean;
};
