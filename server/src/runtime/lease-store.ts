import { maybeOne, milliseconds, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** The epoch of a lease that was taken or renewed for `ttlMs`; undefined while somebody else holds it. */
export async function takeLease(
  db: Queryable,
  { name, holder, ttlMs }: { name: string; holder: string; ttlMs: number },
): Promise<bigint | undefined> {
  const row = maybeOne(
    await db.query<{ epoch: bigint }>(sql`
      insert into leases as held (name, holder, epoch, expires_at)
      values (${name}, ${holder}, 1, now() + ${milliseconds(ttlMs)})
      on conflict (name) do update set
        holder = excluded.holder,
        expires_at = excluded.expires_at,
        epoch = held.epoch + case when held.holder = excluded.holder and held.expires_at > now() then 0 else 1 end
      where held.holder = excluded.holder or held.expires_at <= now()
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

/** Ends the lease now, if it is still that of this holder and epoch. */
export async function endLease(
  db: Queryable,
  { name, holder, epoch }: { name: string; holder: string; epoch: bigint },
): Promise<void> {
  await db.query(sql`
    update leases set expires_at = now()
    where name = ${name} and holder = ${holder} and epoch = ${epoch}
    returning name`);
}
