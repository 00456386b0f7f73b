import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { withDedicatedClient } from "./dedicated-client.ts";

const MONTHS_AHEAD = 12;
/** Writers wait at most this long for a new partition before the next try. */
const LOCK_MS = 2_000;
const [MAX_TRIES, RETRY_MS] = [10, 200];
/** The most rows that a default partition may keep when it is replaced: writers wait while they are copied. */
const MAX_KEPT_ROWS = 10_000;
/** Errors that a retry cures: a lock timeout, a deadlock, a new row in the default partition. */
const PASSES_BY_ITSELF = /^(55P03|40P01|23514)$/;
/** All processes that create partitions must use the same number. These are the letters of "months". */
const ADVISORY_LOCK = 0x6d_6f_6e_74_68_73n;

/** A table partitioned by the time in `column`; `fallback` is its default partition. */
type MonthlyTable = { readonly name: string; readonly column: string; readonly fallback: string | null };
type Month = { readonly name: string; readonly from: string; readonly to: string };

/**
 * Gives every time-partitioned table a partition for this month (UTC) and `monthsAhead` more; returns the new names.
 * Rows in the default partition move to a late partition. Runs as the owner of the tables; several machines may call it
 * at once.
 * @throws Error when a table stays in use, or the role does not own it.
 */
export async function makePartitions(url: string, monthsAhead = MONTHS_AHEAD): Promise<string[]> {
  const config = { connectionString: url, application_name: "daric-partitions" };
  return withDedicatedClient(config, async (client) => {
    const made: string[] = [];
    for (const table of await listMonthlyTables(client)) {
      made.push(...(await withRetries(() => makeMissing(client, table, monthsAhead))));
    }
    return made;
  });
}

async function listMonthlyTables(client: pg.Client): Promise<MonthlyTable[]> {
  const { rows } = await client.query<MonthlyTable>(`
    select parent.relname as name, attname as column, fallback.relname as fallback
    from pg_partitioned_table
    join pg_class parent on parent.oid = partrelid and parent.relnamespace = current_schema()::regnamespace
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0] and atttypid = 'timestamptz'::regtype
    left join pg_class fallback on fallback.oid = partdefid
    where partstrat = 'r' and partnatts = 1
    order by parent.relname`);
  return rows;
}

async function listMissingMonths(
  client: pg.Client,
  { name }: MonthlyTable,
  monthsAhead: number,
): Promise<Month[]> {
  const { rows } = await client.query<Month>(
    `with bounds as (
       select substring(text from 'FROM \\(''([^'']+)''\\)')::timestamptz as low,
         substring(text from 'TO \\(''([^'']+)''\\)')::timestamptz as high
       from pg_inherits join pg_class on oid = inhrelid
       cross join lateral pg_get_expr(relpartbound, oid) text
       where inhparent = $1::regclass)
     select $1 || to_char(month, '_YYYY_MM') as name, to_char(month, 'YYYY-MM-DD"T00:00:00Z"') as "from",
       to_char(month + interval '1 month', 'YYYY-MM-DD"T00:00:00Z"') as "to"
     from generate_series(0, $2::integer) ahead
     cross join lateral (
       select date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month' as month) months
     where not exists (
       select from bounds where low <= month at time zone 'UTC' and high > month at time zone 'UTC')
     order by month`,
    [name, monthsAhead],
  );
  return rows;
}

