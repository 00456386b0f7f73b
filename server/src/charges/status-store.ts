import { literals, maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { type ChargeEvent, type ChargeKind, chargeMachine } from "../domain/charge.ts";
import type { ChargeId, ChargeRef, MerchantId } from "../domain/ids.ts";
import { isNoDust, isOpenDeposit } from "./charge-store.ts";

/** Holds a row until the transaction ends, so that its status and its sums are read by one at a time. */
export async function lockCharge(
  tx: Transaction,
  id: ChargeId,
): Promise<{ merchantId: MerchantId; kind: ChargeKind } | undefined> {
  return maybeOne(
    await tx.query<{ merchantId: MerchantId; kind: ChargeKind }>(sql`
      select merchant_id as "merchantId", kind from deposit_addresses where id = ${id} for no key update`),
  );
}

/** Holds those of the rows that are orders, as `lockCharge` does; answers their ids. */
export async function lockOrders(tx: Transaction, ids: readonly ChargeId[]): Promise<ChargeId[]> {
  const rows = await tx.query<{ id: ChargeId }>(sql`
    select id from deposit_addresses where id = any(${ids}::uuid[]) and kind = 'order'
    order by id for no key update`);
  return rows.map(({ id }) => id);
}

/** The merchant takes a charge off its active ones. One that is ARCHIVED stays as it is. */
export async function archiveByMerchant(tx: Transaction, id: ChargeId): Promise<void> {
  await moveCharges(tx, { event: "archived", ids: [id] });
}

/** Takes paid charges off the active ones. One that its merchant archived before stays as it is. */
export async function archivePaid(tx: Transaction, ids: readonly ChargeId[]): Promise<void> {
  await moveCharges(tx, { event: "paid", ids });
}

async function moveCharges(
  tx: Transaction,
  { event, ids }: { event: ChargeEvent; ids: readonly ChargeId[] },
): Promise<void> {
  const { from, to } = chargeMachine.edge(event);
  await tx.query(sql`
    update deposit_addresses set status = ${to}, updated_at = now()
    where id = any(${ids}::uuid[]) and status in (${literals(...from)})`);
}

const expired = chargeMachine.edge("expired");
const quiet = chargeMachine.edge("quiet");

/** Of a `charge`: active, past its time at `chainTime`, and no deposit that came on time can still change. */
const isOverdue = (chainTime: Date) => sql`
  status in (${literals(...expired.from)}) and expires_at < ${chainTime}
    and not exists (
      select from deposits
      where deposit_address_id = charge.id and not unmatched and block_time <= charge.expires_at
        and ${isOpenDeposit} and ${isNoDust}
    )`;

/** Whether any row is there for `expireOverdue`. */
export async function hasOverdue(db: Queryable, chainTime: Date): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from deposit_addresses charge where ${isOverdue(chainTime)} limit 1`,
  );
  return rows.length > 0;
}

/** Expires overdue rows, oldest first. */
export async function expireOverdue(
  tx: Transaction,
  input: { chainTime: Date; limit: number },
): Promise<(ChargeRef & { kind: ChargeKind })[]> {
  return tx.query(sql`
    with overdue as (
      select id from deposit_addresses charge
      where ${isOverdue(input.chainTime)}
      order by expires_at limit ${input.limit}
      for no key update skip locked
    )
    update deposit_addresses charge set status = ${expired.to}, updated_at = now()
    from overdue where charge.id = overdue.id and charge.status in (${literals(...expired.from)})
    returning charge.merchant_id as "merchantId", charge.id, charge.kind`);
}

/** Archives expired rows past their late window with no deposit in a block after `quietSince`. */
export async function archiveQuiet(
  tx: Transaction,
  input: { chainTime: Date; quietSince: Date; limit: number },
): Promise<number> {
  const rows = await tx.query(sql`
    with quiet as (
      select id from deposit_addresses charge
      where status in (${literals(...quiet.from)}) and expires_at < ${input.quietSince}
        and late_until < ${input.chainTime}
        and not exists (
          select from deposits
          where deposit_address_id = charge.id
            and (block_time > ${input.quietSince} or ${isOpenDeposit})
        )
      order by expires_at limit ${input.limit}
      for no key update skip locked
    )
    update deposit_addresses charge set status = ${quiet.to}, updated_at = now()
    from quiet where charge.id = quiet.id and charge.status in (${literals(...quiet.from)})
    returning charge.id`);
  return rows.length;
}
