import type pg from "pg";
import { quoted } from "./quoted.ts";
import { type Queryable, type Sql, sql } from "./sql.ts";

/**
 * What bounds a statement of the service that is its own transaction. A pooler shares connections, so a limit of the
 * session would reach others, or be lost: these are defaults of the role in its database.
 */
export const roleDefaults = {
  statement_timeout: "8s",
  lock_timeout: "2s",
  idle_in_transaction_session_timeout: "30s",
} as const;

/** What these were when an earlier release set them: not chosen by anybody, so what they are now takes its place. */
const FORMER = ["lock_timeout=5s"];

type DefaultName = keyof typeof roleDefaults;

const names = Object.keys(roleDefaults) as DefaultName[];

/** The statements that give these defaults to `role` in `database`. */
function statementsFor(role: string, database: string, missing: readonly DefaultName[]): string[] {
  return missing.map(
    (name) =>
      `alter role ${quoted(role)} in database ${quoted(database)} set ${name} = '${roleDefaults[name]}';`,
  );
}

/** Part of a statement: what is set for a role in this database. Of a role in a database, a role and a database, the first counts. */
const setFor = (role: Sql): Sql => sql`
  select distinct on (name) setting, split_part(setting, '=', 1) as name, split_part(setting, '=', 2) as value
  from pg_db_role_setting s, unnest(s.setconfig) setting
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and s.setrole in (0, (select oid from pg_roles where rolname = ${role}))
  order by name, s.setrole = 0, s.setdatabase = 0`;

/** Whether a value of {@link setFor} ends anything. */
const isBound = sql`value !~ '^0[a-z]*$'`;

/** The statements that set what is not set yet for `role` in this database, or was by us: a limit that somebody chose stays. */
export async function missingDefaults(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ database: string; bounded: readonly string[] }>(
    sql`select current_database() as database,
        coalesce(array_agg(name) filter (where ${isBound} and setting <> all (${FORMER})), '{}') as bounded
      from (${setFor(sql`${role}`)}) effective`,
  );
  const { database = "", bounded = [] } = rows[0] ?? {};
  return statementsFor(
    role,
    database,
    names.filter((name) => !bounded.includes(name)),
  );
}

/** What is unbounded on a connection. */
export type Unbounded = {
  /** the statements that bound what nothing bounds yet */
  readonly toRun: readonly string[];
  /** limits of the role that this connection does not have: it was opened before they were set, and something kept it */
  readonly stale: readonly string[];
};

/** What is unbounded on a connection of `db`; nothing where every wait has an end. */
export async function findUnbounded(db: Queryable): Promise<Unbounded> {
  const rows = await db.query<{ name: DefaultName; role: string; database: string; isSet: boolean }>(sql`
    select wanted.name, session_user::text as role, current_database()::text as database,
      exists (select from (${setFor(sql`session_user`)}) effective where effective.name = wanted.name and ${isBound}) as "isSet"
    from unnest(${names}::text[]) with ordinality as wanted (name, place)
    where current_setting(wanted.name) = '0' order by place`);
  return {
    toRun: rows
      .filter(({ isSet }) => !isSet)
      .flatMap(({ name, role, database }) => statementsFor(role, database, [name])),
    stale: rows.filter(({ isSet }) => isSet).map(({ name }) => name),
  };
}
