import type { ChargeId } from "@daric/domain/ids";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { countListed, type Page, wanted } from "@daric/totals/list-store";
import { CHARGE_COLUMNS, type ChargeRow, chargeParts } from "./charge-store.ts";
import {
  type ChargeFilter,
  type CountedFilter,
  chargesOfFilter,
  isSelective,
  isSparse,
  LOOKED_AT,
  lookedAt,
  madeIn,
  matches,
  orderOf,
} from "./list-filter-store.ts";
import { decidingSums, IS_SETTLED } from "./payment-status-store.ts";

type ChargePage = {
  readonly rows: ChargeRow[];
  /** the row after which to read on; undefined at the end of the list */
  readonly next: ChargeId | undefined;
};

/**
 * One page of a merchant's charges: newest first, by (created_at, id), which is the order of their ids; or with a `reference` the greatest
 * reference first. The sums are joined as a list and not one by one. Charges of one page are neighbours in the index, which
 * PostgreSQL (17 and later) descends once. Of a sparse filter a page may have few rows or none, and `next` still leads on.
 */
export async function selectPage(
  db: Queryable,
  filter: ChargeFilter,
  page: Page<ChargeId>,
): Promise<ChargePage> {
  const rows = await db.query<ChargeRow>(sql`
    with shown as materialized (${pageStatement(filter, page)}),
    kept as materialized (
      select * from charge_sums
      where merchant_id = ${filter.merchantId} and deposit_address_id = any(array(select id from shown))
    )
    select ${CHARGE_COLUMNS} from shown charge ${chargeParts(sql`kept`)}
    order by ${orderOf(filter, sql`charge`)}`);
  if (rows.length === page.limit || !isSparse(filter)) return { rows, next: rows[page.limit - 1]?.id };
  const [last] = await db.query<{ id: ChargeId }>(sql`
    select id from (${looked(filter, orderColumns(filter), page)}) looked
    order by ${orderOf(filter)} offset ${LOOKED_AT - 1} limit 1`);
  return { rows, next: last?.id };
}

/**
 * The rows of a page: the part of `selectPage` whose plan keeps page 1 cheap. Page 1 reads the index in its
 * order. Other pages skip rows in the index alone, and look up the shown ones by id. So does a sparse filter, whose rows are compared first.
 */
export function pageStatement(filter: ChargeFilter, page: Page<ChargeId>): Sql {
  const { limit, offset } = page;
  const pageOf = (rows: Sql) => sql`${rows} order by ${orderOf(filter)} limit ${limit} offset ${offset}`;
  const placed = (places: Sql) => sql`
    select charge.* from (${places}) place
    join deposit_addresses charge on charge.merchant_id = ${filter.merchantId} and charge.id = place.id`;
  if (isSparse(filter)) {
    const sums = wanted(filter.payment, () => decidingSums(filter.merchantId));
    return placed(
      pageOf(sql`select id from (${looked(filter, DECIDING, page)}) charge ${sums} where ${fits(filter)}`),
    );
  }
  const listed = (columns: Sql) =>
    pageOf(sql`select * from (${lookedAt(filter, columns, { ...page, limit: limit + offset })}) listed`);
  return offset === 0 ? listed(sql`charge.*`) : placed(listed(orderColumns(filter)));
}

function orderColumns({ reference }: ChargeFilter): Sql {
  return reference === undefined ? sql`id` : sql`id, order_ref`;
}

const DECIDING = sql`id, kind, status, order_ref, payment_link_id, payer_ref, created_by, created_at, accepted_at, expected_units, pay_units, fiat_currency,
  tolerance_basis_points`;

function looked(filter: ChargeFilter, columns: Sql, { after }: Page<ChargeId>): Sql {
  const rows = lookedAt(filter, columns, { after, limit: LOOKED_AT });
  return sql`select * from (${rows}) looked order by ${orderOf(filter)} limit ${LOOKED_AT}`;
}

/** The conditions of a sparse filter on the rows that are looked at. */
function fits({ kind, status, paymentLinkId, payerRef, createdBy, payment, from, to }: ChargeFilter): Sql {
  return sql`true
    ${wanted(paymentLinkId, (value) => sql`and payment_link_id = ${value}`)}
    ${wanted(payerRef, (value) => sql`and payer_ref = ${value}`)}
    ${wanted(createdBy, (value) => sql`and created_by = ${value}`)}
    ${wanted(kind, (value) => sql`and kind = ${value}`)} ${wanted(status, (value) => sql`and status = ${value}`)}
    ${wanted(from, (time) => sql`and created_at >= ${time}`)} ${wanted(to, (time) => sql`and created_at < ${time}`)}
    ${wanted(payment, (value) => (value === "paid" ? sql`and ${IS_SETTLED}` : sql`and kind = 'order' and not ${IS_SETTLED}`))}`;
}

/** The exact number of matches. Those of a reference, a payment status or a range of time are counted one by one. */
export async function countCharges(db: Queryable, filter: CountedFilter): Promise<number> {
  const { merchantId, kind, status, from, to } = filter;
  if (!isSelective(filter) && from === undefined && to === undefined) {
    return countListed(db, "deposit_addresses", { merchantId, facets: [kind, status] });
  }
  const counted = sql`select count(*) as total from ${chargesOfFilter(filter)} where ${matches(filter)} ${madeIn(filter)}`;
  return Number(one(await db.query<{ total: bigint }>(counted)).total);
}
