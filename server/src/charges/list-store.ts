import { empty, literals, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import {
  type ChargeKind,
  type ChargeStatus,
  chargeKinds,
  chargeMachine,
  chargeStatuses,
} from "../domain/charge.ts";
import type { ChargeId, MerchantId } from "../domain/ids.ts";
import type { OrderPaymentStatus } from "../domain/order.ts";
import { countListed, firstRowsOf, type Page, wanted } from "../totals/list-store.ts";
import { CHARGE_COLUMNS, type ChargeRow, chargeParts } from "./charge-store.ts";
import { leastIdAt } from "./least-id.ts";
import { decidingSums, hasPaymentStatus } from "./payment-status-store.ts";

/** The filter of a merchant's list; an undefined field does not narrow it. */
export type ChargeFilter = {
  readonly merchantId: MerchantId;
  readonly kind?: ChargeKind | undefined;
  readonly status?: ChargeStatus | undefined;
  readonly orderRef?: string | undefined;
  readonly customerRef?: string | undefined;
  /** only orders have one */
  readonly paymentStatus?: OrderPaymentStatus | undefined;
  /** made from `from` on and before `to` */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/**
 * One page of a merchant's charges, newest first: by (created_at, id), which is the order of their ids. The
 * sums are joined as a list and not one by one. Charges of one page are neighbours in the index, which
 * PostgreSQL (17 and later) descends once.
 */
export async function selectPage(
  db: Queryable,
  filter: ChargeFilter,
  page: Page<ChargeId>,
): Promise<ChargeRow[]> {
  return db.query<ChargeRow>(sql`
    with shown as materialized (${pageStatement(filter, page)}),
    kept as materialized (
      select * from charge_sums
      where merchant_id = ${filter.merchantId} and deposit_address_id = any(array(select id from shown))
    )
    select ${CHARGE_COLUMNS} from shown charge ${chargeParts(sql`kept`)}
    order by charge.id desc`);
}

/**
 * The rows of a page: the part of `selectPage` whose plan keeps page 1 cheap. Page 1 reads the index in its
 * order. Other pages skip rows in the index alone, and look up the shown ones by id.
 */
export function pageStatement(filter: ChargeFilter, { limit, offset, after }: Page<ChargeId>): Sql {
  const page = (columns: Sql) => sql`
    select * from (${newest({ ...filter, after }, columns, limit + offset)}) newest
    order by id desc limit ${limit} offset ${offset}`;
  if (offset === 0) return page(sql`charge.*`);
  return sql`
    select charge.* from (${page(sql`id`)}) place
    join deposit_addresses charge on charge.merchant_id = ${filter.merchantId} and charge.id = place.id`;
}

/** The exact number of matches. Those of a reference, a payment status or a range of time are counted one by one. */
export async function countCharges(db: Queryable, filter: ChargeFilter): Promise<number> {
  const { merchantId, kind, status, from, to } = filter;
  if (!isSelective(filter) && from === undefined && to === undefined) {
    return countListed(db, "deposit_addresses", { merchantId, facets: [kind, status] });
  }
  const counted = sql`select count(*) as total from ${chargesOf(filter)} where ${matches(filter)} ${madeIn(filter)}`;
  return Number(one(await db.query<{ total: bigint }>(counted)).total);
}

/** Clocks of processes, which number charges by time, may differ by so much. */
const MARGIN_MS = 60_000;

/** A range of ids that has every charge of the range of times: ids begin with their time. */
export function idsOfTimes({ from, to }: Pick<ChargeFilter, "from" | "to">) {
  return {
    fromId: from && leastIdAt(new Date(from.getTime() - MARGIN_MS)),
    beforeId: to && leastIdAt(new Date(to.getTime() + MARGIN_MS)),
  };
}

/** The ids find the rows in each index, and the times are exact. */
function madeIn({ from, to }: Pick<ChargeFilter, "from" | "to">): Sql {
  const { fromId, beforeId } = idsOfTimes({ from, to });
  return sql`${wanted(fromId, (id) => sql`and id >= ${id}`)} ${wanted(beforeId, (id) => sql`and id < ${id}`)}
    ${wanted(from, (time) => sql`and created_at >= ${time}`)} ${wanted(to, (time) => sql`and created_at < ${time}`)}`;
}

/** Where rows begin and end, by their ids: after a row of the list, and within ids. */
type PageStart = Pick<Page<ChargeId>, "after"> & {
  readonly fromId?: string | undefined;
  readonly beforeId?: string | undefined;
};

/**
 * The newest `limit` rows of the filter, in any order with a facet. They are then merged from the newest of each matching
 * (kind, status). Each is read from the end of one index, so a rare kind does not scan the common ones.
 */
export function newest(filter: ChargeFilter & PageStart, columns: Sql, limit: number): Sql {
  const { merchantId, kind, status } = filter;
  const isBehind = sql`${wanted(
    filter.after,
    (after) => sql`and id < (
      select last.id from deposit_addresses last where last.merchant_id = ${merchantId} and last.id = ${after})`,
  )} ${wanted(filter.fromId, (id) => sql`and id >= ${id}`)} ${wanted(filter.beforeId, (id) => sql`and id < ${id}`)}
    ${madeIn(filter)}`;
  const newestOf = (condition: Sql) =>
    firstRowsOf(
      sql`select ${columns} from ${chargesOf(filter)} where ${condition} ${isBehind} order by id desc`,
      limit,
    );
  if (isSelective(filter)) return newestOf(matches(filter));
  if (kind === undefined && status === undefined) return newestOf(sql`merchant_id = ${merchantId}`);
  const kinds = kind === undefined ? chargeKinds : [kind];
  const statuses = status === undefined ? chargeStatuses : [status];
  const newestOfEach = (places: Sql, condition: Sql) => sql`
    select newest.* from unnest(${kinds}::text[]) as wanted_kind ${places} cross join lateral (
      ${newestOf(sql`merchant_id = ${merchantId} and kind = wanted_kind and ${condition}`)}
    ) newest`;
  // Few charges are ACTIVE, so they have an index of their own.
  const waiting = sql`status = ${literals(chargeMachine.initial)}`;
  const done = statuses.filter((one) => one !== chargeMachine.initial);
  const ofDone = () =>
    newestOfEach(
      sql`cross join unnest(${done}::text[]) as wanted_status`,
      sql`not (${waiting}) and status = wanted_status`,
    );
  if (done.length === statuses.length) return ofDone();
  return done.length === 0
    ? newestOfEach(empty, waiting)
    : sql`${newestOfEach(empty, waiting)} union all ${ofDone()}`;
}

/** Few charges share a reference, and a payment status is no column: the filter's other conditions are checked on those rows. */
function isSelective({ orderRef, customerRef, paymentStatus }: ChargeFilter): boolean {
  return [orderRef, customerRef, paymentStatus].some((value) => value !== undefined);
}

function chargesOf({ merchantId, paymentStatus }: ChargeFilter): Sql {
  return sql`deposit_addresses charge ${wanted(paymentStatus, () => decidingSums(merchantId))}`;
}

function matches({ merchantId, kind, status, orderRef, customerRef, paymentStatus }: ChargeFilter): Sql {
  return sql`merchant_id = ${merchantId}
    ${wanted(orderRef, (value) => sql`and order_ref = ${value}`)}
    ${wanted(customerRef, (value) => sql`and customer_ref = ${value}`)}
    ${wanted(kind, (value) => sql`and kind = ${value}`)} ${wanted(status, (value) => sql`and status = ${value}`)}
    ${wanted(paymentStatus, (value) => sql`and ${hasPaymentStatus(merchantId, value)}`)}`;
}
