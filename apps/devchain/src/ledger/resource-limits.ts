import { type Account, ownStake, usableStake } from "./account.ts";
import { chainParameter } from "./chain-parameters.ts";
import { SUN_PER_TRX } from "./limits.ts";
import { type ResourceCode, usedAt } from "./resource-usage.ts";
import type { StateReader, StateWriter } from "./state.ts";

/** TRX staked outside this chain's accounts: energy per TRX is about mainnet's of 2026. */
const FIRST_OTHERS: Readonly<Record<ResourceCode, bigint>> = {
  BANDWIDTH: 27_000_000_000n,
  ENERGY: 19_000_000_000n,
};

/** TRX staked by accounts of this chain. */
const ownWeightSlot = (resource: ResourceCode) => `stake/${resource}`;

export function othersWeightSlot(resource: ResourceCode): string {
  return `stake/others/${resource}`;
}

export function firstWeights(): [slot: string, value: bigint][] {
  return [
    [othersWeightSlot("BANDWIDTH"), FIRST_OTHERS.BANDWIDTH],
    [othersWeightSlot("ENERGY"), FIRST_OTHERS.ENERGY],
  ];
}

/** TRX staked for a resource in all: TotalNetWeight, TotalEnergyWeight. */
export function totalWeight(state: StateReader, resource: ResourceCode): bigint {
  return state.slot(othersWeightSlot(resource)) + state.slot(ownWeightSlot(resource));
}

/** Bytes or energy that all stakes share: TotalNetLimit, TotalEnergyLimit. */
export function totalLimit(state: StateReader, resource: ResourceCode): bigint {
  return chainParameter(state, resource === "ENERGY" ? "getTotalEnergyCurrentLimit" : "getTotalNetLimit");
}

/** Records a change of an account's stake; java-tron counts whole TRX of each account. */
export function recordWeight(
  state: StateWriter,
  resource: ResourceCode,
  { before, after }: { readonly before: Account; readonly after: Account },
): void {
  const change = ownStake(after, resource) / SUN_PER_TRX - ownStake(before, resource) / SUN_PER_TRX;
  const slot = ownWeightSlot(resource);
  state.putSlot(slot, state.slot(slot) + change);
}

/** Bytes or energy a day of a stake. Source: java-tron calculateGlobalEnergyLimitV2, calculateGlobalNetLimitV2. */
export function resourceLimit(state: StateReader, sun: bigint, resource: ResourceCode): number {
  const weight = totalWeight(state, resource);
  if (weight === 0n) return 0;
  const perTrx = Number(totalLimit(state, resource)) / Number(weight);
  return Math.trunc((Number(sun) / Number(SUN_PER_TRX)) * perTrx);
}

export function resourceLeft(
  state: StateReader,
  account: Account,
  { resource, nowMs }: { readonly resource: ResourceCode; readonly nowMs: number },
): number {
  const limit = resourceLimit(state, usableStake(account, resource), resource);
  return Math.max(0, limit - usedAt(account.usage[resource], nowMs));
}

/**
 * Sun that an account can delegate: neither delegated nor bound by its own use of the day. `extraUse` is the use of
 * the delegation itself. Source: java-tron DelegateResourceActuator.
 */
export function delegableStake(
  state: StateReader,
  account: Account,
  use: { readonly resource: ResourceCode; readonly nowMs: number; readonly extraUse?: number },
): bigint {
  const { resource, nowMs, extraUse = 0 } = use;
  const used = usedAt(account.usage[resource], nowMs) + extraUse;
  const trxPerUnit = Number(totalWeight(state, resource)) / Number(totalLimit(state, resource));
  const boundSun = BigInt(Math.trunc(Number(BigInt(used) * SUN_PER_TRX) * trxPerUnit));
  const ownBound = boundSun - account.acquired[resource];
  return account.frozen[resource] - (ownBound > 0n ? ownBound : 0n);
}
