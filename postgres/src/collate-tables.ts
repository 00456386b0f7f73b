import pg from "pg";
import { withDedicatedClient } from "./dedicated-client.ts";
import { LIFT_TRANSACTION_TIMEOUT, withMigrationLock } from "./migrate.ts";

/** A smaller table is changed by the migration itself, within some tens of milliseconds. */
const LARGE_ROWS = 20_000;
/** Writers wait at most this long behind a change that waits for its lock. */
const LOCK_MS = 1_000;
/** The mark of a check that the change left to be validated. */
const UNVALIDATED = "daric: to be validated";

const isLeftToOrder = "attcollation = 'pg_catalog.default'::regcollation";

/** An index that compares text, with a twin that can be built beside the service. */
type TextIndex = {
  readonly name: string;
  readonly twin: string;
  readonly hasTwin: boolean;
  readonly definition: string;
  /** for each column of the key, whether it compares in the order of the database */
  readonly isText: readonly boolean[];
  readonly constraint: "primary key" | "unique" | null;
  readonly isPartial: boolean;
};

/**
 * Makes text of the large ones of these tables compare as bytes, beside a running service, as the owner of the tables. Indexes are built
 * concurrently, and each table is locked for the change of its columns alone. May be repeated after any interruption. A current
 * database is only read. So is a distributed one, whose service is stopped while it is migrated.
 * @throws Error when a table stays in use. @throws DatabaseUnavailableError when the server cannot be reached.
 */
export async function collateLargeTables(url: string, tables: readonly string[]): Promise<string[]> {
  const config = { connectionString: url, application_name: "daric-migrate" };
  const changed: string[] = [];
  // The lock has a connection of its own, because no transaction may be open where an index is built.
  await withMigrationLock(url, () =>
    withDedicatedClient(config, async (client) => {
      await client.query(LIFT_TRANSACTION_TIMEOUT);
      await client.query("set statement_timeout = 0; set maintenance_work_mem = '256MB'");
      for (const table of await listLargeTables(client, tables)) {
        await collateTable(client, table);
        changed.push(table);
      }
      await finish(client);
    }),
  );
  return changed;
}

