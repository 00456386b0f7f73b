import { isAddressHex } from "@daric/tron/address";
import type { TransferContract } from "@daric/tron/transaction";
import { contractRefusal } from "./broadcast-refusal.ts";
import { NEW_ACCOUNT_FEE } from "./chain-parameters.ts";
import type { ContractEffect, ExecutionContext } from "./contract-effect.ts";
import { addBalance, newAccount, type StateReader, type StateWriter } from "./state.ts";

const TRANSFERRED: ContractEffect = {
  fee: 0n,
  contractRet: "SUCCESS",
  contractResult: "",
  contractAddress: "",
  logs: [],
  failureMessage: "",
  energy: 0,
  energyPenalty: 0,
};

/**
 * Moves TRX, activating the receiver for a fee. java-tron never mines a failed transfer, only `mustFail` puts one into
 * a block.
 *
 * @throws BroadcastRefusal when TRX cannot be moved so.
 */
export function executeTransfer(
  state: StateWriter,
  contract: TransferContract,
  { timeMs, mustFail }: ExecutionContext,
): ContractEffect {
  const { ownerAddress, toAddress, amount } = contract;
  const fee = validateTransfer(state, contract);
  if (mustFail) return { ...TRANSFERRED, contractRet: "TRANSFER_FAILED", failureMessage: "transfer failed" };
  if (state.account(toAddress) === undefined) state.putAccount(toAddress, newAccount(timeMs));
  addBalance(state, ownerAddress, -(amount + fee));
  addBalance(state, toAddress, amount);
  return { ...TRANSFERRED, fee };
}

/**
 * Returns the fee in sun for activating the receiver. Rules and texts: java-tron TransferActuator, which looks at the
 * contract alone, not at what bandwidth will cost.
 *
 * @throws BroadcastRefusal when the transfer breaks one of the rules.
 */
export function validateTransfer(state: StateReader, contract: TransferContract): bigint {
  const { ownerAddress, toAddress, amount } = contract;
  if (!isAddressHex(ownerAddress)) throw contractRefusal("Invalid ownerAddress!");
  if (!isAddressHex(toAddress)) throw contractRefusal("Invalid toAddress!");
  if (toAddress === ownerAddress) throw contractRefusal("Cannot transfer TRX to yourself.");
  const owner = state.account(ownerAddress);
  if (owner === undefined) throw contractRefusal("Validate TransferContract error, no OwnerAccount.");
  if (amount <= 0n) throw contractRefusal("Amount must be greater than 0.");
  const receiver = state.account(toAddress);
  if (receiver?.isContract) throw contractRefusal("Cannot transfer TRX to a smartContract.");
  const fee = receiver === undefined ? NEW_ACCOUNT_FEE : 0n;
  if (owner.balance < amount + fee) {
    throw contractRefusal("Validate TransferContract error, balance is not sufficient.");
  }
  return fee;
}
