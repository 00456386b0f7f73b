/** What the chain knows of an account. An address without one was never activated. */
export type Account = {
  /** sun */
  readonly balance: bigint;
  readonly isContract: boolean;
  /** block time of activation, milliseconds; 0 for genesis accounts */
  readonly createTime: number;
  /** block time of the last transaction sent, milliseconds */
  readonly latestOperationTime: number;
  /** free bandwidth in use as of `freeNetTime`, bytes; it recovers over a day */
  readonly freeNetUsed: number;
  /** milliseconds */
  readonly freeNetTime: number;
};

/** Accounts by hex address; contract storage by "<contract>/<key>", absent meaning 0 as in the EVM. */
export type StateReader = {
  account(address: string): Account | undefined;
  slot(key: string): bigint;
};

export interface StateWriter extends StateReader {
  putAccount(address: string, account: Account): void;
  putSlot(key: string, value: bigint): void;
}

/** Values written by a transaction, a block, or since the beginning. */
export type StateChanges = {
  readonly accounts: Map<string, Account>;
  readonly slots: Map<string, bigint>;
};

/** A writer that keeps its writes apart from what it reads through. */
export interface Overlay extends StateWriter {
  readonly changes: StateChanges;
}

export function noChanges(): StateChanges {
  return { accounts: new Map(), slots: new Map() };
}

/** Reads plain changes as a state of their own: what was never written is absent. */
export function stateOf(changes: StateChanges): StateReader {
  return {
    account: (address) => changes.accounts.get(address),
    slot: (key) => changes.slots.get(key) ?? 0n,
  };
}

/** Reads a stack of changes over a base, newest layer last. */
export function layeredState(base: StateReader, layers: readonly StateChanges[]): StateReader {
  return {
    account: (address) =>
      layers.findLast((layer) => layer.accounts.has(address))?.accounts.get(address) ?? base.account(address),
    slot: (key) => layers.findLast((layer) => layer.slots.has(key))?.slots.get(key) ?? base.slot(key),
  };
}

/** An empty overlay: nothing below is touched until its changes are merged. */
export function overlayOn(below: StateReader): Overlay {
  const changes = noChanges();
  return {
    changes,
    account: (address) => changes.accounts.get(address) ?? below.account(address),
    slot: (key) => changes.slots.get(key) ?? below.slot(key),
    putAccount: (address, account) => changes.accounts.set(address, account),
    putSlot: (key, value) => changes.slots.set(key, value),
  };
}

/** Writes changes into another set of changes, the later value winning. */
export function mergeChanges(target: StateChanges, source: StateChanges): void {
  for (const [address, account] of source.accounts) target.accounts.set(address, account);
  for (const [key, value] of source.slots) target.slots.set(key, value);
}

/** A freshly activated account with nothing in it. */
export function newAccount(createTime: number): Account {
  return {
    balance: 0n,
    isContract: false,
    createTime,
    latestOperationTime: 0,
    freeNetUsed: 0,
    freeNetTime: 0,
  };
}

/** Adds to (or with a negative amount takes from) the balance of an existing account. */
export function addBalance(state: StateWriter, address: string, sun: bigint): void {
  const account = state.account(address);
  if (account === undefined) throw new Error(`account ${address} does not exist`);
  const balance = account.balance + sun;
  if (balance < 0n) throw new Error(`balance of ${address} would become negative`);
  state.putAccount(address, { ...account, balance });
}
