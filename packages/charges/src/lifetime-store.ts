import { chargeMachine } from "@daric/domain/charge";
import type { ChargeRef } from "@daric/domain/ids";
import { laterBy, literals, maybeOne, sql, type Transaction } from "@daric/postgres/sql";
import { named } from "./charge-store.ts";
import type { ChargeStanding } from "./status-store.ts";

/**
 * Locks a row until the transaction ends, so that no concurrent deposit uses its old times: recording a deposit
 * locks the row too.
 */
export async function lockLifetime(tx: Transaction, ref: ChargeRef): Promise<ChargeStanding | undefined> {
  return maybeOne(
    await tx.query<ChargeStanding>(sql`
      select merchant_id as "merchantId", id, kind, status from deposit_addresses charge
      where ${named([ref])} for update`),
  );
}

/**
 * Moves the end of a locked charge and that of its late window; false if it is not active any more, or the
 * scanned chain is past its end. The charge is counted against the cap once more, since its old end may have
 * excluded it; `countRoom` corrects a double count. No ACTIVE charge expires earlier than before, so the
 * merchant's bound stays valid.
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
