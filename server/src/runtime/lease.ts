import type { Queryable, Transaction } from "@daric/postgres/sql";
import { endLease, lockEpoch, takeLease } from "./lease-store.ts";

/** Proof of being the only holder for now. `epoch` is the fencing token to compare in every transaction. */
export type Lease = { readonly name: string; readonly holder: string; readonly epoch: bigint };

/**
 * Takes or renews the lease for `ttlMs` by the database's clock. Undefined while somebody else holds it. The epoch
 * grows whenever the holder changes, also when a holder returns after its lease had lapsed.
 */
export async function acquireLease(
  db: Queryable,
  input: { name: string; holder: string; ttlMs: number },
): Promise<Lease | undefined> {
  const epoch = await takeLease(db, input);
  return epoch === undefined ? undefined : { name: input.name, holder: input.holder, epoch };
}

/** Thrown inside a transaction whose lease was taken over: it must not commit. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/**
 * Holds the lease row in this transaction, so that no other holder can commit beside it. The time is not checked: the
 * epoch alone decides.
 *
 * @throws LeaseLostError when the epoch has moved on.
 */
export async function assertLease(tx: Transaction, lease: Lease): Promise<void> {
  const epoch = await lockEpoch(tx, lease.name);
  if (epoch !== lease.epoch) throw new LeaseLostError(`lease ${lease.name} was taken over`);
}

/** Lets the next holder start at once. Harmless when the lease is no longer ours. */
export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await endLease(db, lease);
}

/** A lease that is renewed in the background, however long a step of its holder takes. */
export type KeptLease = {
  /** The lease while it is ours, trying to take it when it is not; undefined while somebody else has it. */
  current(): Promise<Lease | undefined>;
  /** Stops renewing and lets the next holder start at once. */
  release(): Promise<void>;
};

/**
 * Keeps a lease for as long as this process runs and can reach the database. A process that is killed or paused stops
 * renewing, and another one follows after `ttlMs`. A renewal that fails is tried again; the epoch guards meanwhile.
 */
export function keepLease(db: Queryable, input: { name: string; holder: string; ttlMs: number }): KeptLease {
  let lease: Lease | undefined;
  let isRenewing = false;
  // One at a time: a long transaction of the holder keeps the row, and waiting renewals would use up the pool.
  const renew = async (): Promise<void> => {
    if (lease === undefined || isRenewing) return;
    isRenewing = true;
    try {
      lease = await acquireLease(db, input);
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew().catch(() => {}), input.ttlMs / 3).unref();
  return {
    current: async () => {
      lease ??= await acquireLease(db, input);
      return lease;
    },
    release: async () => {
      clearInterval(timer);
      if (lease) await releaseLease(db, lease);
      lease = undefined;
    },
  };
}
