import type { ContractOf } from "@daric/tron/contract-shapes";
import type { Actuator, SystemKind, ValidationContext } from "./actuator.ts";
import { type ContractEffect, DONE, type ExecutionContext } from "./contract-effect.ts";
import { delegate, undelegate } from "./delegate.ts";
import { updatePermissions } from "./permission-update.ts";
import { cancelUnfreeze, freeze, unfreeze, withdrawUnfrozen } from "./stake.ts";
import type { StateReader, StateWriter } from "./state.ts";
import { transfer } from "./transfer.ts";

const ACTUATORS: { readonly [Kind in SystemKind]: Actuator<Kind> } = {
  transfer,
  permissionUpdate: updatePermissions,
  freeze,
  unfreeze,
  withdrawUnfrozen,
  cancelUnfreeze,
  delegate,
  undelegate,
};

/** @throws BroadcastRefusal for the first broken rule. */
export function validateSystemContract<Kind extends SystemKind>(
  state: StateReader,
  contract: ContractOf<Kind>,
  context: ValidationContext,
): void {
  ACTUATORS[contract.kind].validate(state, contract, context);
}

/**
 * Carries out a system contract. java-tron never mines a failed one; only `mustFail` includes one in a block.
 * @throws BroadcastRefusal, with the state untouched, for a broken rule.
 */
export function executeSystemContract<Kind extends SystemKind>(
  state: StateWriter,
  contract: ContractOf<Kind>,
  { nowMs, mustFail }: ExecutionContext,
): ContractEffect {
  validateSystemContract(state, contract, { nowMs });
  if (mustFail) return { ...DONE, contractRet: "TRANSFER_FAILED", failureMessage: "transfer failed" };
  return { ...DONE, ...ACTUATORS[contract.kind].execute(state, contract, { nowMs }) };
}
