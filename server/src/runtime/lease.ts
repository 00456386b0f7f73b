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

/**
 * How long the holder of a lease may stand still in a transaction before the server ends it: shorter than the silence that
 * makes another one follow, who would wait for the row. Between two statements an honest one computes for milliseconds.
 */
const STILL_MS = 3_000;

/** Proof of being the only holder for now. `epoch` is the fencing token to compare in every transaction. */
export type Lease = { readonly name: string; readonly holder: string; readonly epoch: bigint };

/** Which lease, and who asks for it. `ttlMs` is how long its holder may be silent before another one follows. */
export type LeaseRequest = { readonly name: string; readonly holder: string; readonly ttlMs: number };

/**
 * Takes the lease where it is free or was never there, and renews it where it is ours. Undefined while somebody else holds
 * it, unless it has not moved since the caller saw it `silent` for its time. The epoch grows whenever the holder changes, and
 * when one comes back who had given it up; no clock of the database has a say.
 */
export async function acquireLease(
  db: Queryable,
  input: LeaseRequest & { silent?: LeaseRenewal | undefined },
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
 * epoch alone decides. A process that is paused from here on loses the transaction, and with it the row, after three seconds.
 *
 * @throws LeaseLostError when the epoch has moved on.
 */
export async function assertLease(tx: Transaction, lease: Lease): Promise<void> {
  const isOurs = await renewLeaseIn(tx, { ...lease, stillMs: STILL_MS });
  if (!isOurs) throw new LeaseLostError(`lease ${lease.name} was taken over`);
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
 * renewing, and another one follows when it has looked at a row that did not change for `ttlMs` by its own monotonic
 * clock: a clock of the database that is set back or ahead neither holds the lease nor takes it away. A renewal that fails
 * is tried again; the epoch guards meanwhile.
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
  const timer = setInterval(() => void renew().catch(() => {}), request.ttlMs / 3).unref();
  return {
    current: async () => {
      lease ??= await take();
      return lease;
    },
    release: async () => {
      clearInterval(timer);
      if (lease) await releaseLease(db, lease);
      lease = undefined;
    },
  };
}

/**
 * Whether a lease that is looked at again and again has not moved for `ttlMs`. Time in which nobody looked does not count:
 * whoever was paused himself, or had no database, has seen nothing.
 */
function watchSilence(clock: Pick<Clock, "monotonicMs">, ttlMs: number): (row: LeaseRow) => boolean {
  let seen: (LeaseRenewal & { sinceMs: number; lookedMs: number }) | undefined;
  return ({ epoch, renewals }) => {
    const nowMs = clock.monotonicMs();
    const isSame = seen?.epoch === epoch && seen.renewals === renewals && nowMs - seen.lookedMs < ttlMs;
    seen = { epoch, renewals, sinceMs: isSame && seen ? seen.sinceMs : nowMs, lookedMs: nowMs };
    return nowMs - seen.sinceMs >= ttlMs;
  };
}
