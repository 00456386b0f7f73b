import { type Queryable, sql } from "../db/sql.ts";
import type { DepositAddressKind, DepositAddressStatus } from "../domain/deposit-address.ts";

/** Holds the row of an order until the transaction ends; false where the row is no order. */
export async function lockOrder(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from deposit_addresses where id = ${id} and kind = 'order' for no key update`);
  return rows.length > 0;
}

/** Moves one row from one status to the next; false where somebody else moved it first. */
export async function moveStatus(
  tx: Queryable,
  move: { id: string; from: DepositAddressStatus; to: DepositAddressStatus },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update deposit_addresses set status = ${move.to}, updated_at = now()
    where id = ${move.id} and status = ${move.from}
    returning id`);
  return rows.length > 0;
}

/**
 * ACTIVE → EXPIRED for rows that `chainTime` has passed, oldest first. The statuses stand in the text, so that the
 * partial index of rows to expire serves the statement whatever plan is cached.
 */
export async function expireOverdue(
  tx: Queryable,
  input: { chainTime: Date; limit: number },
): Promise<{ id: string; kind: DepositAddressKind }[]> {
  return await tx.query(sql`
    with overdue as (
      select id from deposit_addresses charge
      where status = 'ACTIVE' and expires_at < ${input.chainTime}
        and not exists (
          select from deposits
          where deposit_address_id = charge.id and not unmatched and block_time <= charge.expires_at
            and status in ('DETECTED', 'CONFIRMING', 'STUCK', 'REORG_PENDING')
        )
      order by expires_at limit ${input.limit}
      for no key update skip locked
    )
    update deposit_addresses charge set status = 'EXPIRED', updated_at = now()
    from overdue where charge.id = overdue.id and charge.status = 'ACTIVE'
    returning charge.id, charge.kind`);
}

/** EXPIRED → ARCHIVED for rows past their late window with no deposit in a block after `quietSince`. */
export async function archiveQuiet(
  tx: Queryable,
  input: { chainTime: Date; quietSince: Date; limit: number },
): Promise<number> {
  const rows = await tx.query(sql`
    with quiet as (
      select id from deposit_addresses charge
      where status = 'EXPIRED' and expires_at < ${input.quietSince} and late_until < ${input.chainTime}
        and not exists (
          select from deposits
          where deposit_address_id = charge.id
            and (block_time > ${input.quietSince} or status in ('DETECTED', 'CONFIRMING', 'STUCK', 'REORG_PENDING'))
        )
      order by expires_at limit ${input.limit}
      for no key update skip locked
    )
    update deposit_addresses charge set status = 'ARCHIVED', updated_at = now()
    from quiet where charge.id = quiet.id and charge.status = 'EXPIRED'
    returning charge.id`);
  return rows.length;
}
