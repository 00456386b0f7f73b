import type pg from "pg";
import { quoted } from "./quoted.ts";
import { one, type Sql, sql } from "./sql.ts";

/** The use of the database by a program. Each purpose depends on the facts of those before it, too. */
export type Purpose = "reading" | "writing" | "serving";

/** A login in its database. `stored` has the role's settings there, by names in lower case. */
export type Login = {
  readonly role: string;
  readonly database: string;
  readonly stored: Readonly<Record<string, string>>;
};

/** A setting of a session. `value` is what mends it, and `migrate` gives it to the role of the service if it is pinned. */
export type SessionSetting = {
  readonly purpose: Purpose;
  readonly value: string;
  readonly must: string;
  holds(value: string): boolean;
  readonly isPinned?: true;
};

const ms: Readonly<Record<string, number>> = { us: 0.001, s: 1e3, min: 6e4, h: 36e5, d: 864e5 };

function msOf(value: string): number {
  const [, number = "", unit = ""] = /^(\d{1,12}) ?([a-z]{0,3})$/.exec(value) ?? [];
  return Number(number) * (ms[unit] ?? 1);
}

const lasts = (minMs: number) => (value: string) => msOf(value) >= minMs;
const isOn = (value: string) => /^(?:on|true|yes|1)$/i.test(value);

/**
 * The settings that our parsers and statements need, and the limits of single statements. A pooler would lose or share those of a
 * session, so they belong to the role in its database. No statement is compiled (`jit`): that takes longer than to run it.
 * On a server of Citus it took up to seconds, since the planner expects 1,000,000 rows of each part. Our parsers read each
 * form of `bytea_output`, `extra_float_digits` and `TimeZone`; no interval is read, and the driver sets `client_encoding`.
 */
export const sessionSettings: Readonly<Record<string, SessionSetting>> = {
  DateStyle: {
    purpose: "reading",
    value: "ISO, MDY",
    must: "be ISO",
    holds: (value) => /^iso\b/i.test(value),
    isPinned: true,
  },
  standard_conforming_strings: {
    purpose: "reading",
    value: "on",
    must: "be on",
    holds: isOn,
    isPinned: true,
  },
  array_nulls: { purpose: "reading", value: "on", must: "be on", holds: isOn, isPinned: true },
  session_replication_role: {
    purpose: "writing",
    value: "origin",
    must: "be origin, since no foreign key is checked otherwise",
    holds: (value) => value === "origin",
  },
  transaction_timeout: {
    purpose: "writing",
    value: "0",
    must: "be 0, or at least 60s",
    holds: (value) => msOf(value) === 0 || msOf(value) >= 60_000,
  },
  statement_timeout: {
    purpose: "serving",
    value: "8s",
    must: "be at least 1s",
    holds: lasts(1_000),
    isPinned: true,
  },
  lock_timeout: {
    purpose: "serving",
    value: "2s",
    must: "be at least 100ms",
    holds: lasts(100),
    isPinned: true,
  },
  idle_in_transaction_session_timeout: {
    purpose: "serving",
    value: "30s",
    must: "be at least 1s",
    holds: lasts(1_000),
    isPinned: true,
  },
  jit: { purpose: "serving", value: "off", must: "be off", holds: () => true, isPinned: true },
};

/** The settings that the role of the service gets. */
export const roleDefaults: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(sessionSettings).flatMap(([name, { value, isPinned }]) => (isPinned ? [[name, value]] : [])),
);

export function statementFor({ role, database }: Omit<Login, "stored">, name: string, value: string): string {
  return `alter role ${quoted(role)} in database ${quoted(database)} set ${name.toLowerCase()} = ${value};`;
}

/** The effective settings of a role in this database: the most specific one wins. */
export const storedFor = (role: Sql): Sql => sql`
  select coalesce(jsonb_object_agg(name, value), '{}') from (
    select distinct on (name) lower(split_part(setting, '=', 1)) as name, split_part(setting, '=', 2) as value
    from pg_db_role_setting s, unnest(s.setconfig) setting
    where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and s.setrole in (0, (select oid from pg_roles where rolname = ${role}))
    order by name, s.setrole = 0, s.setdatabase = 0) effective`;

/** The statements that give `role` its settings; an operator's own that works stays. */
export async function missingDefaults(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<Omit<Login, "role">>(
    sql`select current_database()::text as database, (${storedFor(sql`${role}`)}) as stored`,
  );
  const { database, stored } = one(rows);
  return Object.entries(roleDefaults).flatMap(([name, right]) => {
    const value = stored[name.toLowerCase()];
    const isKept = value !== undefined && sessionSettings[name]?.holds(value);
    return isKept ? [] : [statementFor({ role, database }, name, `'${right}'`)];
  });
}
