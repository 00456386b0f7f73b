import { joinedOf, literals, type Queryable, sql } from "@daric/postgres/sql";
import { offChainDepositStatuses } from "../domain/deposit.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";
import type { Sighting } from "./store.ts";

/** A payment as our books have it, but for its place in its transaction. */
export type BookedPayment = Pick<Sighting, "id" | "txId" | "source" | "address" | "currency" | "amount">;

/** What the transactions of these sightings pay to the same merchants in one block, as our books have it. */
export async function findBookedBeside(
  db: Queryable,
  { network, blockId, sightings }: { network: string; blockId: string; sightings: readonly Sighting[] },
): Promise<BookedPayment[]> {
  const booked: BookedPayment[] = [];
  for (const list of inMerchantLists(sightings)) {
    const merchantIds = [...new Set(list.map(({ merchantId }) => merchantId))];
    const txIds = [...new Set(list.map(({ txId }) => txId))];
    const rows = await db.query<BookedPayment>(sql`
      select d.id, d.tx_id as "txId", d.source, d.address, d.currency, d.units as amount
      from unnest(${merchantIds}::uuid[]) as paid (merchant_id)
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = paid.merchant_id
        and d.tx_id = any(${txIds}::text[]) and d.network = ${network}
      where d.block_id = ${blockId} and d.status not in (${literals(...offChainDepositStatuses)})`);
    booked.push(...rows);
  }
  return booked;
}
