import { minIdAt } from "@daric/charges/min-id";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { amountTerm, type SearchedTexts, senderTerm, textTerms } from "@daric/domain/search-terms";
import { joinedOf, type Queryable, replanned, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** The lists whose rows give terms. */
export const searchedLists = ["deposit_addresses", "deposits"] as const;
export type SearchedList = (typeof searchedLists)[number];
export type ListOfMerchant = { readonly merchantId: MerchantId; readonly list: SearchedList };

/** The place of a row in the order of its list. `at` keeps the database's microseconds. */
export type Place = { readonly at: string; readonly id: string };
export type ReadProgress = Place & { readonly rows: bigint };

type ChargeTerms = { readonly id: ChargeId; readonly terms: readonly string[] };
export type TermPage = { readonly rows: readonly ChargeTerms[]; readonly last: Place | undefined };

/** The number of rows of each list of each merchant. */
export async function readTotals(db: Queryable): Promise<(ListOfMerchant & { readonly rows: bigint })[]> {
  return db.query(
    globally(
      "search-totals",
      sql`
      select merchant_id as "merchantId", list, sum(rows)::bigint as rows from list_counts
      where list in ('deposit_addresses', 'deposits') group by merchant_id, list`,
    ),
  );
}

/** How many rows of each list have their terms for sure. */
export async function readProgress(db: Queryable): Promise<(ListOfMerchant & { readonly rows: bigint })[]> {
  const statement = sql`select merchant_id as "merchantId", list, rows from search_progress`;
  return db.query(globally("search-progress", statement));
}

/** The progress of a list, which stays until the end of the transaction as it is; with `change` this transaction alone may change it. */
export async function holdProgress(
  tx: Transaction,
  { merchantId, list }: ListOfMerchant,
  { change }: { readonly change: boolean },
): Promise<ReadProgress> {
  const read = () =>
    tx.query<ReadProgress>(sql`
      select after_at::text as at, after_id as id, rows from search_progress
      where merchant_id = ${merchantId} and list = ${list} ${change ? sql`for update` : sql`for share`}`);
  const [held] = await read();
  if (held !== undefined) return held;
  await tx.query(
    sql`insert into search_progress (merchant_id, list) values (${merchantId}, ${list}) on conflict do nothing`,
  );
  const [made] = await read();
  if (made === undefined) throw new Error(`no progress of ${list}`);
  return made;
}

/** Moves the progress to the last row of a page. */
export async function moveProgress(
  tx: Transaction,
  { merchantId, list }: ListOfMerchant,
  { at, id, rows }: ReadProgress,
): Promise<void> {
  await tx.query(sql`
    update search_progress set after_at = ${at}::timestamptz, after_id = ${id}::uuid, rows = ${rows}
    where merchant_id = ${merchantId} and list = ${list}`);
}

/**
 * Sets the progress to the start of the list if its rows are others than the total says. Both are read in one moment. A list starts anew
 * once an hour at most.
 */
export async function restartIfMissed(
  tx: Transaction,
  { merchantId, list }: ListOfMerchant,
): Promise<boolean> {
  const after =
    list === "deposits"
      ? sql`(select count(*) from deposits later where later.merchant_id = ${merchantId}
          and (later.created_at, later.id) > (progress.after_at, progress.after_id))`
      : sql`(select count(*) from deposit_addresses later where later.merchant_id = ${merchantId} and later.id > progress.after_id)`;
  const restarted = await tx.query(sql`
    update search_progress progress
    set after_at = '-infinity', after_id = '00000000-0000-0000-0000-000000000000', rows = 0, restarted_at = now()
    where progress.merchant_id = ${merchantId} and progress.list = ${list}
      and progress.restarted_at < now() - interval '1 hour'
      and progress.rows + ${after} <> (
        select coalesce(sum(counted.rows), 0) from list_counts counted
        where counted.merchant_id = ${merchantId} and counted.list = ${list})
    returning progress.list`);
  return restarted.length > 0;
}

type PageRange = { readonly after: Place; readonly before: Date | undefined; readonly limit: number };

/** The terms of the rows after a place, made before a time, in the order of the list. */
export async function readTermPage(
  db: Queryable,
  { merchantId, list }: ListOfMerchant,
  range: PageRange,
): Promise<TermPage> {
  return list === "deposits" ? depositTerms(db, merchantId, range) : chargeTerms(db, merchantId, range);
}

async function chargeTerms(db: Queryable, merchantId: MerchantId, range: PageRange): Promise<TermPage> {
  const before: Sql = range.before === undefined ? sql`` : sql`and id < ${minIdAt(range.before)}::uuid`;
  const rows = await db.query<{
    id: ChargeId;
    orderRef: string | null;
    customerRef: string | null;
    label: string | null;
    metadata: Metadata | null;
    fiatAmount: string | null;
    expectedUnits: bigint | null;
    payUnits: bigint | null;
  }>(sql`
    select id, order_ref as "orderRef", customer_ref as "customerRef", label, metadata, fiat_amount as "fiatAmount",
      expected_units as "expectedUnits", pay_units as "payUnits"
    from deposit_addresses where merchant_id = ${merchantId} and id > ${range.after.id}::uuid ${before}
    order by id limit ${range.limit}`);
  return {
    rows: rows.map(({ id, fiatAmount, expectedUnits, payUnits, ...texts }) => ({
      id,
      terms: [...textTerms(texts), ...amountTerms([fiatAmount, expectedUnits, payUnits])],
    })),
    last: placeOf(rows.at(-1)),
  };
}

async function depositTerms(db: Queryable, merchantId: MerchantId, range: PageRange): Promise<TermPage> {
  const before: Sql = range.before === undefined ? sql`` : sql`and deposit.created_at < ${range.before}`;
  const { after, limit } = range;
  const of = (column: Sql) => joinedOf(column, [merchantId]);
  // Charges are found by their keys whatever the statistics.
  const rows = await db.query<{
    id: string;
    at: string;
    chargeId: ChargeId;
    units: bigint;
    sender: string | null;
    sum: string | null;
  }>(
    replanned(sql`
    select deposit.id, to_char(deposit.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, deposit.deposit_address_id as "chargeId", deposit.units,
      deposit.from_address as sender,
      case when charge.kind <> 'receive' then (sums.confirmed + sums.pending)::text end as sum
    from (
      select * from deposits deposit
      where deposit.merchant_id = ${merchantId} and (deposit.created_at, deposit.id) > (${after.at}::timestamptz, ${after.id}::uuid) ${before}
      order by deposit.created_at, deposit.id limit ${limit}) deposit
    cross join lateral (
      select kind from deposit_addresses charge
      where ${of(sql`charge.merchant_id`)} and charge.merchant_id = deposit.merchant_id and charge.id = deposit.deposit_address_id offset 0) charge
    left join lateral (
      select confirmed, pending from charge_sums sums
      where ${of(sql`sums.merchant_id`)} and sums.merchant_id = deposit.merchant_id
        and sums.deposit_address_id = deposit.deposit_address_id offset 0) sums on true
    order by deposit.created_at, deposit.id`),
  );
  return {
    rows: rows.map(({ chargeId: id, units, sender, sum }) => ({
      id,
      terms: [
        ...amountTerms([units, sum === null ? null : BigInt(sum)]),
        ...(sender === null ? [] : [senderTerm(sender)]),
      ],
    })),
    last: placeOf(rows.at(-1)),
  };
}

function placeOf(row: { readonly id: string; readonly at?: string } | undefined): Place | undefined {
  return row && { id: row.id, at: row.at ?? "-infinity" };
}

/** Units are those of any currency: each has six decimals. */
function amountTerms(amounts: readonly (string | bigint | null)[]): string[] {
  const decimals = amounts.flatMap((amount) => {
    if (amount === null) return [];
    return [typeof amount === "string" ? amount : formatAmount(amountFromUnits(amount))];
  });
  return [...new Set(decimals.map(amountTerm))];
}

/** Writes terms; those that stand already stay. Two writers insert in one order, so they cannot deadlock. */
export async function insertTerms(
  tx: Transaction,
  merchantId: MerchantId,
  rows: readonly ChargeTerms[],
): Promise<void> {
  const pairs = rows.flatMap(({ id, terms }) => terms.map((term) => ({ id, term })));
  if (pairs.length === 0) return;
  await tx.query(sql`
    insert into search_terms (merchant_id, term, deposit_address_id)
    select ${merchantId}::uuid, term, id
    from unnest(${pairs.map(({ term }) => term)}::text[], ${pairs.map(({ id }) => id)}::uuid[]) as made (term, id)
    order by made.term collate "C", made.id
    on conflict do nothing`);
}

type PayersCharges = { readonly orderRef: string | undefined; readonly customerRef: string | undefined };

/**
 * Deletes the terms of the free texts of a payer's charges, before those are emptied in the same transaction. Until its end no writer
 * reads them again. Needs the owner of the tables.
 */
export async function deleteTermsOfTexts(
  tx: Transaction,
  merchantId: MerchantId,
  { orderRef = "", customerRef = "" }: PayersCharges,
): Promise<void> {
  await holdProgress(tx, { merchantId, list: "deposit_addresses" }, { change: true });
  const charges = await tx.query<SearchedTexts & { id: ChargeId }>(sql`
    select id, order_ref as "orderRef", customer_ref as "customerRef", label, metadata from deposit_addresses
    where merchant_id = ${merchantId} and (order_ref = ${orderRef} or customer_ref = ${customerRef})`);
  const pairs = charges.flatMap(({ id, ...texts }) => {
    const kept = new Set(textTerms({ ...texts, label: null, metadata: null }));
    return textTerms(texts).flatMap((term) => (kept.has(term) ? [] : [{ id, term }]));
  });
  await tx.query(sql`
    delete from search_terms found
    using unnest(${pairs.map(({ term }) => term)}::text[], ${pairs.map(({ id }) => id)}::uuid[]) as emptied (term, id)
    where found.merchant_id = ${merchantId} and found.term = emptied.term and found.deposit_address_id = emptied.id`);
}
