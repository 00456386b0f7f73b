import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";

/** Charges are numbered by the time of their making (UUIDv7), on clocks that may differ by so much. */
const MARGIN_MS = 60_000;
const TIME_DIGITS = 12;

/** The first charge that was surely made at this time or later: the list after it has all earlier ones. */
export async function findChargeAfter(
  db: Queryable,
  merchantId: MerchantId,
  time: Date,
): Promise<ChargeId | undefined> {
  const digits = (time.getTime() + MARGIN_MS).toString(16).padStart(TIME_DIGITS, "0");
  const least = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
  const row = maybeOne(
    await db.query<{ id: ChargeId }>(sql`
      select id from deposit_addresses where merchant_id = ${merchantId} and id >= ${least} order by id limit 1`),
  );
  return row?.id;
}
