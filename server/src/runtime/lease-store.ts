import { maybeOne, milliseconds, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** What changes of a lease whenever its holder shows that it lives. */
export type LeaseBeat = { readonly epoch: bigint; readonly renewals: bigint };

/** A lease as somebody finds it. */
export type LeaseRow = LeaseBeat & { readonly holder: string; readonly isFree: boolean };

/** The lease as it stands, read without holding up its holder; undefined where there never was one. */
export async function findLease(db: Queryable, name: string): Promise<LeaseRow | undefined> {
  return maybeOne(
    await db.query<LeaseRow>(sql`
      select holder, epoch, renewals, is_free as "isFree" from leases where name = ${name}`),
  );
}

/**
 * The epoch of a lease that was taken or renewed; undefined while somebody else holds it. From another holder it is taken
 * only where its beat is still `silent`, the one that the caller has watched for long enough. `ttlMs` only informs.
 */
export async function takeLease(
  db: Queryable,
  {
    name,
    holder,
    ttlMs,
    silent,
  }: { name: string; holder: string; ttlMs: number; silent?: LeaseBeat | undefined },
): Promise<bigint | undefined> {
  const row = maybeOne(
    await db.query<{ epoch: bigint }>(sql`
      insert into leases as held (name, holder, epoch, expires_at)
      values (${name}, ${holder}, 1, now() + ${milliseconds(ttlMs)})
      on conflict (name) do update set
        holder = excluded.holder,
        expires_at = excluded.expires_at,
        renewals = held.renewals + 1,
        is_free = false,
        epoch = held.epoch + case when held.holder = excluded.holder and not held.is_free then 0 else 1 end
      where held.holder = excluded.holder or held.is_free
        or (held.epoch = ${silent?.epoch ?? null}::bigint and held.renewals = ${silent?.renewals ?? null}::bigint)
      returning epoch`),
  );
  return row?.epoch;
}

/** The epoch of the lease, whose row no other holder can change until the transaction ends. */
export async function lockEpoch(tx: Transaction, name: string): Promise<bigint | undefined> {
  const row = maybeOne(
    await tx.query<{ epoch: bigint }>(sql`select epoch from leases where name = ${name} for share`),
  );
  return row?.epoch;
}

/** Gives the lease up, if it is still that of this holder and epoch. */
export async function endLease(
  db: Queryable,
  { name, holder, epoch }: { name: string; holder: string; epoch: bigint },
): Promise<void> {
  await db.query(sql`
    update leases set is_free = true, expires_at = now()
    where name = ${name} and holder = ${holder} and epoch = ${epoch}
    returning name`);
}
