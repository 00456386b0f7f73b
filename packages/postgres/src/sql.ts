import sqlTag, { empty, join, raw, type Sql } from "sql-template-tag";
import { isSharded, MAX_TENANTS, requireAnswering, shardOf } from "./tenants.ts";

/**
 * Builds statements: every `${value}` becomes a parameter, a nested `sql` fragment becomes text. `join` and `empty`
 * compose optional filters. A list is one array parameter (`id = any(${ids})`), so the text stays the same for
 * every length.
 */
export const sql = sqlTag;
export { empty, join, type Sql };

/**
 * Constants such as statuses as literals, since the planner matches a partial index by text only.
 * @throws Error for anything but capital letters and `_`, so that no input can become text.
 */
export function literals(...values: readonly string[]): Sql {
  const foreign = values.find((word) => !/^[A-Z_]+$/.test(word));
  if (foreign !== undefined || values.length === 0)
    throw new Error(`not a constant of capital letters: ${foreign ?? "none"}`);
  return raw(values.map((word) => `'${word}'`).join(", "));
}

/**
 * A name of a column as text of a statement.
 *
 * @throws Error for anything but letters and `_`, so that nothing from outside can become text.
 */
export function column(name: string): Sql {
  if (!/^[A-Za-z_]+$/.test(name)) throw new Error(`not a name of a column: ${name}`);
  return raw(`"${name}"`);
}

/** A duration for a statement; null stays null. */
export function milliseconds(ms: number | null): Sql {
  return sql`${ms}::double precision * interval '1 millisecond'`;
}

/**
 * A `timestamptz` moved by an interval of seconds or less. All operators are immutable. A sharded engine evaluates no others on
 * a column that it updates.
 */
export function laterBy(time: Sql, interval: Sql): Sql {
  return sql`((${time} at time zone 'UTC' + ${interval}) at time zone 'UTC')`;
}

/**
 * The condition on the tenant column: `merchant_id ${oneOf(ids)}`. One id reads `= $1`, which a sharded engine can
 * route; several are a list, which PostgreSQL answers by index and a sharded engine routes to their shard.
 * @throws Error for no id, for more than 200, and for ids of several shards: the caller splits its list.
 * @throws HungServerError while their server does not answer.
 */
export function oneOf(ids: readonly string[]): Sql {
  const [only, ...others] = new Set(ids);
  if (only === undefined) throw new Error("a statement must name at least one tenant");
  requireAnswering(only);
  if (others.length >= MAX_TENANTS) throw new Error(`a statement may name at most ${MAX_TENANTS} tenants`);
  if (others.length === 0) return sql`= ${only}::uuid`;
  const shard = shardOf(only);
  if (others.some((id) => shardOf(id) !== shard))
    throw new Error("a statement may name tenants of one shard alone");
  return sql`= any(${[only, ...others]}::uuid[])`;
}

/** How an insert names the tenant of rows that it selects, and the join that stands after them. */
export type Tie = { readonly tenant: Sql; readonly join: Sql };

/** The tenant is a column of the rows. */
export const untied: Tie = { tenant: sql`merchant_id`, join: sql`` };

/**
 * For an insert that reads rows of these tenants, named by a column, from a CTE. A sharded engine sends such rows to every server, unless the insert takes the
 * tenant from a table of the tenant's server. On one server there is no join.
 * @throws Error as `oneOf` does.
 */
export function tieTo(ids: readonly string[], column: Sql = sql`merchant_id`): Tie {
  if (!isSharded()) return { ...untied, tenant: column };
  const row = sql`(select id as tenant from merchants where id ${oneOf(ids)}) tied`;
  return { tenant: sql`tied.tenant`, join: sql`join ${row} on tied.tenant = ${column}` };
}

/**
 * Rows as part of a FROM clause: a JSON array of objects, whose columns `columns` names with types. A sharded engine sends the rows of a CTE
 * that an insert reads to every server. These go to the server of their tenant alone.
 */
export function jsonRows(rows: string, columns: Sql): Sql {
  return sql`(select * from jsonb_to_recordset(${rows}::jsonb) as one (${columns})) listed`;
}

/**
 * Marks a read of a few rows by key. Such reads share a pipelined connection, for two thirds of the CPU. Lists,
 * locks and writes would delay the others. No effect in a transaction.
 */
export function quick(statement: Sql): Sql {
  return Object.assign(statement, { isQuick: true });
}

export function isQuick(statement: Sql & { readonly isQuick?: boolean }): boolean {
  return statement.isQuick === true;
}

/**
 * Marks a statement that finds many rows by their keys: it is planned at each run, for the present size of its tables. PostgreSQL
 * may keep a plan from nearly empty tables until they are analyzed. By such a plan each key reads all rows of its tenant.
 */
export function replanned(statement: Sql): Sql {
  return Object.assign(statement, { isReplanned: true });
}

export function isReplanned(statement: Sql & { readonly isReplanned?: boolean }): boolean {
  return statement.isReplanned === true;
}

/**
 * The condition on a second table that is joined by its tenant. On one server the join suffices. An id or a list beside it would let
 * the planner read the table by the tenant alone, which looks cheap before the first statistics. A sharded engine needs it.
 * @throws Error as `oneOf` does.
 */
export function joinedOf(column: Sql, ids: readonly string[]): Sql {
  const of = oneOf(ids);
  return isSharded() ? sql`${column} ${of}` : sql`true`;
}

/** The condition on the tenant column of a table in a nested query. A sharded engine runs it on one shard only if each table has one. */
export type Naming = (column: Sql) => Sql;

/** No condition: the query around it, or its join, names the tenant. */
export const unnamed: Naming = () => sql`true`;

/** The database, or a transaction that is open on it. */
export type Queryable = {
  /**
   * Runs one statement and returns its rows. `int8` arrives as bigint, `numeric` as string, `timestamptz` as Date.
   * @throws DatabaseUnavailableError when the server cannot be reached or the connection is lost.
   * @throws HeldUpError when a row was held for too long.
   * @throws CommitUnknownError when a write outside a transaction was sent and not answered.
   */
  query<Row>(statement: Sql): Promise<Row[]>;
};

/** An open transaction. Its statements run one after the other; after its end it rejects statements. */
export interface Transaction extends Queryable {
  readonly inTransaction: true;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. `work` runs again after
   * a deadlock or a serialization failure, so it must have no effect outside the transaction.
   * @throws CommitUnknownError when the commit was sent and not answered.
   * @throws DatabaseUnavailableError when nothing was committed because the server cannot be reached.
   * @throws HeldUpError when nothing was committed because a row was held for too long.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * The same connections with a deadline: each statement and transaction ends within `ms`, at the latest with
   * DatabaseUnavailableError or CommitUnknownError. A transaction gives up with HeldUpError after two seconds at a
   * held row.
   */
  answeringWithin(ms: number): Database;

  /**
   * The same connections for one tenant, which never has more than half of them, together with the others of its server.
   * @throws HungServerError while its server does not answer.
   * @throws HeldUpError when the tenant's share is not free within two seconds.
   */
  forTenant(tenant: string): Database;

  close(): Promise<void>;
}

/** Returns the only row. @throws Error for none and for several. */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}

/** Returns the only row, or undefined. @throws Error for several. */
export function maybeOne<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new Error(`expected one row at most, got ${rows.length}`);
  return rows[0];
}
