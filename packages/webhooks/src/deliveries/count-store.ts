import type { MerchantId } from "@daric/domain/ids";
import type { WebhookDeliveryStatus } from "@daric/domain/webhook-delivery";
import { type Database, empty, jsonRows, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { counted } from "@daric/totals/list-store";
import { movesFrom } from "./delivery-store.ts";

/** A delivery that has a new status. */
export type Move = {
  readonly merchantId: MerchantId;
  readonly statusBefore: WebhookDeliveryStatus;
  readonly status: WebhookDeliveryStatus;
};

const moveColumns = sql`"merchantId" uuid, "statusBefore" text, status text`;

/** Counts moves by a statement of its own, in the transaction that made them. */
export async function countMoves(tx: Transaction, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = sql`(
    select "merchantId" as merchant_id, "statusBefore" as status_before, status
    from ${jsonRows(JSON.stringify(moves), moveColumns)}) moved`;
  await tx.query(counted("webhook_deliveries", movesFrom(sql`status_before`, rows)));
}

/**
 * Runs these CTEs and counts what they change; returns how many. One of them is `delivery`, with the merchant and the new status of each
 * changed delivery. `also` are further CTEs, which write because of it.
 */
export async function changeDeliveries(
  db: Database,
  ctes: Sql,
  { statusBefore, also = empty }: { statusBefore: Sql; also?: Sql },
): Promise<number> {
  if (!isSharded()) {
    const changed = await db.query(sql`
      with ${ctes}, counts as (${counted("webhook_deliveries", movesFrom(statusBefore))}) ${also}
      select from delivery`);
    return changed.length;
  }
  return db.transaction(async (tx) => {
    const moves = await tx.query<Move>(sql`
      with ${ctes} ${also}
      select merchant_id as "merchantId", ${statusBefore} as "statusBefore", status from delivery`);
    await countMoves(tx, moves);
    return moves.length;
  });
}
