import { isAddressHex } from "@daric/tron/address";
import type { ContractOf, Permission } from "@daric/tron/contract-shapes";
import { isContractType } from "@daric/tron/contract-types";
import type { Actuator } from "./actuator.ts";
import { BroadcastRefusal, contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { MAX_SIGNATURES } from "./limits.ts";
import { addBalance, getAccount } from "./state.ts";

const MAX_ACTIVES = 8;
const MAX_NAME_LENGTH = 32;
const OPERATION_BYTES = 32;
const FIRST_ACTIVE_ID = 2;

/**
 * Replaces an account's permissions for a fee. Rules and texts: java-tron AccountPermissionUpdateActuator. This
 * chain's witnesses are not accounts, so no witness permission can be set.
 */
export const updatePermissions: Actuator<"permissionUpdate"> = {
  validate: (state, { ownerAddress, owner, witness, actives }) => {
    if (!isAddressHex(ownerAddress)) throw contractRefusal("invalidate ownerAddress");
    if (state.account(ownerAddress) === undefined)
      throw contractRefusal("ownerAddress account does not exist");
    if (owner === undefined) throw contractRefusal("owner permission is missed");
    if (witness !== undefined) throw contractRefusal("account isn't witness can't set witness permission");
    if (actives.length === 0) throw contractRefusal("active permission is missed");
    if (actives.length > MAX_ACTIVES) throw contractRefusal("active permission is too many");
    if (owner.type !== "Owner") throw contractRefusal("owner permission type is error");
    validatePermission(owner);
    for (const active of actives) {
      if (active.type !== "Active") throw contractRefusal("active permission type is error");
      validatePermission(active);
    }
  },

  execute: (state, contract) => {
    const { ownerAddress } = contract;
    const fee = chainParameter(state, "getUpdateAccountPermissionFee");
    const { balance } = getAccount(state, ownerAddress);
    if (balance < fee) {
      const text = `${ownerAddress} insufficient balance, balance: ${balance}, amount: ${fee}`;
      throw new BroadcastRefusal("CONTRACT_EXE_ERROR", text);
    }
    addBalance(state, ownerAddress, -fee);
    state.putAccount(ownerAddress, { ...getAccount(state, ownerAddress), permissions: numbered(contract) });
    return { fee };
  },
};

function numbered({ owner, actives }: ContractOf<"permissionUpdate">) {
  if (owner === undefined) throw new Error("the contract was not validated");
  return {
    owner: { ...owner, id: 0 },
    actives: actives.map((active, place) => ({ ...active, id: FIRST_ACTIVE_ID + place })),
  };
}

function validatePermission(permission: Permission): void {
  const { keys, type, threshold, permissionName, parentId } = permission;
  if (keys.length > MAX_SIGNATURES)
    throw contractRefusal(`number of keys in permission should not be greater than ${MAX_SIGNATURES}`);
  if (keys.length === 0) throw contractRefusal("key's count should be greater than 0");
  if (threshold <= 0n) throw contractRefusal("permission's threshold should be greater than 0");
  if (permissionName.length > MAX_NAME_LENGTH) throw contractRefusal("permission's name is too long");
  if (parentId !== 0) throw contractRefusal("permission's parent should be owner");
  if (new Set(keys.map(({ address }) => address)).size !== keys.length)
    throw contractRefusal(`address should be distinct in permission ${type}`);
  for (const { address, weight } of keys) {
    if (!isAddressHex(address)) throw contractRefusal("key is not a validate address");
    if (weight <= 0n) throw contractRefusal("key's weight should be greater than 0");
  }
  if (keys.reduce((sum, { weight }) => sum + weight, 0n) < threshold) {
    throw contractRefusal(`sum of all key's weight should not be less than threshold in permission ${type}`);
  }
  validateOperations(permission);
}

function validateOperations({ type, operations }: Permission): void {
  if (type !== "Active") {
    if (operations !== "") throw contractRefusal(`${type} permission needn't operations`);
    return;
  }
  if (operations.length !== 2 * OPERATION_BYTES) throw contractRefusal("operations size must 32");
  const bytes = Buffer.from(operations, "hex");
  for (let contractType = 0; contractType < 8 * OPERATION_BYTES; contractType += 1) {
    const isAllowed = ((bytes[contractType >> 3] ?? 0) & (1 << (contractType & 7))) !== 0;
    if (isAllowed && !isAvailable(contractType))
      throw contractRefusal(`${contractType} isn't a validate ContractType`);
  }
}

/** Unused types that java-tron still lists: VoteAsset, Custom and Get. */
const LISTED_TYPES: readonly number[] = [3, 20, 32];

function isAvailable(contractType: number): boolean {
  return isContractType(contractType) || LISTED_TYPES.includes(contractType);
}
