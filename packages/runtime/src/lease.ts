import type { Queryable, Transaction } from "@daric/postgres/sql";
import type { Clock } from "./clock.ts";
import {
  endLease,
  findLease,
  type LeaseRenewal,
  type LeaseRow,
  renewLease,
  renewLeaseIn,
  takeLease,
} from "./lease-store.ts";

/** The longest idle time in a transaction before the server aborts it, shorter than a lease lives. */
const MAX_IDLE_MS = 3_000;

/** Proof of being the only holder. `epoch` is the fencing token that every transaction compares. */
export type Lease = { readonly name: string; readonly holder: string; readonly epoch: bigint };

/** A lease and its applicant. `ttlMs` is how long a holder may be silent before another takes over. */
export type LeaseRequest = { readonly name: string; readonly holder: string; readonly ttlMs: number };

/**
 * Takes a lease that is free, new or silent, and renews our own. Undefined while another holder has it. The epoch
 * grows with each change of holder, and when a holder returns after it released the lease. The database's clock
 * plays no part.
 */
export async function acquireLease(
  db: Queryable,
  input: LeaseRequest & { silent?: LeaseRenewal | undefined },
): Promise<Lease | undefined> {
  const epoch = await takeLease(db, input);
  return epoch === undefined ? undefined : { name: input.name, holder: input.holder, epoch };
}

export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/**
 * Locks the lease row in this transaction, so that no other holder commits at the same time. Only the epoch
 * decides, not the time. A process that pauses from here on loses the transaction after three seconds.
 * @throws LeaseLostError when the epoch has changed.
 */
export async function assertLease(tx: Transaction, lease: Lease): Promise<void> {
  const isOurs = await renewLeaseIn(tx, { ...lease, stillMs: MAX_IDLE_MS });
  if (!isOurs) throw new LeaseLostError(`lease ${lease.name} was taken over`);
}

/** Lets the next holder start at once. No effect if the lease is no longer ours. */
export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await endLease(db, lease);
}

export type KeptLease = {
  /** Returns the lease, after trying to take it if necessary; undefined while another holder has it. */
  current(): Promise<Lease | undefined>;
  /** Puts off the next renewal: a commit of the holder's transaction, which asserts the lease, was one. */
  noteRenewal(): void;
  /** Lets the next holder start at once. A later `current` takes the lease again. */
  release(): Promise<void>;
};

/**
 * Keeps a lease while this process runs and reaches the database. If the process is killed or paused, another one
 * takes over once the row has not changed for `ttlMs`. It measures that by its own monotonic clock, so jumps of the
 * database's clock have no effect. A failed renewal is tried again; the epoch protects writes meanwhile.
 */
export function keepLease(
  db: Queryable,
  { clock, ...request }: LeaseRequest & { clock: Pick<Clock, "monotonicMs"> },
): KeptLease {
  const isSilent = watchSilence(clock, request.ttlMs);
  let lease: Lease | undefined;
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (lease === undefined || isRenewing) return;
    isRenewing = true;
    try {
      const isOurs = await renewLease(db, { ...lease, ttlMs: request.ttlMs });
      if (!isOurs) lease = undefined;
    } finally {
      isRenewing = false;
    }
  };
  const take = async (): Promise<Lease | undefined> => {
    const row = await findLease(db, request.name);
    if (row === undefined || row.isFree || row.holder === request.holder) return acquireLease(db, request);
    return isSilent(row) ? acquireLease(db, { ...request, silent: row }) : undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  const renewLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      renewLater();
      void renew().catch(() => {});
    }, request.ttlMs / 3).unref();
  };
  return {
    current: async () => {
      lease ??= await take();
      if (timer === undefined) renewLater();
      return lease;
    },
    noteRenewal: () => {
      if (lease !== undefined) renewLater();
    },
    release: async () => {
      clearTimeout(timer);
      timer = undefined;
      const held = lease;
      lease = undefined;
      if (held) await releaseLease(db, held);
    },
  };
}

/** Returns whether a polled lease has not changed for `ttlMs`. A longer pause between two polls does not count. */
function watchSilence(clock: Pick<Clock, "monotonicMs">, ttlMs: number): (row: LeaseRow) => boolean {
  let seen: (LeaseRenewal & { sinceMs: number; lookedMs: number }) | undefined;
  return ({ epoch, renewals }) => {
    const nowMs = clock.monotonicMs();
    const isSame = seen?.epoch === epoch && seen.renewals === renewals && nowMs - seen.lookedMs < ttlMs;
    seen = { epoch, renewals, sinceMs: isSame && seen ? seen.sinceMs : nowMs, lookedMs: nowMs };
    return nowMs - seen.sinceMs >= ttlMs;
  };
}
