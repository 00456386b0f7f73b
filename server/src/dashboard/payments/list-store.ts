import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { idsOfTimes, newest } from "../../charges/list-store.ts";
import { decidingSums, IS_SETTLED } from "../../charges/payment-status-store.ts";
import type { ChargeKind, ChargeStatus } from "../../domain/charge.ts";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";
import { type Page, wanted } from "../../totals/list-store.ts";

export const paymentFilters = ["paid", "short"] as const;

/** The filters of the list of payments; an undefined one does not narrow it. */
export type PaymentFilter = {
  readonly merchantId: MerchantId;
  readonly kind: ChargeKind | undefined;
  readonly status: ChargeStatus | undefined;
  /** orders that are paid or accepted; or those that got some confirmed money, and are neither */
  readonly payment: (typeof paymentFilters)[number] | undefined;
  /** how `order_ref` begins */
  readonly reference: string | undefined;
  /** made from `from` on and before `to` */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
};

type PageStart = Pick<Page<ChargeId>, "limit" | "after">;
type Places = {
  readonly ids: readonly ChargeId[];
  /** the row after which to read on; undefined at the end of the list */
  readonly next: ChargeId | undefined;
};

/** Filters without an index of their own look at so many rows for one page, however few of them fit. */
export const LOOKED_AT = 2_000;

const columns = sql`id, kind, status, order_ref, created_at, accepted_at, expected_units, pay_units, fiat_currency,
  tolerance_basis_points`;

/**
 * The ids of one page: the newest first, or with a reference the greatest reference first. Every row is read by an index in this order,
 * so a page costs the same in a list of any length. Those that only some rows fit may be few, or none: `next` still leads on.
 */
export async function findPlaces(
  db: Queryable,
  filter: PaymentFilter,
  { limit, after }: PageStart,
): Promise<Places> {
  const most = isSparse(filter) ? LOOKED_AT : limit;
  const order = filter.reference === undefined ? sql`id desc` : sql`order_ref using ~>~, id desc`;
  const looked = sql`select * from (${lookedAt(filter, { limit: most, after })}) looked order by ${order} limit ${most}`;
  const sums = wanted(filter.payment, () => decidingSums(filter.merchantId));
  const rows = await db.query<{ id: ChargeId }>(sql`
    select id from (${looked}) charge ${sums} where ${fits(filter)} order by ${order} limit ${limit}`);
  const ids = rows.map(({ id }) => id);
  if (ids.length === limit) return { ids, next: ids.at(-1) };
  const [last] = await db.query<{ id: ChargeId }>(sql`
    select id from (${looked}) looked order by ${order} offset ${most - 1} limit 1`);
  return { ids, next: last?.id };
}

/** Whether the index in whose order rows are read has rows that do not fit. */
function isSparse({ kind, status, payment, reference, from, to }: PaymentFilter): boolean {
  const others = [kind, status, from, to].some((value) => value !== undefined);
  return payment !== undefined || (reference !== undefined && others);
}

function lookedAt(filter: PaymentFilter, start: PageStart): Sql {
  if (filter.reference !== undefined) return byReference(filter.merchantId, filter.reference, start);
  if (filter.payment === "short") return withMoney(filter, start);
  // A paid order is archived.
  const facets = filter.payment === "paid" ? ({ kind: "order", status: "ARCHIVED" } as const) : filter;
  const { merchantId } = filter;
  const { kind, status } = facets;
  return newest(
    { merchantId, kind, status, after: start.after, ...idsOfTimes(filter) },
    columns,
    start.limit,
  );
}

/** The index of references compares bytes, and these operators do so in any collation. */
function byReference(merchantId: MerchantId, reference: string, { limit, after }: PageStart): Sql {
  const last = sql`(select last.order_ref from deposit_addresses last where last.merchant_id = ${merchantId} and last.id = ${after})`;
  return sql`
    select ${columns} from deposit_addresses
    where merchant_id = ${merchantId} and ${referenceStartsWith(reference)}
      ${wanted(after, (id) => sql`and order_ref ~<=~ ${last} and (order_ref ~<~ ${last} or id < ${id})`)}
    order by order_ref using ~>~, id desc limit ${limit}`;
}

/** The condition that a reference begins with this text: U+10FFFF follows every other character. */
export function referenceStartsWith(text: string): Sql {
  return sql`order_ref ~>=~ ${text} and order_ref ~<~ (${text} || chr(1114111))`;
}

/** Charges that money reached: the others have no sums. */
function withMoney({ merchantId, ...range }: PaymentFilter, { limit, after }: PageStart): Sql {
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

function fits({ kind, status, payment, from, to }: PaymentFilter): Sql {
  return sql`true
    ${wanted(kind, (value) => sql`and kind = ${value}`)} ${wanted(status, (value) => sql`and status = ${value}`)}
    ${wanted(from, (time) => sql`and created_at >= ${time}`)} ${wanted(to, (time) => sql`and created_at < ${time}`)}
    ${wanted(payment, (value) => (value === "paid" ? sql`and ${IS_SETTLED}` : sql`and kind = 'order' and not ${IS_SETTLED}`))}`;
}
