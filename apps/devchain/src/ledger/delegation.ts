import { addStake, type Stake } from "./account.ts";
import { RESOURCES, type ResourceCode } from "./resource-usage.ts";

/** Delegated stake, sun. A fully undelegated one stays with zeros. */
export type Delegation = {
  /** can be undelegated at any time */
  readonly free: Stake;
  /** cannot be undelegated before it expires */
  readonly locked: Stake;
  /** block time until which `locked` stays, milliseconds */
  readonly expiresMs: Readonly<Record<ResourceCode, number>>;
  /** block time of the last delegation, milliseconds */
  readonly timeMs: number;
};

export const NO_DELEGATION: Delegation = {
  free: { BANDWIDTH: 0n, ENERGY: 0n },
  locked: { BANDWIDTH: 0n, ENERGY: 0n },
  expiresMs: { BANDWIDTH: 0, ENERGY: 0 },
  timeMs: 0,
};

export function delegationKey(from: string, to: string): string {
  return `${from}/${to}`;
}

export function isNothing(stake: Stake): boolean {
  return RESOURCES.every((resource) => stake[resource] === 0n);
}

/** Frees the expired locks by a block time. Source: java-tron DelegatedResourceStore.unLockExpireResource. */
export function unlocked(delegation: Delegation, nowMs: number): Delegation {
  let { free, locked, expiresMs } = delegation;
  for (const resource of RESOURCES) {
    if (expiresMs[resource] >= nowMs) continue;
    free = addStake(free, resource, locked[resource]);
    locked = { ...locked, [resource]: 0n };
    expiresMs = { ...expiresMs, [resource]: 0 };
  }
  return { ...delegation, free, locked, expiresMs };
}
