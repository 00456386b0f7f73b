import type { ChargeId, ChargeRef } from "@daric/domain/ids";
import { MAX_RESTS } from "@daric/domain/rest";
import { type Queryable, sql } from "@daric/postgres/sql";

/** The addresses of an order and all of its family. */
export async function findFamilyAddresses(
  db: Queryable,
  { merchantId, id }: ChargeRef,
): Promise<{ readonly id: ChargeId; readonly address: string }[]> {
  const first = sql`(
    select coalesce(rest_of, id) from deposit_addresses where merchant_id = ${merchantId} and id = ${id})`;
  return db.query(sql`
    select id, address from deposit_addresses where merchant_id = ${merchantId} and id = ${first}
    union all
    (select id, address from deposit_addresses where merchant_id = ${merchantId} and rest_of = ${first}
      order by id desc limit ${MAX_RESTS})`);
}
