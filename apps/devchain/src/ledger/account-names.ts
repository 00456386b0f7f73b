import { isAddressHex } from "@daric/tron/address";
import type { Actuator } from "./actuator.ts";
import { contractRefusal } from "./broadcast-refusal.ts";
import { getAccount, type StateReader } from "./state.ts";

const MAX_NAME_BYTES = 200;
const MIN_ID_BYTES = 8;
const MAX_ID_BYTES = 32;
/** Hex of printable ASCII without the space. */
const READABLE = /^(2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])*$/;

/**
 * Names an account, once and by a name of its own, as where getAllowUpdateAccountName is off. Rules and texts: java-tron
 * UpdateAccountActuator.
 */
export const setAccountName: Actuator<"accountUpdate"> = {
  validate: (state, { ownerAddress, accountName }) => {
    if (accountName.length > 2 * MAX_NAME_BYTES) throw contractRefusal("Invalid accountName");
    if (!isAddressHex(ownerAddress)) throw contractRefusal("Invalid ownerAddress");
    const account = state.account(ownerAddress);
    if (account === undefined) throw contractRefusal("Account does not exist");
    if (account.name !== "") throw contractRefusal("This account name is already existed");
    if (state.slot(nameKey(accountName)) !== 0n) throw contractRefusal("This name is existed");
  },

  execute: (state, { ownerAddress, accountName }) => {
    state.putAccount(ownerAddress, { ...getAccount(state, ownerAddress), name: accountName });
    state.putSlot(nameKey(accountName), BigInt(`0x${ownerAddress}`));
    return {};
  },
};

/** Gives an account its id, once. Rules and texts: java-tron SetAccountIdActuator. */
export const setAccountId: Actuator<"accountId"> = {
  validate: (state, { ownerAddress, accountId }) => {
    const bytes = accountId.length / 2;
    if (bytes < MIN_ID_BYTES || bytes > MAX_ID_BYTES || !READABLE.test(accountId))
      throw contractRefusal("Invalid accountId");
    if (!isAddressHex(ownerAddress)) throw contractRefusal("Invalid ownerAddress");
    const account = state.account(ownerAddress);
    if (account === undefined) throw contractRefusal("Account has not existed");
    if (account.id !== "") throw contractRefusal("This account id already set");
    if (addressOfId(state, accountId) !== undefined) throw contractRefusal("This id has existed");
  },

  execute: (state, { ownerAddress, accountId }) => {
    state.putAccount(ownerAddress, { ...getAccount(state, ownerAddress), id: accountId });
    state.putSlot(idKey(accountId), BigInt(`0x${ownerAddress}`));
    return {};
  },
};

/** The address of the account with this id, whose letters match in either case; undefined without one. */
export function addressOfId(state: StateReader, accountId: string): string | undefined {
  const address = state.slot(idKey(accountId));
  return address === 0n ? undefined : address.toString(16);
}

function nameKey(name: string): string {
  return `account name:${name}`;
}

function idKey(id: string): string {
  return `account id:${Buffer.from(id, "hex").toString("latin1").toLowerCase()}`;
}
