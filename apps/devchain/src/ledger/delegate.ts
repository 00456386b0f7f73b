import { isAddressHex } from "@daric/tron/address";
import { CONTRACT_SHAPES, type ContractOf } from "@daric/tron/contract-shapes";
import { encodeMessage } from "@daric/tron/message";
import { type Account, addStake, usableStake } from "./account.ts";
import type { Actuator, ValidationContext } from "./actuator.ts";
import { contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { type Delegation, delegationKey, isNothing, NO_DELEGATION, unlocked } from "./delegation.ts";
import { SLOT_MS, SUN_PER_TRX } from "./limits.ts";
import { delegableStake, resourceLimit } from "./resource-limits.ts";
import { type ResourceCode, returnUse, type Usage, useResource } from "./resource-usage.ts";
import { activatedOwner, stakeable } from "./stake.ts";
import { getAccount, type StateReader } from "./state.ts";

/** Default lock of a delegation: three days, in blocks. */
const DEFAULT_LOCK_BLOCKS = 86_400n;
/** Bytes of a delegation without its amount and lock (java-tron DELEGATE_COST_BASE_SIZE). */
const DELEGATION_BYTES = 275;

/** Delegates stake. Rules and texts: java-tron DelegateResourceActuator. */
export const delegate: Actuator<"delegate"> = {
  validate: (state, contract, context) => {
    const { ownerAddress, receiverAddress } = contract;
    activatedOwner(state, ownerAddress, "] not exists");
    validateAmount(state, contract, context);
    validateReceiverAddress(ownerAddress, receiverAddress);
    const receiver = state.account(receiverAddress);
    if (receiver === undefined) throw contractRefusal(`Account[${receiverAddress}] not exists`);
    if (contract.lock) validateLock(state, contract, context.nowMs);
    if (receiver.isContract) throw contractRefusal("Do not allow delegate resources to contract addresses");
  },

  execute: (state, contract, { nowMs }) => {
    const { ownerAddress, receiverAddress, balance, lock } = contract;
    const resource = stakeable(contract.resource);
    const key = delegationKey(ownerAddress, receiverAddress);
    const current = { ...unlocked(state.delegation(key) ?? NO_DELEGATION, nowMs), timeMs: nowMs };
    state.putDelegation(
      key,
      lock
        ? {
            ...current,
            locked: addStake(current.locked, resource, balance),
            expiresMs: { ...current.expiresMs, [resource]: nowMs + Number(lockBlocks(contract)) * SLOT_MS },
          }
        : { ...current, free: addStake(current.free, resource, balance) },
    );
    const receiver = getAccount(state, receiverAddress);
    state.putAccount(receiverAddress, {
      ...receiver,
      acquired: addStake(receiver.acquired, resource, balance),
    });
    const owner = getAccount(state, ownerAddress);
    state.putAccount(ownerAddress, {
      ...owner,
      delegated: addStake(owner.delegated, resource, balance),
      frozen: addStake(owner.frozen, resource, -balance),
    });
    return {};
  },
};

/** Undelegates stake with the receiver's unrecovered use. Rules and texts: java-tron UnDelegateResourceActuator. */
export const undelegate: Actuator<"undelegate"> = {
  validate: (state, { ownerAddress, receiverAddress, balance, resource }, { nowMs }) => {
    activatedOwner(state, ownerAddress, "] does not exist");
    validateReceiverAddress(ownerAddress, receiverAddress);
    const delegation = state.delegation(delegationKey(ownerAddress, receiverAddress));
    if (delegation === undefined || (isNothing(delegation.free) && isNothing(delegation.locked)))
      throw contractRefusal("delegated Resource does not exist");
    if (balance <= 0n) throw contractRefusal("unDelegateBalance must be more than 0 TRX");
    if (resource === "TRON_POWER")
      throw contractRefusal("ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]");
    const free = unlocked(delegation, nowMs).free[resource];
    if (free < balance) {
      const name =
        resource === "ENERGY" ? "delegateFrozenBalance(Energy)" : "delegatedFrozenBalance(BANDWIDTH)";
      throw contractRefusal(`insufficient ${name}, request=${balance}, unlock_balance=${free}`);
    }
  },

  execute: (state, contract, { nowMs }) => {
    const { ownerAddress, receiverAddress, balance } = contract;
    const resource = stakeable(contract.resource);
    const returned = takeFromReceiver(state, receiverAddress, { balance, resource, nowMs });
    state.putAccount(receiverAddress, returned.receiver);
    const key = delegationKey(ownerAddress, receiverAddress);
    const current: Delegation = unlocked(state.delegation(key) ?? NO_DELEGATION, nowMs);
    state.putDelegation(key, { ...current, free: addStake(current.free, resource, -balance) });
    const owner = getAccount(state, ownerAddress);
    const usage = owner.usage[resource];
    state.putAccount(ownerAddress, {
      ...owner,
      delegated: addStake(owner.delegated, resource, -balance),
      frozen: addStake(owner.frozen, resource, balance),
      usage: {
        ...owner.usage,
        [resource]: returned.use.used > 0 ? returnUse(usage, returned.use, nowMs) : usage,
      },
    });
    return {};
  },
};

/** The receiver without the undelegated stake, and the part of its use that returns to the owner. */
function takeFromReceiver(
  state: StateReader,
  receiverAddress: string,
  {
    balance,
    resource,
    nowMs,
  }: { readonly balance: bigint; readonly resource: ResourceCode; readonly nowMs: number },
): { readonly receiver: Account; readonly use: Pick<Usage, "used" | "window"> } {
  const receiver = getAccount(state, receiverAddress);
  const usage = useResource(receiver.usage[resource], 0, nowMs);
  const share = Number(balance) / Number(usableStake(receiver, resource));
  const used = Math.min(resourceLimit(state, balance, resource), Math.trunc(usage.used * share));
  return {
    receiver: {
      ...receiver,
      acquired: addStake(receiver.acquired, resource, -balance),
      usage: { ...receiver.usage, [resource]: { ...usage, used: usage.used - used } },
    },
    use: { used, window: usage.window },
  };
}

function validateAmount(
  state: StateReader,
  { ownerAddress, balance, resource }: ContractOf<"delegate">,
  { nowMs, isBuilding = false }: ValidationContext,
): void {
  if (balance < SUN_PER_TRX) throw contractRefusal("delegateBalance must be greater than or equal to 1 TRX");
  if (resource === "TRON_POWER")
    throw contractRefusal("ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]");
  const owner = getAccount(state, ownerAddress);
  const extraUse = isBuilding && resource === "BANDWIDTH" ? delegationBytes(state, owner) : 0;
  if (delegableStake(state, owner, { resource, nowMs, extraUse }) < balance) {
    const name = resource === "ENERGY" ? "FreezeEnergyV2" : "FreezeBandwidthV2";
    throw contractRefusal(`delegateBalance must be less than or equal to available ${name} balance`);
  }
}

/** Bytes of the largest delegation of an account's stake. Source: java-tron TransactionUtil. */
export function delegationBytes(state: StateReader, { frozen }: Account): number {
  const least: ContractOf<"delegate"> = {
    kind: "delegate",
    ownerAddress: "",
    resource: "BANDWIDTH",
    balance: SUN_PER_TRX,
    receiverAddress: "",
    lock: false,
    lockPeriod: 0n,
  };
  const { shape } = CONTRACT_SHAPES.delegate;
  const lockPeriod = chainParameter(state, "getMaxDelegateLockPeriod");
  const most = { ...least, balance: frozen.BANDWIDTH, lock: true, lockPeriod };
  const extra = encodeMessage(shape, most).length - encodeMessage(shape, least).length;
  return DELEGATION_BYTES + Math.max(0, extra);
}

function validateReceiverAddress(ownerAddress: string, receiverAddress: string): void {
  if (!isAddressHex(receiverAddress)) throw contractRefusal("Invalid receiverAddress");
  if (receiverAddress === ownerAddress)
    throw contractRefusal("receiverAddress must not be the same as ownerAddress");
}

function validateLock(state: StateReader, contract: ContractOf<"delegate">, nowMs: number): void {
  const blocks = lockBlocks(contract);
  const most = chainParameter(state, "getMaxDelegateLockPeriod");
  if (blocks < 0n || blocks > most) {
    throw contractRefusal(
      `The lock period of delegate resource cannot be less than 0 and cannot exceed ${most}!`,
    );
  }
  const { ownerAddress, receiverAddress, resource } = contract;
  const delegation = state.delegation(delegationKey(ownerAddress, receiverAddress));
  const restMs = (delegation?.expiresMs[stakeable(resource)] ?? 0) - nowMs;
  if (blocks * BigInt(SLOT_MS) < BigInt(restMs)) {
    throw contractRefusal(
      `The lock period for ${resource} this time cannot be less than the remaining time[${restMs}ms] of the last lock period for ${resource}!`,
    );
  }
}

function lockBlocks({ lockPeriod }: ContractOf<"delegate">): bigint {
  return lockPeriod === 0n ? DEFAULT_LOCK_BLOCKS : lockPeriod;
}
