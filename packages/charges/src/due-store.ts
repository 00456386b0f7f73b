import { chargeMachine } from "@daric/domain/charge";
import type { MerchantId } from "@daric/domain/ids";
import {
  joinedOf,
  literals,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  type Tie,
  type Transaction,
  untied,
} from "@daric/postgres/sql";

// One row per merchant has a lower bound of the times at which its charges must close.

/** The merchants that may have charges to expire at this chain time, the longest waiting first. */
export async function findMerchantsToExpire(db: Queryable, chainTime: Date): Promise<MerchantId[]> {
  const rows = await db.query<{ id: MerchantId }>(sql`
    select merchant_id as id from active_charge_counts where expires_from < ${chainTime} order by expires_from, merchant_id`);
  return rows.map(({ id }) => id);
}

/**
 * Raises the bounds of merchants to the end of their first remaining ACTIVE charge. Call it in a transaction of
 * its own: creates of these merchants wait for it. It skips merchants whose row a create holds. The row is locked
 * before the charges are read, so a new charge is either seen here or lowers the bound afterwards.
 */
export async function raiseExpiry(tx: Transaction, merchantIds: readonly MerchantId[]): Promise<void> {
  const held = await tx.query<{ id: MerchantId }>(sql`
    select merchant_id as id from active_charge_counts where merchant_id ${oneOf(merchantIds)}
    order by merchant_id for update skip locked`);
  if (held.length === 0) return;
  const of = (column: Sql) =>
    joinedOf(
      column,
      held.map(({ id }) => id),
    );
  await tx.query(sql`
    update active_charge_counts load set expires_from = first.expires_at
    from (
      select merchant.id, (
        select coalesce(min(charge.expires_at), 'infinity') from deposit_addresses charge
        where ${of(sql`charge.merchant_id`)} and charge.merchant_id = merchant.id
          and charge.status in (${literals(...chargeMachine.edge("expired").from)}) and charge.expires_at is not null
      ) as expires_at
      from unnest(${held.map(({ id }) => id)}::uuid[]) as merchant (id)
    ) first
    where ${of(sql`load.merchant_id`)} and load.merchant_id = first.id and load.expires_from <> first.expires_at`);
}

/** The merchants that may have charges to archive at this chain time, the longest waiting first. */
export async function findMerchantsToArchive(db: Queryable, chainTime: Date): Promise<MerchantId[]> {
  const rows = await db.query<{ id: MerchantId }>(sql`
    select merchant_id as id from archive_queue where archives_from < ${chainTime}
    order by archives_from, merchant_id`);
  return rows.map(({ id }) => id);
}

/**
 * Part of a statement that expires charges: the text of a data-modifying CTE that keeps `archives_from` a
 * lower bound. `charges` is a query of (merchant_id, archives_at).
 */
export function loweredArchiving(charges: Sql, { tenant, join }: Tie = untied): Sql {
  return sql`
    insert into archive_queue as work (merchant_id, archives_from)
    select ${tenant}, coalesce(min(archives_at), 'infinity') from (${charges}) charge ${join}
    group by ${tenant} order by ${tenant}
    on conflict (merchant_id) do update set archives_from = excluded.archives_from
    where work.archives_from > excluded.archives_from`;
}

/**
 * Raises the bounds of merchants to the archive time of their first remaining EXPIRED charge. Every transaction that
 * expires charges runs under the watcher's lease, as this one does. So none runs between the read and the write.
 */
export async function raiseArchiving(tx: Transaction, merchantIds: readonly MerchantId[]): Promise<void> {
  const of = (column: Sql) => joinedOf(column, merchantIds);
  await tx.query(sql`
    update archive_queue work set archives_from = coalesce((
      select min(charge.archives_at) from deposit_addresses charge
      where ${of(sql`charge.merchant_id`)} and charge.merchant_id = work.merchant_id
        and charge.status in (${literals(...chargeMachine.edge("quiet").from)})
    ), 'infinity')
    where work.merchant_id ${oneOf(merchantIds)}`);
}
