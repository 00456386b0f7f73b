import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import { minIdAt } from "../../charges/min-id.ts";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";

/** Charges are numbered by the time of their making (UUIDv7), on clocks that may differ by so much. */
const MARGIN_MS = 60_000;

/** The first charge that was surely made at this time or later: the list after it has all earlier ones. */
export async function findChargeAfter(
  db: Queryable,
  merchantId: MerchantId,
  time: Date,
): Promise<ChargeId | undefined> {
  const least = minIdAt(new Date(time.getTime() + MARGIN_MS));
  const row = maybeOne(
    await db.query<{ id: ChargeId }>(sql`
      select id from deposit_addresses where merchant_id = ${merchantId} and id >= ${least} order by id limit 1`),
  );
  return row?.id;
}
