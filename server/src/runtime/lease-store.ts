import { maybeOne, milliseconds, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** What changes of a lease whenever its holder shows that it lives. */
export type LeaseRenewal = { readonly epoch: bigint; readonly renewals: bigint };

/** A lease as somebody finds it. */
export type LeaseRow = LeaseRenewal & { readonly holder: string; readonly isFree: boolean };

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
  }: { name: string; holder: string; ttlMs: number; silent?: LeaseRenewal | undefined },
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

/**
 * Renews a lease that is still that of this holder and epoch, and answers whether it is. A row that a transaction holds is left
 * alone: what beats it is that transaction, by its end.
 */
export async function renewLease(
  db: Queryable,
  { name, holder, epoch, ttlMs }: { name: string; holder: string; epoch: bigint; ttlMs: number },
): Promise<boolean> {
  const row = maybeOne(
    await db.query(sql`
      with ours as (
        select name, is_free from leases where name = ${name} and holder = ${holder} and epoch = ${epoch}
      ), loose as (
        select name from leases where name in (select name from ours where not is_free) for update skip locked
      ), renewed as (
        update leases held set renewals = renewals + 1, expires_at = now() + ${milliseconds(ttlMs)}
        from loose where held.name = loose.name and held.holder = ${holder} and held.epoch = ${epoch}
      )
      select from ours where not is_free`),
  );
  return row !== undefined;
}

/**
 * Takes the row of a lease of this epoch, which no other holder can change until the transaction ends, and shows by its
 * commit that the holder lives. The server ends the transaction, and nothing is committed, where its process says nothing
 * for `stillMs`. Answers whether the epoch is still that one.
 */
export async function renewLeaseIn(
  tx: Transaction,
  { name, epoch, stillMs }: { name: string; epoch: bigint; stillMs: number },
): Promise<boolean> {
  const row = maybeOne(
    await tx.query(sql`
      update leases set renewals = renewals + 1 where name = ${name} and epoch = ${epoch}
      returning set_config('idle_in_transaction_session_timeout', ${String(stillMs)}, true) as still`),
  );
  return row !== undefined;
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
