import { isAddressHex } from "@daric/tron/address";
import type { ContractOf } from "@daric/tron/contract-shapes";
import { newAccount } from "./account.ts";
import { setAccountId, setAccountName } from "./account-names.ts";
import type { Actuator, SystemKind, ValidationContext } from "./actuator.ts";
import { contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { type ContractEffect, DONE, type ExecutionContext } from "./contract-effect.ts";
import { delegate, undelegate } from "./delegate.ts";
import { updatePermissions } from "./permission-update.ts";
import { cancelUnfreeze, freeze, unfreeze, withdrawUnfrozen } from "./stake.ts";
import { addBalance, type StateReader, type StateWriter } from "./state.ts";

/**
 * Transfers TRX; activating the receiver has a fee. Rules and texts: java-tron TransferActuator, which ignores the
 * cost of bandwidth.
 */
const transfer: Actuator<"transfer"> = {
  validate: (state, { ownerAddress, toAddress, amount }) => {
    if (!isAddressHex(ownerAddress)) throw contractRefusal("Invalid ownerAddress!");
    if (!isAddressHex(toAddress)) throw contractRefusal("Invalid toAddress!");
    if (toAddress === ownerAddress) throw contractRefusal("Cannot transfer TRX to yourself.");
    const owner = state.account(ownerAddress);
    if (owner === undefined) throw contractRefusal("Validate TransferContract error, no OwnerAccount.");
    if (amount <= 0n) throw contractRefusal("Amount must be greater than 0.");
    if (state.account(toAddress)?.isContract)
      throw contractRefusal("Cannot transfer TRX to a smartContract.");
    if (owner.balance < amount + activationFee(state, toAddress)) {
      throw contractRefusal("Validate TransferContract error, balance is not sufficient.");
    }
  },

  execute: (state, { ownerAddress, toAddress, amount }, { nowMs }) => {
    const fee = activationFee(state, toAddress);
    if (state.account(toAddress) === undefined) state.putAccount(toAddress, newAccount(nowMs));
    addBalance(state, ownerAddress, -(amount + fee));
    addBalance(state, toAddress, amount);
    return { fee };
  },
};

function activationFee(state: StateReader, address: string): bigint {
  return state.account(address) === undefined
    ? chainParameter(state, "getCreateNewAccountFeeInSystemContract")
    : 0n;
}

const ACTUATORS: { readonly [Kind in SystemKind]: Actuator<Kind> } = {
  transfer,
  accountUpdate: setAccountName,
  accountId: setAccountId,
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
