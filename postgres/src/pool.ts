import pg from "pg";

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
export const DEFAULT_MAX = 10;

const OID = { int8: 20, textArray: 1009, int8Array: 1016, date: 1082, timestamptz: 1184, numericArray: 1231 };

export type PoolOptions = {
  url: string;
  /** Connections at most; 10 when not given. */
  max?: number;
  /** Connections stay however long nobody needs them; else for ten seconds. */
  isKept?: boolean;
  /** How long a caller waits for a connection, new or from the pool, in ms; 5 s when not given. */
  connectMs?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Told of connections lost while idle. The pool replaces them by itself. */
  onError: (error: Error) => void;
};

/**
 * A pool in which every wait for a connection is bounded and a restart of PostgreSQL costs failed statements, never
 * the process.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { max = DEFAULT_MAX, isKept = false } = options;
  const pool = new pg.Pool({ ...connectionConfig(options), max, ...(isKept && { idleTimeoutMillis: 0 }) });
  pool.on("error", (error) => {
    // Connections that are being closed may still be cut by a server that stops: nobody needs them any more.
    if (!pool.ending) options.onError(error);
  });
  return pool;
}

/**
 * How a connection is made. The start-up packet names user, database and application and sets nothing else, so that a
 * pooler in front takes it. Integers of 64 bits arrive as bigint, numeric as string, dates without time as string.
 */
export function connectionConfig({
  url,
  applicationName = "daric",
  connectMs = CONNECT_TIMEOUT_MS,
}: PoolOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser },
  };
}

const parseInt8 = (text: string): bigint => BigInt(text);
const asText = (text: string): string => text;
const parseTextArray = (text: string): (string | null)[] => pg.types.getTypeParser(OID.textArray)(text);
const parseInt8Array = (text: string): (bigint | null)[] =>
  parseTextArray(text).map((item) => (item === null ? null : BigInt(item)));

const textParsers = new Map<number, (text: string) => unknown>([
  [OID.int8, parseInt8],
  [OID.int8Array, parseInt8Array],
  [OID.numericArray, parseTextArray],
  [OID.date, asText],
  [OID.timestamptz, parseTime],
]);

/** A time in UTC in the years 0 to 9999 is what JavaScript reads itself, twice as fast; the parser of `pg` knows the others. */
function parseTime(text: string): unknown {
  if (text[4] !== "-" || text[10] !== " " || !text.endsWith("+00"))
    return pg.types.getTypeParser(OID.timestamptz)(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** Parsers of this pool only: `pg.types.setTypeParser` would change every other user of `pg` in the process. */
function getTypeParser(oid: number, format: "text" | "binary" = "text") {
  const own = format === "text" ? textParsers.get(oid) : undefined;
  return (
    own ?? (format === "text" ? pg.types.getTypeParser(oid, "text") : pg.types.getTypeParser(oid, "binary"))
  );
}
