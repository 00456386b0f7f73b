import { maybeOne, milliseconds, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";

/** The values that change with each renewal of a lease. */
export type LeaseRenewal = { readonly epoch: bigint; readonly renewals: bigint };

export type LeaseRow = LeaseRenewal & { readonly holder: string; readonly isFree: boolean };

/** The number after this one. It begins again before the largest bigint, so that no value in a row can stop a lease. */
const following = (number: Sql) => sql`${number} % ${2n ** 62n}::bigint + 1`;

/** Reads a lease without waiting for its holder; undefined if it never existed. */
export async function findLease(db: Queryable, name: string): Promise<LeaseRow | undefined> {
  return maybeOne(
    await db.query<LeaseRow>(sql`
      select holder, epoch, renewals, is_free as "isFree" from leases where name = ${name}`),
  );
}

/**
 * Takes or renews a lease and returns its epoch; undefined while another holder has it. Another holder's lease is
 * taken only if it is still at the renewal `silent`, which the caller has watched long enough. `ttlMs` is
 * informative.
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
        renewals = ${following(sql`held.renewals`)},
        is_free = false,
        epoch = case when held.holder = excluded.holder and not held.is_free then held.epoch
          else ${following(sql`held.epoch`)} end
      where held.holder = excluded.holder or held.is_free
        or (held.epoch = ${silent?.epoch ?? null}::bigint and held.renewals = ${silent?.renewals ?? null}::bigint)
      returning epoch`),
  );
  return row?.epoch;
}

/** Renews a lease and returns whether it is still ours. Skips a row in a transaction, whose commit renews it. */
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
        update leases held set renewals = ${following(sql`renewals`)}, expires_at = now() + ${milliseconds(ttlMs)}
        from loose where held.name = loose.name and held.holder = ${holder} and held.epoch = ${epoch}
      )
      select from ours where not is_free`),
  );
  return row !== undefined;
}

/**
 * Renews a lease by the commit of `tx`, which the server aborts if idle for `stillMs`. Returns whether it is ours.
 */
export async function renewLeaseIn(
  tx: Transaction,
  { name, epoch, stillMs }: { name: string; epoch: bigint; stillMs: number },
): Promise<boolean> {
  const row = maybeOne(
    await tx.query(sql`
      update leases set renewals = ${following(sql`renewals`)} where name = ${name} and epoch = ${epoch}
      returning set_config('idle_in_transaction_session_timeout', ${String(stillMs)}, true) as still`),
  );
  return row !== undefined;
}

export async function endLease(
  db: Queryable,
  { name, holder, epoch }: { name: string; holder: string; epoch: bigint },
): Promise<void> {
  await db.query(sql`
    update leases set is_free = true, expires_at = now()
    where name = ${name} and holder = ${holder} and epoch = ${epoch}
    returning name`);
}
