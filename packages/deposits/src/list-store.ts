import type { Currency } from "@daric/domain/asset";
import type { Seen } from "@daric/domain/caller";
import type { DepositStatus } from "@daric/domain/deposit";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { ChargeId, DepositId, MerchantId, PaymentLinkId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { countListed, follows, listPage, type Page, pageOf, wanted } from "@daric/totals/list-store";
import { andSeen } from "@daric/totals/seen-store";
import { type Deposit, type DepositRow, depositColumns, toDeposit } from "./store.ts";

export type ListedDeposit = Deposit & {
  readonly orderRef: string | null;
  readonly headNumber: number;
  /** of the merchant's books now */
  readonly bookCurrency: FiatCurrency;
};

/** A list has the deposits of charges that may be seen. */
export type DepositFilter = Seen & {
  readonly status?: DepositStatus | undefined;
  readonly currency?: Currency | undefined;
  readonly chargeId?: ChargeId | undefined;
  readonly orderRef?: string | undefined;
  readonly paymentLinkId?: PaymentLinkId | undefined;
  readonly payerRef?: string | undefined;
  readonly txHash?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

type ListedRow = DepositRow & Pick<ListedDeposit, "orderRef" | "bookCurrency"> & { headNumber: bigint };

const listedColumns = sql`${depositColumns}, a.order_ref as "orderRef", m.book_currency as "bookCurrency",
  coalesce((select c.number from scan_cursors c where c.network = d.network), d.block_number) as "headNumber"`;

function toListedDeposit({ orderRef, bookCurrency, headNumber, ...row }: ListedRow): ListedDeposit {
  return { ...toDeposit(row), orderRef, bookCurrency, headNumber: Number(headNumber) };
}

export async function listDeposits(
  db: Queryable,
  filter: DepositFilter,
  page: Page<DepositId>,
): Promise<{ rows: ListedDeposit[]; total: number }> {
  return listPage(page, {
    rows: async (part) => {
      const rows = await db.query<ListedRow>(pageStatement(filter, part));
      return rows.map(toListedDeposit);
    },
    total: () => countDeposits(db, filter),
    find: (id) => findDeposit(db, { merchantId: filter.merchantId, createdBy: filter.createdBy, id }),
  });
}

export function pageStatement(filter: DepositFilter, page: Page<DepositId>): Sql {
  const newest = sql`
    select ${listedColumns}
    from deposits d
    join deposit_addresses a on a.merchant_id = d.merchant_id and a.id = d.deposit_address_id
    join merchants m on m.id = d.merchant_id
    where ${conditions(filter)} ${follows(page.after, { merchantId: filter.merchantId, table: sql`deposits`, row: sql`d` })}
    order by d.created_at desc, d.id desc`;
  return pageOf(newest, page);
}

/** The exact total. By status and currency it comes from stored totals; a narrower filter counts the rows of its index. */
async function countDeposits(db: Queryable, filter: DepositFilter): Promise<number> {
  const { merchantId, status, currency, ...narrower } = filter;
  const isNarrower = Object.values(narrower).some((value) => value !== undefined);
  if (!isNarrower) return countListed(db, "deposits", { merchantId, facets: [status, currency] });
  const rows = await db.query<{ total: bigint }>(
    sql`select count(*) as total from deposits d where ${conditions(filter)}`,
  );
  return Number(one(rows).total);
}

/** The deposit with this id; one that may not be seen looks like a missing one. */
export async function findDeposit(
  db: Queryable,
  { id, ...seen }: Seen & { readonly id: DepositId },
): Promise<ListedDeposit | undefined> {
  const row = maybeOne(
    await db.query<ListedRow>(sql`
      select ${listedColumns}
      from deposits d
      join deposit_addresses a on a.merchant_id = d.merchant_id and a.id = d.deposit_address_id
      join merchants m on m.id = d.merchant_id
      where d.merchant_id = ${seen.merchantId} and d.id = ${id} ${andSeen(seen, sql`a.id`)}`),
  );
  return row && toListedDeposit(row);
}

function conditions({ merchantId, ...filter }: DepositFilter): Sql {
  return sql`d.merchant_id = ${merchantId}
    ${wanted(filter.status, hasStatus)}
    ${wanted(filter.currency, (currency) => sql`and d.currency = ${currency}`)}
    ${wanted(filter.chargeId, (id) => sql`and d.deposit_address_id = ${id}`)}
    ${wanted(filter.orderRef, (orderRef) => paysCharges(merchantId, sql`order_ref = ${orderRef}`))}
    ${wanted(filter.paymentLinkId, (id) => paysCharges(merchantId, sql`payment_link_id = ${id}`))}
    ${wanted(filter.payerRef, (payerRef) => paysCharges(merchantId, sql`payer_ref = ${payerRef}`))}
    ${andSeen({ merchantId, createdBy: filter.createdBy }, sql`d.deposit_address_id`)}
    ${wanted(filter.txHash, (txHash) => sql`and d.tx_id = ${txHash}`)}
    ${wanted(filter.from, (from) => sql`and d.created_at >= ${from}`)}
    ${wanted(filter.to, (to) => sql`and d.created_at < ${to}`)}`;
}

/** The status changes too often for an index, so the indexed times select it first. */
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

/** Deposits of the charges with a condition. The charges are found first by their index, which spares a scan of all deposits. */
function paysCharges(merchantId: MerchantId, condition: Sql): Sql {
  return sql`and d.deposit_address_id = any(array(
    select id from deposit_addresses where merchant_id = ${merchantId} and ${condition}))`;
}
