import type pg from "pg";
import { quoted } from "./quoted.ts";

/** What a role may do with the rows of a table. */
export type TableGrants = {
  /** `false`: it may not read what it writes */
  readonly select?: false;
  /** `true`: rows with any column; else the columns that may be named, the others take their defaults */
  readonly insert?: true | readonly string[];
  /** the columns that may be changed; a row may be locked by who may change any */
  readonly update?: readonly string[];
  readonly delete?: true;
};

/** What a role may do, by table. */
export type Grants = Readonly<Record<string, TableGrants>>;

/**
 * Lets `role` read every table of the schema, or those of `grants` alone, and write as `grants` says: no more, whatever it could do
 * before. Partitions are reached through their table. What is right already is not written again.
 *
 * @throws Error when `grants` names a table or a column that is not there.
 */
export async function applyGrants(
  client: pg.Client,
  role: string,
  grants: Grants,
  { reads }: { reads: "all" | "granted" } = { reads: "all" },
): Promise<void> {
  const schema = await currentSchema(client);
  await client.query(`grant usage on schema ${quoted(schema)} to ${quoted(role)}`);
  const tables = await privilegesByTable(client, role);
  for (const table of Object.keys(grants)) {
    if (!tables.has(table)) throw new Error(`there is no table ${table} to grant ${role} anything on`);
  }
  for (const [table, privileges] of tables) {
    const granted = grants[table];
    const right = granted || reads === "all" ? privilegesOf(granted ?? {}) : [];
    if (right.toSorted().join() === privileges.toSorted().join()) continue;
    // What is revoked of a table is revoked of its columns too.
    await client.query(`revoke all on ${quoted(table)} from ${quoted(role)}`);
    if (right.length > 0) await client.query(`grant ${right.join()} on ${quoted(table)} to ${quoted(role)}`);
  }
}

/** As `grant` takes them, one for each column: `update ("status")`. */
function privilegesOf({ select, insert = [], update = [], delete: deletes }: TableGrants): string[] {
  const ofColumns = (privilege: string, columns: readonly string[]) =>
    columns.map((column) => `${privilege} (${quoted(column)})`);
  return [
    ...(select === false ? [] : ["select"]),
    ...(insert === true ? ["insert"] : ofColumns("insert", insert)),
    ...ofColumns("update", update),
    ...(deletes ? ["delete"] : []),
  ];
}

/**
 * Takes from `role` the right to make tables, which databases made before PostgreSQL 15 give to everybody, and temporary
 * ones, which all do. Answers the statements to run where it has a right still.
 */
export async function refuseTables(client: pg.Client, role: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { privilege, on } of await rightsToMakeTables(client, role)) {
    const statement = `revoke ${privilege} on ${on} from public, ${quoted(role)};`;
    // Who may not revoke is told so by a warning only.
    await client.query(statement);
    const still = await rightsToMakeTables(client, role);
    if (still.some((right) => right.privilege === privilege)) left.push(statement);
  }
  return left;
}

/**
 * Takes from everybody the right to make large objects, which have no table and no limit, as far as this user may: the functions
 * belong to the superuser who made the server.
 */
export async function refuseLargeObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ function: string }>(
    `select oid::regprocedure::text as function from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace and proname in ('lo_creat', 'lo_create', 'lo_from_bytea')
       and pg_has_role(current_user, proowner, 'usage') and has_function_privilege('public', oid, 'execute')`,
  );
  for (const { function: name } of rows) await client.query(`revoke execute on function ${name} from public`);
}

/** The rights to make tables that the role has, with what it has them on. */
async function rightsToMakeTables(
  client: pg.Client,
  role: string,
): Promise<readonly { readonly privilege: string; readonly on: string }[]> {
  const { rows } = await client.query<{ privilege: string; on: string }>(
    `select privilege, "on" from (values
       ('create', 'schema ' || quote_ident(current_schema()), has_schema_privilege($1, current_schema(), 'create')),
       ('temporary', 'database ' || quote_ident(current_database()),
         has_database_privilege($1, current_database(), 'temporary'))
     ) as rights (privilege, "on", has) where has`,
    [role],
  );
  return rows;
}

async function currentSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>("select current_schema() as schema");
  return rows[0]?.schema ?? "public";
}

/** What the role was granted itself, by table of the current schema, written as {@link privilegesOf} does. */
async function privilegesByTable(client: pg.Client, role: string): Promise<Map<string, readonly string[]>> {
  const { rows } = await client.query<{ table: string; privileges: readonly string[] }>(
    `select c.relname as table, array_remove(array_agg(lower(a.privilege_type) || coalesce(' ("' || a.attname || '")', '')), null) as privileges
     from pg_class c
     left join lateral (
       select null as attname, * from aclexplode(c.relacl)
       union all select attname, acl.* from pg_attribute, aclexplode(attacl) acl where attrelid = c.oid
     ) a on a.grantee = (select oid from pg_roles where rolname = $1)
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname order by c.relname`,
    [role],
  );
  return new Map(rows.map(({ table, privileges }) => [table, privileges]));
}
