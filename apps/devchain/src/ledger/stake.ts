import { isAddressHex } from "@daric/tron/address";
import { type Account, addStake, type Stake } from "./account.ts";
import type { Actuator } from "./actuator.ts";
import { contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { DAY_MS, SUN_PER_TRX } from "./limits.ts";
import { recordWeight } from "./resource-limits.ts";
import type { ResourceCode } from "./resource-usage.ts";
import { getAccount, type StateReader } from "./state.ts";

/** Simultaneous unfreezings of an account (java-tron UNFREEZE_MAX_TIMES). */
export const MAX_UNFREEZINGS = 32;

/** Stakes TRX. Rules and texts: java-tron FreezeBalanceV2Actuator. */
export const freeze: Actuator<"freeze"> = {
  validate: (state, { ownerAddress, frozenBalance, resource }) => {
    const owner = activatedOwner(state, ownerAddress, "] not exists");
    if (frozenBalance <= 0n) throw contractRefusal("frozenBalance must be positive");
    if (frozenBalance < SUN_PER_TRX)
      throw contractRefusal("frozenBalance must be greater than or equal to 1 TRX");
    if (frozenBalance > owner.balance)
      throw contractRefusal("frozenBalance must be less than or equal to accountBalance");
    if (resource === "TRON_POWER")
      throw contractRefusal("ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]");
  },

  execute: (state, { ownerAddress, frozenBalance, resource }) => {
    const kind = stakeable(resource);
    const before = getAccount(state, ownerAddress);
    const after = {
      ...before,
      balance: before.balance - frozenBalance,
      frozen: addStake(before.frozen, kind, frozenBalance),
    };
    recordWeight(state, kind, { before, after });
    state.putAccount(ownerAddress, after);
    return {};
  },
};

/**
 * Begins to unfreeze stake, and pays out expired unfreezings. Rules and texts: java-tron UnfreezeBalanceV2Actuator.
 */
export const unfreeze: Actuator<"unfreeze"> = {
  validate: (state, { ownerAddress, unfreezeBalance, resource }, { nowMs }) => {
    const owner = activatedOwner(state, ownerAddress, "] does not exist");
    if (resource === "TRON_POWER")
      throw contractRefusal("ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]");
    const frozen = owner.frozen[resource];
    if (frozen === 0n)
      throw contractRefusal(`no frozenBalance(${resource === "ENERGY" ? "Energy" : resource})`);
    if (unfreezeBalance <= 0n || unfreezeBalance > frozen)
      throw contractRefusal(`Invalid unfreeze_balance, [${unfreezeBalance}] is error`);
    if (unfreezingsLeft(owner, nowMs) <= 0)
      throw contractRefusal("Invalid unfreeze operation, unfreezing times is over limit");
  },

  execute: (state, { ownerAddress, unfreezeBalance, resource }, { nowMs }) => {
    const kind = stakeable(resource);
    const before = getAccount(state, ownerAddress);
    const paid = withExpiredPaid(before, nowMs);
    const expiresMs = nowMs + Number(chainParameter(state, "getUnfreezeDelayDays")) * DAY_MS;
    const after: Account = {
      ...paid,
      frozen: addStake(paid.frozen, kind, -unfreezeBalance),
      unfreezing: [...paid.unfreezing, { resource: kind, amount: unfreezeBalance, expiresMs }],
    };
    recordWeight(state, kind, { before, after });
    state.putAccount(ownerAddress, after);
    return { withdrawExpireAmount: paid.balance - before.balance };
  },
};

/** Pays out expired unfreezings. Rules and texts: java-tron WithdrawExpireUnfreezeActuator. */
export const withdrawUnfrozen: Actuator<"withdrawUnfrozen"> = {
  validate: (state, { ownerAddress }, { nowMs }) => {
    const owner = activatedOwner(state, ownerAddress, "] not exists");
    if (withdrawableSun(owner, nowMs) <= 0n) throw contractRefusal("no unFreeze balance to withdraw ");
  },

  execute: (state, { ownerAddress }, { nowMs }) => {
    const before = getAccount(state, ownerAddress);
    const after = withExpiredPaid(before, nowMs);
    state.putAccount(ownerAddress, after);
    return { withdrawExpireAmount: after.balance - before.balance };
  },
};

/**
 * Stakes unfreezing TRX again, and pays out expired unfreezings. Rules and texts: java-tron
 * CancelAllUnfreezeV2Actuator.
 */
export const cancelUnfreeze: Actuator<"cancelUnfreeze"> = {
  validate: (state, { ownerAddress }) => {
    const owner = activatedOwner(state, ownerAddress, "] not exists");
    if (owner.unfreezing.length === 0) throw contractRefusal("No unfreezeV2 list to cancel");
  },

  execute: (state, { ownerAddress }, { nowMs }) => {
    const before = getAccount(state, ownerAddress);
    let account = withExpiredPaid(before, nowMs);
    const withdrawExpireAmount = account.balance - before.balance;
    let cancelled: Stake = { BANDWIDTH: 0n, ENERGY: 0n };
    for (const { resource, amount } of account.unfreezing) {
      const after = { ...account, frozen: addStake(account.frozen, resource, amount) };
      recordWeight(state, resource, { before: account, after });
      cancelled = addStake(cancelled, resource, amount);
      account = after;
    }
    state.putAccount(ownerAddress, { ...account, unfreezing: [] });
    return { withdrawExpireAmount, cancelledUnfreezing: cancelled };
  },
};

/** Sun that an account can withdraw at a block time. */
export function withdrawableSun({ unfreezing }: Account, nowMs: number): bigint {
  return unfreezing
    .filter(({ expiresMs }) => expiresMs <= nowMs)
    .reduce((total, { amount }) => total + amount, 0n);
}

export function unfreezingsLeft({ unfreezing }: Account, nowMs: number): number {
  return MAX_UNFREEZINGS - unfreezing.filter(({ expiresMs }) => expiresMs > nowMs).length;
}

function withExpiredPaid(account: Account, nowMs: number): Account {
  return {
    ...account,
    balance: account.balance + withdrawableSun(account, nowMs),
    unfreezing: account.unfreezing.filter(({ expiresMs }) => expiresMs > nowMs),
  };
}

/** The owner of a stake contract. @throws BroadcastRefusal with the actuator's text if it was never activated. */
export function activatedOwner(state: StateReader, ownerAddress: string, ending: string): Account {
  if (!isAddressHex(ownerAddress)) throw contractRefusal("Invalid address");
  const owner = state.account(ownerAddress);
  if (owner === undefined) throw contractRefusal(`Account[${ownerAddress}${ending}`);
  return owner;
}

/** The resource of a valid contract: TRON_POWER cannot be staked for here. */
export function stakeable(resource: ResourceCode | "TRON_POWER"): ResourceCode {
  if (resource === "TRON_POWER") throw new Error("the contract was not validated");
  return resource;
}
