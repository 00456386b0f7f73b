import { isAddressHex } from "@daric/tron/address";
import { newAccount } from "./account.ts";
import type { Actuator } from "./actuator.ts";
import { contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { addBalance, type StateReader } from "./state.ts";

/**
 * Transfers TRX; activating the receiver has a fee. Rules and texts: java-tron TransferActuator, which ignores the
 * cost of bandwidth.
 */
export const transfer: Actuator<"transfer"> = {
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
