import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

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
  const row = maybeOne(
    await db.query<{ epoch: bigint }>(sql`
      insert into leases as held (name, holder, epoch, expires_at)
      values (${input.name}, ${input.holder}, 1, now() + ${input.ttlMs} * interval '1 millisecond')
      on conflict (name) do update set
        holder = excluded.holder,
        expires_at = excluded.expires_at,
        epoch = held.epoch + case when held.holder = excluded.holder and held.expires_at > now() then 0 else 1 end
      where held.holder = excluded.holder or held.expires_at <= now()
      returning epoch`),
  );
  return row && { name: input.name, holder: input.holder, epoch: row.epoch };
}

/** Thrown inside a transaction whose lease was taken over: it must not commit. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/**
 * Holds the lease row in this transaction, so that no other holder can commit beside it; throws LeaseLostError when
 * the epoch has moved on. The time is not checked: the epoch alone decides.
 */
export async function assertLease(tx: Transaction, lease: Lease): Promise<void> {
  const row = maybeOne(
    await tx.query<{ epoch: bigint }>(sql`select epoch from leases where name = ${lease.name} for share`),
  );
  if (row?.epoch !== lease.epoch) throw new LeaseLostError(`lease ${lease.name} was taken over`);
}

/** Lets the next holder start at once. Harmless when the lease is no longer ours. */
export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await db.query(sql`
    update leases set expires_at = now()
    where name = ${lease.name} and holder = ${lease.holder} and epoch = ${lease.epoch}
    returning name`);
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
