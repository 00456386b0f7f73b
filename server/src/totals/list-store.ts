import { empty, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { MerchantId } from "../domain/ids.ts";

/** The lists that have totals, by their tables, and what each can be filtered by at no more cost than without. */
export type ListName = "deposit_addresses" | "deposits" | "webhook_deliveries";

/** One page of a list: `limit` rows after the first `offset`. */
export type Page = { readonly limit: number; readonly offset: number };

/** One total is spread over so many rows, so that transactions of one merchant rarely wait for each other on it. */
const SLOTS = 32;
/** Rows that a page may lie behind before its list is counted first; reading past them costs about a millisecond. */
const DEEP = 10_000;

/**
 * Part of a statement that changes the rows of a list: a data-modifying CTE's text that adds the changes to the totals, in
 * the same transaction, so that they are exact whatever runs beside it. `changes` is a query of
 * (merchant_id, facets text[], delta), a row or several for each row of the list that came (1), went (-1) or has other
 * facets now (both). Facets are the values that the list can be filtered by, in a fixed order.
 *
 * The slot follows from the time at which the transaction began, so that a transaction keeps to one slot and two of
 * them cannot wait for each other crosswise.
 */
export function counted(list: ListName, changes: Sql): Sql {
  return sql`
    insert into list_counts (merchant_id, list, facets, slot, rows)
    select merchant_id, ${list}, facets, extract(microseconds from now())::integer % ${SLOTS}::integer, sum(delta)
    from (${changes}) changes
    group by merchant_id, facets having sum(delta) <> 0 order by merchant_id, facets
    on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + excluded.rows`;
}

/**
 * How many rows a list has, exactly, at a cost that does not grow with its history. `facets` are the wanted values by
 * their place in the list's facets; undefined leaves the place out of the filter.
 */
export async function countListed(
  db: Queryable,
  list: ListName,
  { merchantId, facets }: { merchantId: MerchantId; facets: readonly (string | undefined)[] },
): Promise<number> {
  const row = one(
    await db.query<{ total: bigint }>(sql`
      select coalesce(sum(rows), 0)::bigint as total from list_counts
      where merchant_id = ${merchantId} and list = ${list}
      ${facets.map((facet, index) => wanted(facet, (value) => sql`and facets[${index + 1}::integer] = ${value}`)).reduce(both, empty)}`),
  );
  return Number(row.total);
}

/**
 * Part of a statement: the first `limit` rows of a query in its order. Of a parameter the planner knows no value and takes a
 * tenth of the table for it, which looks so dear for a large one that it would plan each request anew: of few rows the
 * text says how few they are.
 */
export function firstRowsOf(ordered: Sql, limit: number): Sql {
  return pageOf(ordered, { limit, offset: 0 });
}

/** The same for a page: what it skips is read with it. */
export function pageOf(ordered: Sql, { limit, offset }: Page): Sql {
  const skipped = offset === 0 ? empty : sql`offset ${offset}`;
  if (limit + offset > 100) return sql`${ordered} limit ${limit} ${skipped}`;
  return sql`select * from (${ordered} limit 100) few limit ${limit} ${skipped}`;
}

/** A condition on a filter's value; nothing where the filter leaves it out. */
export function wanted<T>(value: T | undefined, condition: (value: T) => Sql): Sql {
  return value === undefined ? empty : condition(value);
}

/**
 * The rows of a page and the total, which may be of two moments. A page far behind costs no more than one that exists:
 * the list is counted first, and behind its end nothing is read.
 */
export async function listPage<Row>(
  page: Page,
  list: { rows: (page: Page) => Promise<Row[]>; total: () => Promise<number> },
): Promise<{ rows: Row[]; total: number }> {
  if (page.offset < DEEP) {
    const [rows, total] = await Promise.all([list.rows(page), list.total()]);
    return { rows, total };
  }
  const total = await list.total();
  return { rows: page.offset < total ? await list.rows(page) : [], total };
}

function both(left: Sql, right: Sql): Sql {
  return sql`${left} ${right}`;
}