async function listLargeTables(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any($1) and reltuples > ${LARGE_ROWS}
       and to_regclass('pg_catalog.pg_dist_partition') is null
       and exists (select from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped and ${isLeftToOrder})
     order by 1`,
    [tables],
  );
  return rows.map(({ name }) => name);
}

async function collateTable(client: pg.Client, table: string): Promise<void> {
  const indexes = await listTextIndexes(client, table);
  for (const index of indexes) {
    if (index.hasTwin) continue;
    await client.query(`drop index concurrently if exists ${index.twin}`);
    await client.query(definitionOfTwin(index));
  }
  const columns = await listColumns(client, table);
  const checks = await listChecks(client, table);
  const actions = [
    // A valid check would be proven again for every row under the lock.
    ...checks.map(
      ({ name, definition }) => `drop constraint ${name}, add constraint ${name} ${definition} not valid`,
    ),
    ...indexes.flatMap(({ constraint, name }) => (constraint === null ? [] : [`drop constraint ${name}`])),
    ...columns.map(({ name, type }) => `alter column ${name} type ${type} collate "C"`),
  ];
  const plain = indexes.filter(({ constraint }) => constraint === null);
  await inShortTransaction(client, [
    `lock table ${table} in access exclusive mode`,
    ...plain.map(({ name }) => `drop index ${name}`),
    `alter table ${table} ${actions.join(", ")}`,
    ...checks.map(({ name }) => `comment on constraint ${name} on ${table} is '${UNVALIDATED}'`),
    ...indexes.map((index) => takePlace(table, index)),
  ]);
  // The change of a column drops its statistics.
  await client.query(`analyze ${table}`);
}

/**
 * The indexes that compare text and whose rebuilding would take the longest. PostgreSQL takes over an index without a predicate that
 * compares as the new column does; it builds any other one under the lock. So the twin of a partial index over most of the rows has all
 * rows, and holds its place until it is built again.
 */
async function listTextIndexes(client: pg.Client, table: string): Promise<TextIndex[]> {
  const { rows } = await client.query<TextIndex>(
    `select made.relname::text as name, 'collated_' || made.oid as twin, pg_get_indexdef(made.oid) as definition,
       coalesce((select indisvalid from pg_index where indexrelid = to_regclass('collated_' || made.oid)), false) as "hasTwin",
       array(select key = 'pg_catalog.default'::regcollation from unnest(indcollation::oid[]) key) as "isText",
       (select case contype when 'p' then 'primary key' else 'unique' end from pg_constraint
        where conindid = made.oid and contype in ('p', 'u')) as constraint,
       indpred is not null as "isPartial"
     from pg_index join pg_class made on made.oid = indexrelid join pg_class of on of.oid = indrelid
     where indrelid = $1::regclass and indisvalid and indexprs is null and made.relname not like 'collated\\_%'
       and case when indisunique then indpred is null else made.reltuples * 2 > of.reltuples end
       and not exists (select from pg_constraint where conindid = made.oid and contype = 'f')
       and ('pg_catalog.default'::regcollation = any(indcollation) or exists (
         select from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
         where classid = 'pg_class'::regclass and objid = made.oid and refobjid = indrelid and ${isLeftToOrder}))
     order by 1`,
    [table],
  );
  return rows;
}

function definitionOfTwin({ definition, twin, isText }: TextIndex): string {
  const parts = /^(CREATE (?:UNIQUE )?INDEX) \S+ (ON \S+ USING \w+ \()([^()]*)(\).*?)(?: WHERE .*)?$/.exec(
    definition,
  );
  if (parts === null) throw new Error(`the index ${definition} has a form that this program does not know`);
  const [, create, on, keys = "", end] = parts;
  const key = keys
    .split(", ")
    .map((part, place) => (isText[place] ? part.replace(/^\S+/, (column) => `${column} collate "C"`) : part))
    .join(", ");
  return `${create} concurrently ${twin} ${on}${key}${end}`;
}

/** The twin is what the index was. Of a partial index it notes the statement that builds that again. */
function takePlace(table: string, { name, twin, constraint, isPartial, definition }: TextIndex): string {
  if (constraint !== null)
    return `alter table ${table} add constraint ${name} ${constraint} using index ${twin}`;
  if (!isPartial) return `alter index ${twin} rename to ${name}`;
  return `comment on index ${twin} is ${pg.escapeLiteral(definition)}`;
}

type Column = { readonly name: string; readonly type: string };

async function listColumns(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and ${isLeftToOrder}`,
    [table],
  );
  return rows;
}

type Check = { readonly name: string; readonly definition: string };

async function listChecks(client: pg.Client, table: string): Promise<Check[]> {
  const { rows } = await client.query<Check>(
    `select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'c' and convalidated
       and exists (select from pg_attribute where attrelid = conrelid and attnum = any(conkey) and ${isLeftToOrder})`,
    [table],
  );
  return rows;
}

/** Builds partial indexes again and validates checks, also those that an interrupted run has left. */
async function finish(client: pg.Client): Promise<void> {
  await client.query("set lock_timeout = 0");
  const { rows: twins } = await client.query<{ twin: string; definition: string }>(
    `select relname::text as twin, obj_description(oid, 'pg_class') as definition from pg_class
     where relnamespace = current_schema()::regnamespace and relname like 'collated\\_%' and obj_description(oid, 'pg_class') is not null`,
  );
  for (const { twin, definition } of twins) {
    const [, name = ""] = /^CREATE INDEX (\S+) /.exec(definition) ?? [];
    await client.query(`drop index concurrently if exists ${name}`);
    await client.query(definition.replace("CREATE INDEX", "create index concurrently"));
    await client.query(`drop index concurrently ${twin}`);
  }
  const { rows: tables } = await client.query<{ name: string; checks: string[] }>(
    `select conrelid::regclass::text as name, array_agg(quote_ident(conname)) as checks from pg_constraint
     where contype = 'c' and obj_description(oid, 'pg_constraint') = '${UNVALIDATED}' group by conrelid`,
  );
  for (const { name, checks } of tables) {
    await client.query(
      `alter table ${name} ${checks.map((check) => `validate constraint ${check}`).join(", ")}`,
    );
    for (const check of checks) await client.query(`comment on constraint ${check} on ${name} is null`);
  }
}

async function inShortTransaction(client: pg.Client, statements: readonly string[]): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_MS}`);
    for (const statement of statements) await client.query(statement);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
