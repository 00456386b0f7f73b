import { type ChargeRef, type RefKey, refKey } from "@daric/domain/ids";
import { MAX_RESTS } from "@daric/domain/rest";
import { joinedOf, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { named } from "./charge-store.ts";

/** A reference with more charges than this names no order. */
const MAX_OF_REFERENCE = 100;

/** The newest rests of these orders, at most 100 of each, the newest first. */
export async function selectRests(db: Queryable, firsts: readonly ChargeRef[]): Promise<ChargeRef[]> {
  return byMerchantLists(firsts, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<ChargeRef>(sql`
      select first.merchant_id as "merchantId", rest.id
      from unnest(${merchantIds}::uuid[], ${list.map(({ id }) => id)}::uuid[]) as first (merchant_id, id)
      cross join lateral (
        select id from deposit_addresses
        where ${joinedOf(sql`deposit_addresses.merchant_id`, merchantIds)}
          and deposit_addresses.merchant_id = first.merchant_id and rest_of = first.id
        order by id desc limit ${MAX_RESTS}
      ) rest
      order by rest.id desc`);
  });
}

/**
 * Ends the time and the late window of a locked order at the scanned chain's time. So money of later blocks is late, and pays it no
 * more.
 */
export async function endTime(tx: Transaction, ref: ChargeRef): Promise<void> {
  await tx.query(sql`
    update deposit_addresses charge
    set expires_at = least(expires_at, chain.time), late_until = least(late_until, chain.time), updated_at = now()
    from (select coalesce(max(time), now()) as time from scan_cursors) chain
    where ${named([ref])}`);
}

/** The charges that may be paid and have the reference of another charge. */
export type Twin = ChargeRef & { readonly of: RefKey<"charge"> };

/**
 * The other orders with the references of these charges that were paid or accepted at some time. Only the newest 100 of each
 * reference are read, so that the cost has a bound.
 */
export async function selectTwins(
  db: Queryable,
  charges: readonly (ChargeRef & { readonly orderRef: string | null })[],
): Promise<Twin[]> {
  const referring = charges.filter(({ orderRef }) => orderRef !== null);
  const rows = await byMerchantLists(referring, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<ChargeRef & { readonly twinOf: ChargeRef["id"] }>(sql`
      select charge.merchant_id as "merchantId", twin.id, charge.id as "twinOf"
      from unnest(
        ${merchantIds}::uuid[], ${list.map(({ id }) => id)}::uuid[], ${list.map(({ orderRef }) => orderRef)}::text[]
      ) as charge (merchant_id, id, order_ref)
      cross join lateral (
        select id, paid_at, accepted_at from deposit_addresses
        where ${joinedOf(sql`deposit_addresses.merchant_id`, merchantIds)}
          and deposit_addresses.merchant_id = charge.merchant_id and deposit_addresses.order_ref = charge.order_ref
        order by deposit_addresses.id desc limit ${MAX_OF_REFERENCE}
      ) twin
      where twin.id <> charge.id and (twin.paid_at is not null or twin.accepted_at is not null)`);
  });
  return rows.map(({ twinOf, ...twin }) => ({
    ...twin,
    of: refKey({ merchantId: twin.merchantId, id: twinOf }),
  }));
}
