import type { Permission } from "@daric/tron/contract-shapes";
import { type ResourceCode, UNUSED, type Usage } from "./resource-usage.ts";

/** Sun by resource. */
export type Stake = Readonly<Record<ResourceCode, bigint>>;

/** Stake on its way back to the balance. */
export type Unfreezing = {
  readonly resource: ResourceCode;
  /** sun */
  readonly amount: bigint;
  /** block time from which it can be withdrawn, milliseconds */
  readonly expiresMs: number;
};

export type Permissions = {
  readonly owner: Permission;
  readonly actives: readonly Permission[];
};

/** An account. An address without one was never activated. */
export type Account = {
  /** bytes as hex; "" without a name */
  readonly name: string;
  /** bytes as hex; "" without an id */
  readonly id: string;
  /** sun */
  readonly balance: bigint;
  readonly isContract: boolean;
  /** block time of activation, milliseconds; 0 for genesis accounts */
  readonly createTime: number;
  /** block time of the last transaction sent, milliseconds */
  readonly latestOperationTime: number;
  /** use of the free bandwidth, bytes */
  readonly freeNet: Usage;
  readonly usage: Readonly<Record<ResourceCode, Usage>>;
  /** stake for the account's own use */
  readonly frozen: Stake;
  /** own stake that others use */
  readonly delegated: Stake;
  /** stake of others that this account uses */
  readonly acquired: Stake;
  readonly unfreezing: readonly Unfreezing[];
  /** undefined if none were set: the account's own key signs */
  readonly permissions: Permissions | undefined;
};

const NO_STAKE: Stake = { BANDWIDTH: 0n, ENERGY: 0n };

export function newAccount(createTime: number): Account {
  return {
    name: "",
    id: "",
    balance: 0n,
    isContract: false,
    createTime,
    latestOperationTime: 0,
    freeNet: UNUSED,
    usage: { BANDWIDTH: UNUSED, ENERGY: UNUSED },
    frozen: NO_STAKE,
    delegated: NO_STAKE,
    acquired: NO_STAKE,
    unfreezing: [],
    permissions: undefined,
  };
}

/** Stake for an account's limit of a resource: its own and the delegated one; sun. */
export function usableStake(account: Account, resource: ResourceCode): bigint {
  return account.frozen[resource] + account.acquired[resource];
}

/** Stake of an account itself, for its own use and that of others; sun. */
export function ownStake(account: Account, resource: ResourceCode): bigint {
  return account.frozen[resource] + account.delegated[resource];
}

export function addStake(stake: Stake, resource: ResourceCode, sun: bigint): Stake {
  return { ...stake, [resource]: stake[resource] + sun };
}
