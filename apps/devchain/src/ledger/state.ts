import type { Account } from "./account.ts";
import type { Delegation } from "./delegation.ts";

/** Accounts by hex address; storage and the chain's own numbers by key, 0 if absent; delegations by "<from>/<to>". */
export type StateReader = {
  account(address: string): Account | undefined;
  slot(key: string): bigint;
  delegation(key: string): Delegation | undefined;
  delegations(): Iterable<readonly [key: string, delegation: Delegation]>;
};

export interface StateWriter extends StateReader {
  putAccount(address: string, account: Account): void;
  putSlot(key: string, value: bigint): void;
  putDelegation(key: string, delegation: Delegation): void;
}

/** Values written by a transaction, a block, or since the beginning. */
export type StateChanges = {
  readonly accounts: Map<string, Account>;
  readonly slots: Map<string, bigint>;
  readonly delegations: Map<string, Delegation>;
};

/** A writer that keeps its writes apart from the state below. */
export interface Overlay extends StateWriter {
  readonly changes: StateChanges;
}

export function noChanges(): StateChanges {
  return { accounts: new Map(), slots: new Map(), delegations: new Map() };
}

/** Reads changes as a state of their own. */
export function stateOf(changes: StateChanges): StateReader {
  return {
    account: (address) => changes.accounts.get(address),
    slot: (key) => changes.slots.get(key) ?? 0n,
    delegation: (key) => changes.delegations.get(key),
    delegations: () => changes.delegations,
  };
}

/** Reads a stack of changes over a base, newest layer last. */
export function layeredState(base: StateReader, layers: readonly StateChanges[]): StateReader {
  return {
    account: (address) =>
      layers.findLast((layer) => layer.accounts.has(address))?.accounts.get(address) ?? base.account(address),
    slot: (key) => layers.findLast((layer) => layer.slots.has(key))?.slots.get(key) ?? base.slot(key),
    delegation: (key) =>
      layers.findLast((layer) => layer.delegations.has(key))?.delegations.get(key) ?? base.delegation(key),
    delegations: () => new Map([base, ...layers.map(stateOf)].flatMap((layer) => [...layer.delegations()])),
  };
}

/** Values that a block replaced; undefined where there was none. */
export type ReplacedValues = {
  readonly [Kind in keyof StateChanges]: ReadonlyMap<
    string,
    (StateChanges[Kind] extends Map<string, infer Value> ? Value : never) | undefined
  >;
};

/** The values of a state that changes are about to replace. */
export function replacedBy(state: StateChanges, changes: StateChanges): ReplacedValues {
  const before = <Value>(values: ReadonlyMap<string, Value>, changed: ReadonlyMap<string, Value>) =>
    new Map([...changed.keys()].map((key) => [key, values.get(key)] as const));
  return {
    accounts: before(state.accounts, changes.accounts),
    slots: before(state.slots, changes.slots),
    delegations: before(state.delegations, changes.delegations),
  };
}

/** Reads a state as it was before these blocks, the oldest first, replaced values of it. */
export function stateBefore(state: StateReader, replaced: readonly ReplacedValues[]): StateReader {
  const find = <Kind extends keyof ReplacedValues>(kind: Kind, key: string) =>
    replaced.find((values) => values[kind].has(key))?.[kind];
  const account: StateReader["account"] = (address) => {
    const values = find("accounts", address);
    return values === undefined ? state.account(address) : values.get(address);
  };
  const delegation: StateReader["delegation"] = (key) => {
    const values = find("delegations", key);
    return values === undefined ? state.delegation(key) : values.get(key);
  };
  return {
    account,
    delegation,
    slot: (key) => {
      const values = find("slots", key);
      return values === undefined ? state.slot(key) : (values.get(key) ?? 0n);
    },
    delegations: () =>
      [...state.delegations()].flatMap(([key]) => {
        const before = delegation(key);
        return before === undefined ? [] : [[key, before] as const];
      }),
  };
}

/** An empty overlay; merge its changes to apply them. */
export function overlayOn(below: StateReader): Overlay {
  const changes = noChanges();
  return {
    changes,
    account: (address) => changes.accounts.get(address) ?? below.account(address),
    slot: (key) => changes.slots.get(key) ?? below.slot(key),
    delegation: (key) => changes.delegations.get(key) ?? below.delegation(key),
    delegations: () => new Map([...below.delegations(), ...changes.delegations]),
    putAccount: (address, account) => changes.accounts.set(address, account),
    putSlot: (key, value) => changes.slots.set(key, value),
    putDelegation: (key, delegation) => changes.delegations.set(key, delegation),
  };
}

/** Merges changes; the later value wins. */
export function mergeChanges(target: StateChanges, source: StateChanges): void {
  for (const [address, account] of source.accounts) target.accounts.set(address, account);
  for (const [key, value] of source.slots) target.slots.set(key, value);
  for (const [key, delegation] of source.delegations) target.delegations.set(key, delegation);
}

/** Adds sun to an existing account's balance; negative amounts subtract. */
export function addBalance(state: StateWriter, address: string, sun: bigint): void {
  const account = getAccount(state, address);
  const balance = account.balance + sun;
  if (balance < 0n) throw new Error(`balance of ${address} would become negative`);
  state.putAccount(address, { ...account, balance });
}

/** An account that must exist. @throws Error otherwise: a rule was not checked before. */
export function getAccount(state: StateReader, address: string): Account {
  const account = state.account(address);
  if (account === undefined) throw new Error(`account ${address} does not exist`);
  return account;
}
