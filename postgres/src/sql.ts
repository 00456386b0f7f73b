import sqlTag, { empty, join, raw, type Sql } from "sql-template-tag";

/**
 * Statements are written with the `sql` tag: every `${value}` becomes a parameter, a nested `sql` fragment
 * becomes text. Optional filters are composed with `join` and `empty`; a list is one array parameter
 * (`id = any(${ids})`), so that the text, and with it the prepared statement, stays the same for every length.
 */
export const sql = sqlTag;
export { empty, join, type Sql };

/**
 * Words of ours, such as statuses, as literals in the text of a statement: `'PENDING', 'FAILED'`. The planner sees that
 * a partial index serves a statement only in its text, never in a parameter.
 *
 * @throws Error for anything but capital letters and `_`, so that nothing from outside can become text.
 */
export function literals(...values: readonly string[]): Sql {
  const foreign = values.find((word) => !/^[A-Z_]+$/.test(word));
  if (foreign !== undefined || values.length === 0) throw new Error(`no words of ours: ${foreign ?? "none"}`);
  return raw(values.map((word) => `'${word}'`).join(", "));
}

/**
 * A name of a column as text of a statement.
 *
 * @throws Error for anything but letters and `_`, so that nothing from outside can become text.
 */
export function column(name: string): Sql {
  if (!/^[A-Za-z_]+$/.test(name)) throw new Error(`no name of a column: ${name}`);
  return raw(`"${name}"`);
}

/** A duration for a statement; null stays null. */
export function milliseconds(ms: number | null): Sql {
  return sql`${ms}::double precision * interval '1 millisecond'`;
}

/** Tenants that one statement may be about at most. */
export const MAX_TENANTS = 200;

/**
 * The condition on the tenant column of a statement about one tenant, or several: `merchant_id ${oneOf(ids)}`. For one it
 * reads `= $1`, which an engine that keeps tenants apart sends to where that one is; for more it is a list, which one
 * PostgreSQL answers by index.
 *
 * @throws Error for nobody, which is no statement, and for more than 200: the caller works through its list in parts.
 */
export function oneOf(ids: readonly string[]): Sql {
  const [only, ...others] = new Set(ids);
  if (only === undefined) throw new Error("a statement is about one tenant at least");
  if (others.length >= MAX_TENANTS) throw new Error(`a statement is about ${MAX_TENANTS} tenants at most`);
  return others.length === 0 ? sql`= ${only}::uuid` : sql`= any(${[only, ...others]}::uuid[])`;
}

/**
 * Marks a read that finds a few rows by a key: many such of a process share a connection, sent one behind the other
 * without waiting, which costs about two thirds of the CPU. Whoever is behind a slow one waits with it, so a list is
 * none, nor is what locks or writes. In a transaction the mark means nothing.
 */
export function quick(statement: Sql): Sql {
  return Object.assign(statement, { isQuick: true });
}

export function isQuick(statement: Sql & { readonly isQuick?: boolean }): boolean {
  return statement.isQuick === true;
}

/**
 * The condition on the tenant column of a table that is joined by its tenant to a list of these: `merchant_id = $1` for one,
 * as in `oneOf`. For more the join says it, and a list in its place would keep the planner from the table's own key.
 *
 * @throws Error where `oneOf` does.
 */
export function joinedOf(column: Sql, ids: readonly string[]): Sql {
  const of = oneOf(ids);
  return new Set(ids).size === 1 ? sql`${column} ${of}` : sql`true`;
}

/** What a store function needs: the database itself or a transaction that is open on it. */
export type Queryable = {
  /**
   * Runs one statement and returns its rows. `int8` arrives as bigint, `numeric` as string, `timestamptz` as Date.
   *
   * @throws DatabaseUnavailableError when the server cannot be asked or the connection is lost.
   * @throws HeldUpError when a row was held for longer than may be waited for.
   * @throws CommitUnknownError when a statement that writes, outside a transaction, was sent and not answered.
   */
  query<Row>(statement: Sql): Promise<Row[]>;
};

/** An open transaction. Its statements run one after the other; it refuses statements once it is over. */
export interface Transaction extends Queryable {
  /** Distinguishes a transaction from the database in types: some work is only right inside one. */
  readonly inTransaction: true;
}

/** The database as the rooms of this service see it. */
export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
   * The whole of `work` runs again after a deadlock or a serialization failure, so it must have no effect
   * outside the transaction.
   *
   * @throws CommitUnknownError when the commit was sent and not answered.
   * @throws DatabaseUnavailableError when nothing was committed because the server cannot be asked.
   * @throws HeldUpError when nothing was committed because a row was held for too long.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * The same connections for callers who wait: whatever the server does, a statement and a whole transaction are
   * answered within `ms`, by DatabaseUnavailableError or CommitUnknownError at the latest. A transaction gives up by
   * HeldUpError on a row that is held for two seconds.
   */
  answeringWithin(ms: number): Database;

  /**
   * The same connections for what this tenant asks, who never has more than half of them: whatever holds its statements up,
   * others are answered.
   *
   * @throws HeldUpError, from whatever is asked of it, when the tenant's share is not free within two seconds.
   */
  ofTenant(tenant: string): Database;

  /** Ends all connections, waiting a bounded time for statements that are running. */
  close(): Promise<void>;
}

/**
 * The only row of an answer that must have exactly one.
 *
 * @throws Error for none and for several.
 */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}

/**
 * The row of an answer that may have one at most.
 *
 * @throws Error for several.
 */
export function maybeOne<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new Error(`expected one row at most, got ${rows.length}`);
  return rows[0];
}
