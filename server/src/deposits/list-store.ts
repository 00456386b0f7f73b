import { empty, join, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { DepositStatus } from "../domain/deposit.ts";
import type { ChargeId, DepositId, MerchantId } from "../domain/ids.ts";
import type { Currency } from "../domain/money.ts";
import { type Deposit, type DepositRow, depositColumns, toDeposit } from "./store.ts";

/** A deposit with what a reader wants beside it: its order's reference, and how far the chain has been read. */
export type ListedDeposit = Deposit & { readonly orderRef: string | null; readonly headNumber: number };

export type DepositFilter = {
  readonly merchantId: MerchantId;
  readonly status?: DepositStatus | undefined;
  readonly currency?: Currency | undefined;
  readonly chargeId?: ChargeId | undefined;
  readonly orderRef?: string | undefined;
  readonly txHash?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

type ListedRow = DepositRow & { orderRef: string | null; headNumber: bigint };

const listedColumns = sql`${depositColumns}, a.order_ref as "orderRef",
  coalesce((select c.number from scan_cursors c where c.network = d.network), d.block_number) as "headNumber"`;

function toListedDeposit({ orderRef, headNumber, ...row }: ListedRow): ListedDeposit {
  return { ...toDeposit(row), orderRef, headNumber: Number(headNumber) };
}

/** One page of a merchant's deposits, newest first. */
export async function listDeposits(
  db: Queryable,
  filter: DepositFilter,
  page: { limit: number; offset: number },
): Promise<ListedDeposit[]> {
  const rows = await db.query<ListedRow>(pageStatement(filter, page));
  return rows.map(toListedDeposit);
}

/** The statement of `listDeposits`, whose plan is what keeps page 1 cheap. */
export function pageStatement(filter: DepositFilter, page: { limit: number; offset: number }): Sql {
  return sql`
    select ${listedColumns}
    from deposits d join deposit_addresses a on a.id = d.deposit_address_id
    where ${conditions(filter)}
    order by d.created_at desc, d.id desc limit ${page.limit} offset ${page.offset}`;
}

/**
 * How many deposits a filter has, exactly. By status and currency it is read from the counters, at a cost that does
 * not grow with history; a narrower filter counts the rows that its index finds.
 */
export async function countDeposits(db: Queryable, filter: DepositFilter): Promise<number> {
  const { merchantId, status, currency, ...narrower } = filter;
  const isNarrower = Object.values(narrower).some((value) => value !== undefined);
  const statement = isNarrower
    ? sql`select count(*) as total from deposits d where ${conditions(filter)}`
    : sql`select coalesce(sum(rows), 0)::bigint as total from list_counts
        where list = 'deposits' and merchant_id = ${merchantId}
        ${status === undefined ? empty : sql`and facets[1] = ${status}`}
        ${currency === undefined ? empty : sql`and facets[2] = ${currency}`}`;
  return Number(one(await db.query<{ total: bigint }>(statement)).total);
}

/** The merchant's deposit of this id; another merchant's looks like one that does not exist. */
export async function findDeposit(
  db: Queryable,
  input: { merchantId: MerchantId; id: DepositId },
): Promise<ListedDeposit | undefined> {
  const row = maybeOne(
    await db.query<ListedRow>(sql`
      select ${listedColumns}
      from deposits d join deposit_addresses a on a.id = d.deposit_address_id
      where d.id = ${input.id} and d.merchant_id = ${input.merchantId}`),
  );
  return row && toListedDeposit(row);
}

function conditions(filter: DepositFilter): Sql {
  const parts = [sql`d.merchant_id = ${filter.merchantId}`];
  if (filter.status !== undefined) parts.push(sql`d.status = ${filter.status}`);
  if (filter.currency !== undefined) parts.push(sql`d.currency = ${filter.currency}`);
  if (filter.chargeId !== undefined) {
    parts.push(sql`d.deposit_address_id = ${filter.chargeId}`);
  }
  if (filter.orderRef !== undefined) parts.push(paysOrderRef(filter.merchantId, filter.orderRef));
  if (filter.txHash !== undefined) parts.push(sql`d.tx_id = ${filter.txHash}`);
  if (filter.from !== undefined) parts.push(sql`d.created_at >= ${filter.from}`);
  if (filter.to !== undefined) parts.push(sql`d.created_at < ${filter.to}`);
  return join(parts, " and ");
}

/**
 * Deposits to the charges that carry a reference. The few charges are found first, by their own index; joined and
 * filtered instead, every deposit of the merchant would be looked at for one reference.
 */
function paysOrderRef(merchantId: MerchantId, orderRef: string): Sql {
  return sql`d.deposit_address_id = any(array(
    select id from deposit_addresses where merchant_id = ${merchantId} and order_ref = ${orderRef}))`;
}
