import { type LocalChain, refreshPending } from "./chain.ts";
import type { ChainStore } from "./chain-store.ts";

/** A chain at one moment, and the end of its log then. */
type Snapshot = Pick<LocalChain, "store" | "pool" | "witnesses" | "settings" | "notBeforeMs"> & {
  /** the chain's clock, milliseconds */
  readonly nowMs: number;
  readonly logEnd: number;
};

/** The snapshots of a chain by id, oldest first. They end with the process. */
export type Snapshots = { taken: number; readonly kept: Map<string, Snapshot> };

export function noSnapshots(): Snapshots {
  return { taken: 0, kept: new Map() };
}

/** Keeps the chain as it is: blocks, state, pool, witnesses, settings and clock. Returns the id of the snapshot. */
export function takeSnapshot(snapshots: Snapshots, chain: LocalChain): string {
  snapshots.taken += 1;
  const id = String(snapshots.taken);
  const logEnd = chain.store.log.end();
  snapshots.kept.set(id, { ...copyOf(chain), nowMs: chain.now(), logEnd });
  return id;
}

/**
 * Takes the chain back to a snapshot, below the solid block too, and drops the snapshots after it. The snapshot itself
 * stays. The clock goes on from the moment of the snapshot. False for an unknown id.
 */
export function revertTo(snapshots: Snapshots, chain: LocalChain, id: string): boolean {
  const snapshot = snapshots.kept.get(id);
  if (snapshot === undefined) return false;
  for (const later of [...snapshots.kept.keys()])
    if (Number(later) > Number(id)) snapshots.kept.delete(later);
  chain.store.log.cutBack(snapshot.logEnd);
  Object.assign(chain, copyOf(snapshot));
  chain.behindMs += chain.now() - snapshot.nowMs;
  refreshPending(chain);
  return true;
}

function copyOf({
  store,
  pool,
  witnesses,
  settings,
  notBeforeMs,
}: Omit<Snapshot, "nowMs" | "logEnd">): Omit<Snapshot, "nowMs" | "logEnd"> {
  return {
    store: copyStore(store),
    pool: new Map(pool),
    witnesses: { ...witnesses, turns: [...witnesses.turns] },
    settings: new Map(settings),
    notBeforeMs,
  };
}

/** A copy that later blocks leave as it is; both use the same log. */
function copyStore(store: ChainStore): ChainStore {
  const { accounts, slots, delegations } = store.solidChanges;
  return {
    ...store,
    ids: [...store.ids],
    timestamps: [...store.timestamps],
    txIds: [...store.txIds],
    places: [...store.places],
    numberById: new Map(store.numberById),
    numberByTxId: new Map(store.numberByTxId),
    solidChanges: {
      accounts: new Map(accounts),
      slots: new Map(slots),
      delegations: new Map(delegations),
    },
    replaced: [...store.replaced],
    layers: [...store.layers],
    recent: new Map(store.recent),
    orphans: new Map(store.orphans),
  };
}
