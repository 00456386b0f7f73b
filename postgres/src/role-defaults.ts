import type pg from "pg";
import { quoted } from "./quoted.ts";
import { type Queryable, type Sql, sql } from "./sql.ts";

/**
 * Limits of single statements, as defaults of the role in its database: a pooler would lose or share a session's. No statement is compiled:
 * that takes longer than to run it. On a node of Citus it took up to seconds, since the planner expects 1,000,000 rows of each part.
 */
export const roleDefaults = {
  statement_timeout: "8s",
  lock_timeout: "2s",
  idle_in_transaction_session_timeout: "30s",
  jit: "off",
} as const;

const FORMER = ["lock_timeout=5s"];

type DefaultName = keyof typeof roleDefaults;

const names = Object.keys(roleDefaults) as DefaultName[];

function statementsFor(role: string, database: string, missing: readonly DefaultName[]): string[] {
  return missing.map(
    (name) =>
      `alter role ${quoted(role)} in database ${quoted(database)} set ${name} = '${roleDefaults[name]}';`,
  );
}

/** The effective settings of a role in this database: the most specific one wins. */
const setFor = (role: Sql): Sql => sql`
  select distinct on (name) setting, split_part(setting, '=', 1) as name, split_part(setting, '=', 2) as value
  from pg_db_role_setting s, unnest(s.setconfig) setting
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and s.setrole in (0, (select oid from pg_roles where rolname = ${role}))
  order by name, s.setrole = 0, s.setdatabase = 0`;

const isBound = sql`value !~ '^0[a-z]*$'`;

/** The statements that set missing limits of `role` and replace our former ones; an operator's own limit stays. */
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

export type Unbounded = {
  readonly toRun: readonly string[];
  /** limits of the role that this connection lacks: a pooler kept it from before they were set */
  readonly stale: readonly string[];
};

/** Returns the missing limits of a connection of `db`. */
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
