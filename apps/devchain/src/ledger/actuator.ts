import type { ContractKind, ContractOf } from "@daric/tron/contract-shapes";
import type { ContractEffect } from "./contract-effect.ts";
import type { StateReader, StateWriter } from "./state.ts";

/** A contract that the chain itself carries out. */
export type SystemKind = Exclude<ContractKind, "trigger">;

/** The rules and the effect of one kind of system contract. */
export type Actuator<Kind extends SystemKind> = {
  /** @throws BroadcastRefusal for the first broken rule. */
  validate(state: StateReader, contract: ContractOf<Kind>, context: ValidationContext): void;
  /** Carries out a valid contract; returns the differences from plain success. */
  execute(
    state: StateWriter,
    contract: ContractOf<Kind>,
    context: { readonly nowMs: number },
  ): Partial<ContractEffect>;
};

export type ValidationContext = {
  /** block time of the head, milliseconds */
  readonly nowMs: number;
  /** whether the validation is for building a transaction: a node then also counts that transaction's bytes */
  readonly isBuilding?: boolean;
};
