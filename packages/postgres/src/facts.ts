import { quoted } from "./quoted.ts";
import {
  type Login,
  type Purpose,
  type SessionSetting,
  sessionSettings,
  statementFor,
  storedFor,
} from "./session-settings.ts";
import { join, one, type Queryable, type Sql, sql } from "./sql.ts";
import { securityOf } from "./tls.ts";

const purposes: readonly Purpose[] = ["reading", "writing", "serving"];

/** A fact that does not hold. `words` name no role and no database, so `/readyz` may show them. */
export type BrokenFact = {
  readonly name: string;
  /** the first purpose that it stops; a doubt stops none */
  readonly stops: Purpose | undefined;
  readonly words: string;
  /** the statement or the setting that mends it */
  readonly mend: string;
};

/** The purpose of a connection, and the URL of its login. */
export type Use = { readonly url: string; readonly purpose: Purpose };

type Place = Login & Pick<Use, "url">;

type Fault = Pick<BrokenFact, "words" | "mend"> & { readonly isDoubt?: boolean };

/** A row of the list. `fault` gets the text that `read` selects; undefined if the fact holds. */
type Fact = {
  readonly name: string;
  readonly purpose: Purpose;
  readonly read: Sql;
  fault(value: string | null, place: Place): Fault | undefined;
};

const MIN_VERSION = 150_000;
/** The first version whose planner runs every statement of the service. */
const MIN_CITUS = 13;

const RECONNECT = "make it open new connections, for example by RECONNECT in the console of PgBouncer";

function settingFact([name, { purpose, value: right, must, holds }]: [string, SessionSetting]): Fact {
  const fault = (value: string | null, place: Place): Fault | undefined => {
    if (value === null || holds(value)) return undefined;
    const stored = place.stored[name.toLowerCase()];
    const words = `${name} is ${value}, and must ${must}`;
    if (stored !== undefined && holds(stored))
      return { words: `${words}: a pooler kept this connection from before it was set`, mend: RECONNECT };
    return { words, mend: statementFor(place, name, `'${right}'`) };
  };
  return { name, purpose, read: sql`current_setting(${name}, true)`, fault };
}

/** Every fact of the database that the program depends on. */
const facts: readonly Fact[] = [
  {
    name: "version",
    purpose: "reading",
    read: sql`current_setting('server_version_num') || ' ' || current_setting('server_version')`,
    fault: (value) => {
      const [number, ...version] = String(value).split(" ");
      if (Number(number) >= MIN_VERSION) return undefined;
      return { words: `PostgreSQL ${version.join(" ")} is older than 15`, mend: "upgrade it" };
    },
  },
  {
    name: "encoding",
    purpose: "reading",
    read: sql`pg_encoding_to_char(encoding)`,
    fault: (value, { database }) => {
      if (value === "UTF8") return undefined;
      const mend = `dump it, run create database ${quoted(database)} encoding 'UTF8' locale 'C' template template0; under a free name, and restore it there`;
      return { words: `the encoding of the database is ${value}, and must be UTF8`, mend };
    },
  },
  {
    name: "search_path",
    purpose: "reading",
    // The schema of our tables if it is not found; without tables, `public` if tables cannot be made.
    read: sql`case when to_regclass('schema_version') is null then coalesce(
      (select min(relnamespace::regnamespace::text) from pg_class where relname = 'schema_version' and relkind = 'r'),
      case when coalesce(current_schema(), 'pg_catalog') = 'pg_catalog' then 'public' end) end`,
    fault: (value, place) => {
      if (value === null) return undefined;
      return {
        words: `search_path leads past the schema ${value} of the tables`,
        mend: statementFor(place, "search_path", value),
      };
    },
  },
  {
    name: "citus",
    purpose: "reading",
    read: sql`select extversion from pg_extension where extname = 'citus'`,
    fault: (value) => {
      if (value === null || Number.parseInt(value, 10) >= MIN_CITUS) return undefined;
      return {
        words: `this database has Citus ${value}`,
        mend: `upgrade every server to ${MIN_CITUS} or newer`,
      };
    },
  },
  {
    name: "writability",
    purpose: "writing",
    read: sql`case when pg_is_in_recovery() then 'recovery' else current_setting('default_transaction_read_only') end`,
    fault: (value, place) => {
      if (value === "off") return undefined;
      if (value === "recovery")
        return {
          words: "is a standby, which is read-only",
          mend: "name the primary in the URL, or promote this one",
        };
      const mend = statementFor(place, "default_transaction_read_only", "off");
      return { words: "default_transaction_read_only is on, so nothing can be written", mend };
    },
  },
  {
    name: "collation",
    purpose: "writing",
    // Both versions and the number of our indexes by the database's order, once the versions differ.
    read: sql`case when datcollversion <> pg_database_collation_actual_version(pg_database.oid) then
      datcollversion || ' ' || pg_database_collation_actual_version(pg_database.oid) || ' ' || (
        select count(*) from pg_index join pg_class on pg_class.oid = indrelid
        where relnamespace = (select oid from pg_namespace where nspname = current_schema())
          and indcollation::oid[] && array(select oid from pg_collation where collname = 'default')) end`,
    fault: (value, { database }) => {
      if (value === null) return undefined;
      const [made, now, indexes] = value.split(" ");
      const isDoubt = indexes === "0";
      const refresh = `ALTER DATABASE ${quoted(database)} REFRESH COLLATION VERSION;`;
      return {
        words: `the database was sorted by version ${made} of its collation, and the server has ${now}: ${isDoubt ? "no index of ours depends on it" : `${indexes} indexes of ours may be wrong`}`,
        mend: isDoubt ? refresh : `REINDEX DATABASE ${quoted(database)}; ${refresh}`,
        isDoubt,
      };
    },
  },
  {
    name: "encryption",
    purpose: "writing",
    read: sql`null`,
    fault: (_, { url }) => {
      const fault = securityOf(url);
      return fault && { ...fault, isDoubt: true };
    },
  },
  ...Object.entries(sessionSettings).map(settingFact),
];

type Reading = Login & { readonly values: readonly (string | null)[] };

/** Judges what was read of these facts, in their order. */
function judge(read: readonly Fact[], { values, ...place }: Reading & Pick<Use, "url">): BrokenFact[] {
  return read.flatMap(({ name, purpose, fault }, index) => {
    const found = fault(values[index] ?? null, place);
    if (found === undefined) return [];
    const { words, mend, isDoubt } = found;
    return { name, stops: isDoubt ? undefined : purpose, words, mend };
  });
}

/** SQLSTATE of a column or function that an older server lacks. */
const isOfOlderServer = (error: unknown): boolean =>
  /^(?:42703|42883)$/.test(String((error as { code?: unknown }).code));

/**
 * Reads every fact that `purpose` depends on, by one statement, and returns those that do not hold. Writes and locks nothing.
 */
export async function findFaults(db: Queryable, { url, purpose }: Use): Promise<BrokenFact[]> {
  const needed = purposes.slice(0, purposes.indexOf(purpose) + 1);
  const asked = facts.filter((fact) => needed.includes(fact.purpose));
  const readAll = async (some: readonly Fact[]): Promise<BrokenFact[]> => {
    const rows = await db.query<Reading>(sql`
      select array[${join(some.map(({ read }) => sql`(${read})::text`))}] as values,
        session_user::text as role, datname::text as database, (${storedFor(sql`session_user`)}) as stored
      from pg_database where datname = current_database()`);
    return judge(some, { ...one(rows), url });
  };
  return readAll(asked).catch((error: unknown) => {
    if (isOfOlderServer(error)) return readAll(asked.slice(0, 1));
    throw error;
  });
}
