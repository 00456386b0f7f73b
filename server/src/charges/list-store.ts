import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { type ChargeKind, type ChargeStatus, chargeKinds, chargeStatuses } from "../domain/charge.ts";
import type { ChargeId, MerchantId } from "../domain/ids.ts";

/** Which of a merchant's charges a list shows; null shows all. */
export type ChargeFilter = {
  readonly merchantId: MerchantId;
  readonly kind: ChargeKind | null;
  readonly status: ChargeStatus | null;
  readonly orderRef: string | null;
};

/** The ids of one page of a merchant's charges, newest first. */
export async function listChargeIds(
  db: Queryable,
  filter: ChargeFilter,
  page: { limit: number; offset: number },
): Promise<ChargeId[]> {
  const rows = await db.query<{ id: ChargeId }>(pageStatement(filter, page));
  return rows.map(({ id }) => id);
}

/** The statement of `listChargeIds`, whose plan is what keeps page 1 cheap. */
export function pageStatement(filter: ChargeFilter, page: { limit: number; offset: number }): Sql {
  return sql`
    select id from (${newest(filter, page.limit + page.offset)}) charge
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`;
}

/** How many charges the filter shows, exactly. */
export async function countCharges(db: Queryable, filter: ChargeFilter): Promise<number> {
  const counted = filter.orderRef === null ? fromCounters(filter) : fromIndex(filter, filter.orderRef);
  return Number(one(await db.query<{ total: bigint }>(counted)).total);
}

/**
 * The newest `limit` rows of the filter. With a facet given they are merged from the newest of each (kind, status)
 * that fits: each is read from the end of one index, so that a rare kind does not cost a walk through the common.
 */
function newest(filter: ChargeFilter, limit: number): Sql {
  const { merchantId, kind, status, orderRef } = filter;
  if (orderRef !== null) {
    return sql`
      select id, created_at from deposit_addresses
      where merchant_id = ${merchantId} and order_ref = ${orderRef} and ${facetsFit(filter)}
      order by created_at desc, id desc limit ${limit}`;
  }
  if (kind === null && status === null) {
    return sql`
      select id, created_at from deposit_addresses
      where merchant_id = ${merchantId} order by created_at desc, id desc limit ${limit}`;
  }
  return sql`
    select newest.id, newest.created_at
    from unnest(${kind === null ? chargeKinds : [kind]}::text[]) as wanted_kind
    cross join unnest(${status === null ? chargeStatuses : [status]}::text[]) as wanted_status
    cross join lateral (
      select id, created_at from deposit_addresses
      where merchant_id = ${merchantId} and kind = wanted_kind and status = wanted_status
      order by created_at desc, id desc limit ${limit}
    ) newest`;
}

/** Reads counters, as many rows as there are facets and slots, however many charges they count. */
function fromCounters({ merchantId, kind, status }: ChargeFilter): Sql {
  return sql`
    select coalesce(sum(rows), 0)::bigint as total from list_counts
    where list = 'deposit_addresses' and merchant_id = ${merchantId}
      and (${kind}::text is null or facets[1] = ${kind})
      and (${status}::text is null or facets[2] = ${status})`;
}

/** Callers key charges on their own reference, so few rows share one. */
function fromIndex(filter: ChargeFilter, orderRef: string): Sql {
  return sql`
    select count(*) as total from deposit_addresses
    where merchant_id = ${filter.merchantId} and order_ref = ${orderRef} and ${facetsFit(filter)}`;
}

function facetsFit({ kind, status }: ChargeFilter): Sql {
  return sql`(${kind}::text is null or kind = ${kind}) and (${status}::text is null or status = ${status})`;
}
