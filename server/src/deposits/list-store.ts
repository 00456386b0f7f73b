import { maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { Currency } from "../domain/asset.ts";
import type { DepositStatus } from "../domain/deposit.ts";
import type { ChargeId, DepositId, MerchantId } from "../domain/ids.ts";
import { countListed, listPage, type Page, pageOf, wanted } from "../totals/list-store.ts";
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

/** One page of a merchant's deposits, newest first, and how many the filter has. */
export async function listDeposits(
  db: Queryable,
  filter: DepositFilter,
  page: Page,
): Promise<{ rows: ListedDeposit[]; total: number }> {
  return listPage(page, {
    rows: async (part) => {
      const rows = await db.query<ListedRow>(pageStatement(filter, part));
      return rows.map(toListedDeposit);
    },
    total: () => countDeposits(db, filter),
  });
}

/** The statement of a page of `listDeposits`, whose plan is what keeps page 1 cheap. */
export function pageStatement(filter: DepositFilter, page: Page): Sql {
  const newest = sql`
    select ${listedColumns}
    from deposits d
    join deposit_addresses a on a.merchant_id = d.merchant_id and a.id = d.deposit_address_id
    where ${conditions(filter)}
    order by d.created_at desc, d.id desc`;
  return pageOf(newest, page);
}

/**
 * How many deposits a filter has, exactly. By status and currency it is read from the totals, at a cost that does
 * not grow with history; a narrower filter counts the rows that its index finds.
 */
async function countDeposits(db: Queryable, filter: DepositFilter): Promise<number> {
  const { merchantId, status, currency, ...narrower } = filter;
  const isNarrower = Object.values(narrower).some((value) => value !== undefined);
  if (!isNarrower) return countListed(db, "deposits", { merchantId, facets: [status, currency] });
  const rows = await db.query<{ total: bigint }>(
    sql`select count(*) as total from deposits d where ${conditions(filter)}`,
  );
  return Number(one(rows).total);
}

/** The merchant's deposit of this id; another merchant's looks like one that does not exist. */
export async function findDeposit(
  db: Queryable,
  input: { merchantId: MerchantId; id: DepositId },
): Promise<ListedDeposit | undefined> {
  const row = maybeOne(
    await db.query<ListedRow>(sql`
      select ${listedColumns}
      from deposits d
      join deposit_addresses a on a.merchant_id = d.merchant_id and a.id = d.deposit_address_id
      where d.merchant_id = ${input.merchantId} and d.id = ${input.id}`),
  );
  return row && toListedDeposit(row);
}

function conditions({ merchantId, ...filter }: DepositFilter): Sql {
  return sql`d.merchant_id = ${merchantId}
    ${wanted(filter.status, hasStatus)}
    ${wanted(filter.currency, (currency) => sql`and d.currency = ${currency}`)}
    ${wanted(filter.chargeId, (id) => sql`and d.deposit_address_id = ${id}`)}
    ${wanted(filter.orderRef, (orderRef) => paysOrderRef(merchantId, orderRef))}
    ${wanted(filter.txHash, (txHash) => sql`and d.tx_id = ${txHash}`)}
    ${wanted(filter.from, (from) => sql`and d.created_at >= ${from}`)}
    ${wanted(filter.to, (to) => sql`and d.created_at < ${to}`)}`;
}

/** The times say which index has the status: no index has the status itself, which changes too often. */
function hasStatus(status: DepositStatus): Sql {
  switch (status) {
    case "CONFIRMED":
      return sql`and d.confirmed_at is not null`;
    case "FAILED":
      return sql`and d.failed_at is not null`;
    default:
      return sql`and d.confirmed_at is null and d.failed_at is null and d.status = ${status}`;
  }
}

/**
 * Deposits to the charges that carry a reference. The few charges are found first, by their own index; joined and
 * filtered instead, every deposit of the merchant would be looked at for one reference.
 */
function paysOrderRef(merchantId: MerchantId, orderRef: string): Sql {
  return sql`and d.deposit_address_id = any(array(
    select id from deposit_addresses where merchant_id = ${merchantId} and order_ref = ${orderRef}))`;
}
