import { transferCall } from "./abi.ts";
import type { TransactionContract } from "./transaction.ts";

/** Numbers of protocol.Transaction.Contract.ContractType. */
const [TRANSFER, TRIGGER, DELEGATE, UNDELEGATE] = [1, 31, 57, 58] as const;

/** Hex addresses; units are minor units. */
type Transfer = { readonly ownerAddress: string; readonly toAddress: string; readonly units: bigint };

export function trxTransferContract({ ownerAddress, toAddress, units }: Transfer): TransactionContract {
  const value = { kind: "transfer", ownerAddress, toAddress, amount: units } as const;
  return { type: TRANSFER, permissionId: 0, value };
}

/** A direct `transfer` of a TRC-20 token, under the owner's own permission. */
export function tokenTransferContract(
  contractAddress: string,
  { ownerAddress, toAddress, units }: Transfer,
): TransactionContract {
  const call = { callValue: 0n, data: transferCall(toAddress, units), callTokenValue: 0n, tokenId: 0n };
  return {
    type: TRIGGER,
    permissionId: 0,
    value: { kind: "trigger", ownerAddress, contractAddress, ...call },
  };
}

/** Delegates energy of a stake without a lock, or takes it back. */
export function delegationContract(
  kind: "delegate" | "undelegate",
  permissionId: number,
  { ownerAddress, toAddress, units }: Transfer,
): TransactionContract {
  const lent = { ownerAddress, resource: "ENERGY", balance: units, receiverAddress: toAddress } as const;
  if (kind === "undelegate") return { type: UNDELEGATE, permissionId, value: { kind, ...lent } };
  const value = { kind, ...lent, lock: false, lockPeriod: 0n };
  return { type: DELEGATE, permissionId, value };
}
