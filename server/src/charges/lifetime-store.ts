import { laterBy, literals, maybeOne, sql, type Transaction } from "@daric/postgres/sql";
import { chargeMachine } from "../domain/charge.ts";
import type { ChargeRef } from "../domain/ids.ts";
import { named } from "./charge-store.ts";
import type { ChargeStanding } from "./status-store.ts";

/**
 * Holds a row until the transaction ends, so that no deposit to it can be recorded and judged by its times meanwhile:
 * who records one holds the row too, and reads the times as they are then.
 */
export async function lockLifetime(tx: Transaction, ref: ChargeRef): Promise<ChargeStanding | undefined> {
  return maybeOne(
    await tx.query<ChargeStanding>(sql`
      select merchant_id as "merchantId", id, kind, status from deposit_addresses charge
      where ${named([ref])} for update`),
  );
}

/**
 * Moves the end of a held charge and that of its late window; false where it is not active any more, or the scanned chain
 * is past its end. Once more counted against the cap: by its old end it may have been left out when that was last
 * counted. No ACTIVE charge expires earlier than before, so that what is known of the merchant's first one stays true.
 */
export async function extendLifetime(
  tx: Transaction,
  { seconds, ...ref }: ChargeRef & { seconds: number },
): Promise<boolean> {
  const later = sql`${seconds}::integer * interval '1 second'`;
  const moved = await tx.query(sql`
    with charge as (
      update deposit_addresses charge
      set expires_at = ${laterBy(sql`expires_at`, later)}, late_until = ${laterBy(sql`late_until`, later)}, updated_at = now()
      where ${named([ref])} and status in (${literals(...chargeMachine.edge("expired").from)})
        and expires_at >= coalesce((select max(time) from scan_cursors), '-infinity')
      returning merchant_id
    ), load as (
      update active_charge_counts load set active = load.active + 1
      from charge where load.merchant_id = ${ref.merchantId} and load.merchant_id = charge.merchant_id
    )
    select from charge`);
  return moved.length === 1;
}
