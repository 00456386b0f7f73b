import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { type ChargeKind, type ChargeStatus, chargeKinds, chargeStatuses } from "../domain/charge.ts";
import type { MerchantId } from "../domain/ids.ts";
import { countListed, type Page, wanted } from "../lists/list-store.ts";
import { CHARGE_COLUMNS, CHARGE_PARTS, type ChargeRow } from "./charge-store.ts";

/** Which of a merchant's charges a list shows; what is undefined does not narrow it. */
export type ChargeFilter = {
  readonly merchantId: MerchantId;
  readonly kind?: ChargeKind | undefined;
  readonly status?: ChargeStatus | undefined;
  readonly orderRef?: string | undefined;
  readonly customerRef?: string | undefined;
};

/** One page of a merchant's charges, newest first. */
export async function selectPage(db: Queryable, filter: ChargeFilter, page: Page): Promise<ChargeRow[]> {
  return db.query<ChargeRow>(sql`
    select ${CHARGE_COLUMNS}
    from (${pageStatement(filter, page)}) shown
    join deposit_addresses charge on charge.merchant_id = ${filter.merchantId} and charge.id = shown.id
    ${CHARGE_PARTS}
    order by charge.created_at desc, charge.id desc`);
}

/** The ids of a page: the part of `selectPage` whose plan is what keeps page 1 cheap. */
export function pageStatement(filter: ChargeFilter, page: Page): Sql {
  return sql`
    select id from (${newest(filter, page.limit + page.offset)}) newest
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`;
}

/** How many charges the filter shows, exactly. Callers key charges on their own reference, so few rows share one. */
export async function countCharges(db: Queryable, filter: ChargeFilter): Promise<number> {
  const { merchantId, kind, status } = filter;
  if (!hasReference(filter)) {
    return countListed(db, "deposit_addresses", { merchantId, facets: [kind, status] });
  }
  const counted = sql`select count(*) as total from deposit_addresses where ${ofReference(filter)}`;
  return Number(one(await db.query<{ total: bigint }>(counted)).total);
}

/**
 * The newest `limit` rows of the filter. With a facet given they are merged from the newest of each (kind, status)
 * that fits: each is read from the end of one index, so that a rare kind does not cost a walk through the common.
 */
function newest(filter: ChargeFilter, limit: number): Sql {
  const { merchantId, kind, status } = filter;
  const end = sql`order by created_at desc, id desc limit ${limit}`;
  if (hasReference(filter)) {
    return sql`select id, created_at from deposit_addresses where ${ofReference(filter)} ${end}`;
  }
  if (kind === undefined && status === undefined) {
    return sql`select id, created_at from deposit_addresses where merchant_id = ${merchantId} ${end}`;
  }
  return sql`
    select newest.id, newest.created_at
    from unnest(${kind === undefined ? chargeKinds : [kind]}::text[]) as wanted_kind
    cross join unnest(${status === undefined ? chargeStatuses : [status]}::text[]) as wanted_status
    cross join lateral (
      select id, created_at from deposit_addresses
      where merchant_id = ${merchantId} and kind = wanted_kind and status = wanted_status ${end}
    ) newest`;
}

/** Few charges have one reference: they are found by it, and what else is asked for is asked of them. */
function hasReference({ orderRef, customerRef }: ChargeFilter): boolean {
  return orderRef !== undefined || customerRef !== undefined;
}

function ofReference({ merchantId, kind, status, orderRef, customerRef }: ChargeFilter): Sql {
  return sql`merchant_id = ${merchantId}
    ${wanted(orderRef, (value) => sql`and order_ref = ${value}`)}
    ${wanted(customerRef, (value) => sql`and customer_ref = ${value}`)}
    ${wanted(kind, (value) => sql`and kind = ${value}`)} ${wanted(status, (value) => sql`and status = ${value}`)}`;
}
