import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import { empty, join, one, type Queryable, type Sql, sql, type Tie, untied } from "@daric/postgres/sql";

/** The lists with totals, by table. */
export type ListName = "deposit_addresses" | "deposits" | "webhook_deliveries";

/** The `limit` rows after the first `offset`. With `after` only the rows after that row count. */
export type Page<Id extends string = never> = {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Id | undefined;
};

/** Each total is spread over this many rows, so that transactions of one merchant rarely wait for each other. */
const SLOTS = 32;
const slotOfNow: Sql = sql`extract(microseconds from now())::integer % ${SLOTS}::integer`;
const NO_ROW = { path: "after", message: "must be the id of a row of this list" };
/**
 * From this offset on the rows are counted before the page is read. Skipping this many rows takes about a
 * millisecond.
 */
const DEEP = 10_000;

/**
 * The text of a CTE that adds changes of a list to its totals. It runs in the statement that makes the changes, so the totals
 * are exact under concurrency. `changes` is a query of (merchant_id, facets text[], delta): the rows that came, negative
 * for those that went, both if their facets changed. Facets are the values of the list's filters, in a fixed order.
 *
 * Changes that a CTE made come with their `tie`.
 *
 * The slot follows from the transaction's start time: a transaction keeps to one slot, so two of them cannot deadlock.
 */
export function counted(list: ListName, changes: Sql, tie: Tie = untied): Sql {
  const { tenant } = tie;
  return sql`
    insert into list_counts (merchant_id, list, facets, slot, rows)
    select ${tenant}, ${list}, facets, ${slotOfNow}, sum(delta)
    from (${changes}) changes ${tie.join}
    group by ${tenant}, facets having sum(delta) <> 0 order by ${tenant}, facets
    on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + excluded.rows`;
}

/** A statement of its own that adds new rows of one merchant's list, each with its facets, to the totals. */
export function countedRows(
  list: ListName,
  merchantId: MerchantId,
  facetsOfRows: readonly (readonly string[])[],
): Sql {
  const counts = new Map<string, { facets: readonly string[]; rows: number }>();
  for (const facets of facetsOfRows) {
    const { rows = 0 } = counts.get(facets.join()) ?? {};
    counts.set(facets.join(), { facets, rows: rows + 1 });
  }
  // Two transactions of one slot cannot deadlock, since both lock in this order.
  const inOrder = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const values = inOrder.map(
    ([, { facets, rows }]) => sql`(${merchantId}, ${list}, ${facets}, ${slotOfNow}, ${rows})`,
  );
  return sql`
    insert into list_counts (merchant_id, list, facets, slot, rows) values ${join(values)}
    on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + excluded.rows`;
}

/**
 * The exact number of rows of a list, at a cost that does not grow with its history. `facets` are the filter values by
 * position; undefined means any value.
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
 * The first `limit` rows of an ordered query. The planner cannot see a parameter's value and assumes a tenth of the table,
 * so it would plan each request again. A literal limit of 100 around it states that the rows are few.
 */
export function firstRowsOf(ordered: Sql, limit: number): Sql {
  return pageOf(ordered, { limit, offset: 0 });
}

/** One page of an ordered query. The skipped rows are read too. */
export function pageOf(ordered: Sql, { limit, offset }: Omit<Page, "after">): Sql {
  const skipped = offset === 0 ? empty : sql`offset ${offset}`;
  if (limit + offset > 100) return sql`${ordered} limit ${limit} ${skipped}`;
  return sql`select * from (${ordered} limit 100) few limit ${limit} ${skipped}`;
}

/** A condition on a filter's value; empty if the filter is not used. */
export function wanted<T>(value: T | undefined, condition: (value: T) => Sql): Sql {
  return value === undefined ? empty : condition(value);
}

/** The condition that `row` of a table follows the row `after` in the list of a merchant, newest first. */
export function follows(
  after: string | undefined,
  { merchantId, table, row = table }: { merchantId: MerchantId; table: Sql; row?: Sql },
): Sql {
  return wanted(
    after,
    (id) => sql`and (${row}.created_at, ${row}.id) <
      (select last.created_at, last.id from ${table} last where last.merchant_id = ${merchantId} and last.id = ${id})`,
  );
}

/**
 * The rows of a page and the total; the two may be of different moments. A page past the end reads no rows, so it costs no
 * more than one that exists.
 *
 * @throws VALIDATION_ERROR if no row has the id `after`.
 */
export async function listPage<Row, Id extends string, Total extends number | null>(
  page: Page<Id>,
  list: {
    rows: (page: Page<Id>) => Promise<Row[]>;
    /** null without a count */
    total: () => Promise<Total>;
    find: (id: Id) => Promise<unknown>;
  },
): Promise<{ rows: Row[]; total: Total }> {
  if (page.offset < DEEP) {
    const [rows, total] = await Promise.all([list.rows(page), list.total()]);
    const { after } = page;
    if (rows.length === 0 && after !== undefined && (await list.find(after)) === undefined)
      throw new ApiError("VALIDATION_ERROR", { details: [NO_ROW] });
    return { rows, total };
  }
  const total = await list.total();
  return { rows: total === null || page.offset < total ? await list.rows(page) : [], total };
}

function both(left: Sql, right: Sql): Sql {
  return sql`${left} ${right}`;
}