/** Creates the missing partitions of a table in one exclusive transaction; returns their names. */
async function makeMissing(client: pg.Client, table: MonthlyTable, monthsAhead: number): Promise<string[]> {
  if ((await listMissingMonths(client, table, monthsAhead)).length === 0) return [];
  try {
    await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = ${LOCK_MS}`);
    await client.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    const months = await listMissingMonths(client, table, monthsAhead);
    for (const month of months) await makePartition(client, table, month);
    await client.query("commit");
    return months.map(({ name }) => name);
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function makePartition(client: pg.Client, table: MonthlyTable, month: Month): Promise<void> {
  const [parent, partition] = [table.name, month.name].map(pg.escapeIdentifier);
  await client.query(`create table ${partition} (like ${parent} including defaults including constraints)`);
  await moveFromDefault(client, table, month);
  await client.query(
    `alter table ${parent} attach partition ${partition} for values from ('${month.from}') to ('${month.to}')`,
  );
}

async function moveFromDefault(
  client: pg.Client,
  { name, column, fallback }: MonthlyTable,
  month: Month,
): Promise<void> {
  if (fallback === null) return;
  const [parent, key, from, to] = [name, column, fallback, month.name].map(pg.escapeIdentifier);
  const inMonth = `${key} >= '${month.from}' and ${key} < '${month.to}'`;
  const { rowCount } = await client.query(`select from ${from} where ${inMonth} limit 1`);
  if (rowCount === 0) return;
  await client.query(`lock table ${parent} in access exclusive mode`);
  await client.query(
    `with moved as (delete from ${from} where ${inMonth} returning *) insert into ${to} select * from moved`,
  );
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tryNumber = 1; ; tryNumber++) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "";
      if (!PASSES_BY_ITSELF.test(code) || tryNumber === MAX_TRIES) throw error;
      await sleep(RETRY_MS * tryNumber);
    }
  }
}

type DropRange = { readonly before: Date; readonly keep: readonly Date[] };

/**
 * Drops partitions whose time ended by `before`, except those that contain a time of `keep`; returns their names.
 * Late rows are in the default partition. It is replaced by one with the rows that stay, if these are few.
 * @throws Error when a table stays in use, or the role does not own it.
 */
export async function dropPartitions(
  url: string,
  table: string,
  { before, keep }: DropRange,
): Promise<string[]> {
  const config = { connectionString: url, application_name: "daric-partitions" };
  return withDedicatedClient(config, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_inherits join pg_class on oid = inhrelid
       cross join lateral pg_get_expr(relpartbound, oid) text
       cross join lateral (
         select substring(text from 'FROM \\(''([^'']+)''\\)')::timestamptz as low,
           substring(text from 'TO \\(''([^'']+)''\\)')::timestamptz as high) bounds
       where inhparent = $1::regclass and high <= $2
         and not exists (select from unnest($3::timestamptz[]) kept where kept >= low and kept < high)
       order by low`,
      [table, before, keep],
    );
    for (const { name } of rows)
      await exclusively(client, () => client.query(`drop table ${pg.escapeIdentifier(name)}`));
    const monthly = (await listMonthlyTables(client)).find(({ name }) => name === table);
    const replaced =
      monthly === undefined ? undefined : await replaceDefault(client, monthly, { before, keep });
    return [...rows.map(({ name }) => name), ...(replaced ?? [])];
  });
}

/** Replaces the default partition by one with the rows that stay; undefined if nothing goes, or too many stay. */
async function replaceDefault(
  client: pg.Client,
  { name, column, fallback }: MonthlyTable,
  { before, keep }: DropRange,
): Promise<string[] | undefined> {
  if (fallback === null) return undefined;
  const fresh = pg.escapeIdentifier(`${fallback}_fresh`);
  const [parent, key, old] = [name, column, fallback].map(pg.escapeIdentifier);
  const months = keep.map((month) => pg.escapeLiteral(month.toISOString())).join(",");
  const stays = `(${key} >= ${pg.escapeLiteral(before.toISOString())}
    or date_trunc('month', ${key} at time zone 'UTC') at time zone 'UTC' = any(array[${months}]::timestamptz[]))`;
  const { rows } = await client.query<{ goes: boolean; stays: bigint }>(
    `select exists (select 1 from ${old} where not ${stays}) as goes,
       (select count(*) from (select 1 from ${old} where ${stays} limit ${MAX_KEPT_ROWS + 1}) kept) as stays`,
  );
  if (!rows[0]?.goes || Number(rows[0].stays) > MAX_KEPT_ROWS) return undefined;
  await exclusively(client, async () => {
    await client.query(`lock table ${parent} in access exclusive mode`);
    await client.query(`create table ${fresh} (like ${parent} including defaults including constraints)`);
    await client.query(`insert into ${fresh} select * from ${old} where ${stays}`);
    await client.query(`drop table ${old}; alter table ${fresh} rename to ${old}`);
    await client.query(`alter table ${parent} attach partition ${old} default`);
  });
  return [fallback];
}

/** Runs work in a transaction that waits for its locks only briefly, and tries again a few times. */
async function exclusively(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await withRetries(async () => {
    try {
      await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = ${LOCK_MS}`);
      await work();
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  });
}
