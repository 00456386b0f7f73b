import type pg from "pg";
import { quoted } from "./quoted.ts";

/** The rights of a role on a table. */
export type TableGrants = {
  /** `false`: the role may not read what it writes */
  readonly select?: false;
  /** `true`: all columns; a list: these columns, the others get their defaults */
  readonly insert?: true | readonly string[];
  /** the columns that may change; a right on any of them also allows row locks */
  readonly update?: readonly string[];
  readonly delete?: true;
};

export type Grants = Readonly<Record<string, TableGrants>>;

/**
 * Lets `role` read every table of the schema, or those of `grants` alone, and write exactly as `grants` says. Partitions are reached
 * through their table. Correct rights are not written again.
 * @throws Error when `grants` names a missing table or column.
 */
export async function applyGrants(
  client: pg.Client,
  role: string,
  { grants, reads }: { readonly grants: Grants; readonly reads: "all" | "granted" },
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
    await client.query(`revoke all on ${quoted(table)} from ${quoted(role)}`);
    if (right.length > 0) await client.query(`grant ${right.join()} on ${quoted(table)} to ${quoted(role)}`);
  }
  await grantSequences(
    client,
    role,
    Object.keys(grants).filter((table) => grants[table]?.insert),
  );
}

/** Lets `role` use the sequences in the defaults of these tables: a dump without rights has lost what a migration granted. */
async function grantSequences(client: pg.Client, role: string, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct sequence.relname::text as name
     from pg_depend join pg_attrdef on pg_depend.classid = 'pg_attrdef'::regclass and pg_depend.objid = pg_attrdef.oid
     join pg_class sequence on pg_depend.refclassid = 'pg_class'::regclass and pg_depend.refobjid = sequence.oid
     where pg_attrdef.adrelid = any($2::text[]::regclass[])
       and case sequence.relkind when 'S' then not has_sequence_privilege($1, sequence.oid, 'usage') else false end`,
    [role, tables.map(quoted)],
  );
  for (const { name } of rows)
    await client.query(`grant usage on sequence ${quoted(name)} to ${quoted(role)}`);
}

function privilegesOf({ select, insert = [], update = [], delete: deletes }: TableGrants): string[] {
  const columnGrants = (privilege: string, columns: readonly string[]) =>
    columns.map((column) => `${privilege} (${quoted(column)})`);
  return [
    ...(select === false ? [] : ["select"]),
    ...(insert === true ? ["insert"] : columnGrants("insert", insert)),
    ...columnGrants("update", update),
    ...(deletes ? ["delete"] : []),
  ];
}

/**
 * Revokes the right to create (temporary) tables from `role`. Returns the statements that this user could not run.
 */
export async function refuseTables(client: pg.Client, role: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { privilege, on } of await rightsToMakeTables(client, role)) {
    const statement = `revoke ${privilege} on ${on} from public, ${quoted(role)};`;
    // A failed revoke is only a warning of the server.
    await client.query(statement);
    const still = await rightsToMakeTables(client, role);
    if (still.some((right) => right.privilege === privilege)) left.push(statement);
  }
  return left;
}

/** Revokes the right to create large objects, which have no limit, as far as this user may. */
export async function refuseLargeObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ function: string }>(
    `select oid::regprocedure::text as function from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace and proname in ('lo_creat', 'lo_create', 'lo_from_bytea')
       and pg_has_role(current_user, proowner, 'usage') and has_function_privilege('public', oid, 'execute')`,
  );
  for (const { function: name } of rows) await client.query(`revoke execute on function ${name} from public`);
}

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

/** The role's own rights by table of the current schema, in the format of {@link privilegesOf}. */
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
