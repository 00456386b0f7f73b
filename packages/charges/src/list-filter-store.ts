import type { Seen } from "@daric/domain/caller";
import {
  type ChargeKind,
  type ChargeStatus,
  chargeKinds,
  chargeMachine,
  chargeStatuses,
} from "@daric/domain/charge";
import type { ChargeId, MerchantId, PaymentLinkId } from "@daric/domain/ids";
import type { OrderPaymentStatus } from "@daric/domain/order";
import { empty, literals, type Sql, sql } from "@daric/postgres/sql";
import { firstRowsOf, type Page, wanted } from "@daric/totals/list-store";
import { minIdAt } from "./min-id.ts";
import { decidingSums, hasPaymentStatus } from "./payment-status-store.ts";

export const paymentFilters = ["paid", "short"] as const;

/** The filter of a merchant's list; an undefined field does not narrow it. No statement has the conditions of both kinds. */
export type ChargeFilter = CountedFilter | BrowsedFilter;

/** The filter of `/v1`: all its matches are counted. */
export type CountedFilter = ListFilter & Partial<Record<keyof Prefixed, undefined>> & Exact;
/** The filter of the dashboard. */
export type BrowsedFilter = ListFilter & Partial<Record<keyof Exact, undefined>> & Prefixed;

type ListFilter = Seen & {
  readonly kind?: ChargeKind | undefined;
  readonly status?: ChargeStatus | undefined;
  /** made by a click on this payment link */
  readonly paymentLinkId?: PaymentLinkId | undefined;
  readonly payerRef?: string | undefined;
  /** made from `from` on and before `to` */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

type Exact = {
  readonly orderRef?: string | undefined;
  readonly customerRef?: string | undefined;
  /** only orders have one */
  readonly paymentStatus?: OrderPaymentStatus | undefined;
};

type Prefixed = {
  /** how `order_ref` begins */
  readonly reference?: string | undefined;
  /** orders that are paid or accepted; or those that got some confirmed money, and are neither */
  readonly payment?: (typeof paymentFilters)[number] | undefined;
};

/** Filters without an index of their own look at so many rows for one page, however few of them fit. */
export const LOOKED_AT = 2_000;

const isGiven = (value: unknown) => value !== undefined;

/** Whether the index in whose order rows are read has rows that do not fit. */
export function isSparse(filter: ChargeFilter): boolean {
  const { kind, status, paymentLinkId, payerRef, createdBy, payment, reference, from, to } = filter;
  const others = [kind, status, paymentLinkId, payerRef, createdBy, from, to];
  return payment !== undefined || (reference !== undefined && others.some(isGiven));
}

/** The order of the list. */
export function orderOf({ reference }: ChargeFilter, row?: Sql): Sql {
  const of = row === undefined ? empty : sql`${row}.`;
  return reference === undefined ? sql`${of}id desc` : sql`${of}order_ref using ~>~, ${of}id desc`;
}

type PageStart = Pick<Page<ChargeId>, "limit" | "after">;

/** The first rows by the index in whose order the list is, in any order. Of a sparse filter some do not fit. */
export function lookedAt(filter: ChargeFilter, columns: Sql, start: PageStart): Sql {
  const { kind: _, status: __, reference, payment, ...others } = filter;
  if (reference !== undefined) return byReference(filter.merchantId, reference, { ...start, columns });
  if (payment === "short") return withMoney(filter, columns, start);
  // A paid order is archived.
  if (payment === "paid") return newest({ ...others, kind: "order", status: "ARCHIVED" }, columns, start);
  return newest(filter, columns, start);
}

/** Clocks of processes, which number charges by time, may differ by so much. */
const MARGIN_MS = 60_000;

/** A range of ids that has every charge of the range of times: ids begin with their time. */
function idsOfTimes({ from, to }: Pick<ChargeFilter, "from" | "to">) {
  return {
    fromId: from && minIdAt(new Date(from.getTime() - MARGIN_MS)),
    beforeId: to && minIdAt(new Date(to.getTime() + MARGIN_MS)),
  };
}

/** The ids find the rows in each index, and the times are exact. */
export function madeIn({ from, to }: Pick<ChargeFilter, "from" | "to">): Sql {
  const { fromId, beforeId } = idsOfTimes({ from, to });
  return sql`${wanted(fromId, (id) => sql`and id >= ${id}`)} ${wanted(beforeId, (id) => sql`and id < ${id}`)}
    ${wanted(from, (time) => sql`and created_at >= ${time}`)} ${wanted(to, (time) => sql`and created_at < ${time}`)}`;
}

/**
 * The newest `limit` rows of the filter, in any order with a facet. They are then merged from the newest of each matching
 * (kind, status). Each is read from the end of one index, so a rare kind does not scan the common ones.
 */
function newest(filter: ChargeFilter, columns: Sql, { limit, after }: PageStart): Sql {
  const { merchantId, kind, status } = filter;
  const isBehind = sql`${wanted(
    after,
    (id) => sql`and id < (
      select last.id from deposit_addresses last where last.merchant_id = ${merchantId} and last.id = ${id})`,
  )} ${madeIn(filter)}`;
  const newestOf = (condition: Sql) =>
    firstRowsOf(
      sql`select ${columns} from ${chargesOfFilter(filter)} where ${condition} ${isBehind} order by id desc`,
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
  const done = statuses.filter((status) => status !== chargeMachine.initial);
  const doneRows = () =>
    newestOfEach(
      sql`cross join unnest(${done}::text[]) as wanted_status`,
      sql`not (${waiting}) and status = wanted_status`,
    );
  if (done.length === statuses.length) return doneRows();
  return done.length === 0
    ? newestOfEach(empty, waiting)
    : sql`${newestOfEach(empty, waiting)} union all ${doneRows()}`;
}

/** These have an index of their own or are no column: the other conditions are checked on those rows, and all matches are counted. */
export function isSelective(filter: ChargeFilter): boolean {
  const { orderRef, customerRef, paymentLinkId, payerRef, createdBy, paymentStatus } = filter;
  return [orderRef, customerRef, paymentLinkId, payerRef, createdBy, paymentStatus].some(isGiven);
}

export function chargesOfFilter({ merchantId, paymentStatus }: ChargeFilter): Sql {
  return sql`deposit_addresses charge ${wanted(paymentStatus, () => decidingSums(merchantId))}`;
}

export function matches({
  merchantId,
  kind,
  status,
  orderRef,
  customerRef,
  paymentLinkId,
  payerRef,
  createdBy,
  paymentStatus,
}: ChargeFilter): Sql {
  return sql`merchant_id = ${merchantId}
    ${wanted(orderRef, (value) => sql`and order_ref = ${value}`)}
    ${wanted(customerRef, (value) => sql`and customer_ref = ${value}`)}
    ${wanted(paymentLinkId, (value) => sql`and payment_link_id = ${value}`)}
    ${wanted(payerRef, (value) => sql`and payer_ref = ${value}`)}
    ${wanted(createdBy, (value) => sql`and created_by = ${value}`)}
    ${wanted(kind, (value) => sql`and kind = ${value}`)} ${wanted(status, (value) => sql`and status = ${value}`)}
    ${wanted(paymentStatus, (value) => sql`and ${hasPaymentStatus(merchantId, value)}`)}`;
}

/** The index of references compares bytes, and these operators do so in any collation. */
function byReference(
  merchantId: MerchantId,
  reference: string,
  { columns, limit, after }: PageStart & { readonly columns: Sql },
): Sql {
  const last = sql`(select last.order_ref from deposit_addresses last where last.merchant_id = ${merchantId} and last.id = ${after})`;
  return sql`
    select ${columns} from deposit_addresses charge
    where merchant_id = ${merchantId} and ${referenceStartsWith(reference)}
      ${wanted(after, (id) => sql`and order_ref ~<=~ ${last} and (order_ref ~<~ ${last} or id < ${id})`)}
    order by order_ref using ~>~, id desc limit ${limit}`;
}

/** The condition that a reference begins with this text: U+10FFFF follows every other character. */
export function referenceStartsWith(text: string): Sql {
  return sql`order_ref ~>=~ ${text} and order_ref ~<~ (${text} || chr(1114111))`;
}

/** Charges that money reached: the others have no sums. */
function withMoney({ merchantId, ...range }: ChargeFilter, columns: Sql, { limit, after }: PageStart): Sql {
  const { fromId, beforeId } = idsOfTimes(range);
  return sql`
    select ${columns}
    from (
      select deposit_address_id from charge_sums
      where merchant_id = ${merchantId} ${wanted(after, (id) => sql`and deposit_address_id < ${id}`)}
        ${wanted(fromId, (id) => sql`and deposit_address_id >= ${id}`)}
        ${wanted(beforeId, (id) => sql`and deposit_address_id < ${id}`)}
      order by deposit_address_id desc limit ${limit}
    ) sums
    join deposit_addresses charge on charge.merchant_id = ${merchantId} and charge.id = sums.deposit_address_id`;
}
