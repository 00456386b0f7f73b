import pg from "pg";
import { driversUrl } from "./tls.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
export const DEFAULT_MAX = 10;
/** Longer than the pause between two rounds of alerts, whose connections would else be new ones each time. */
const IDLE_MS = 30_000;

const OID = {
  int8: 20,
  textArray: 1009,
  int8Array: 1016,
  date: 1082,
  timestamptz: 1184,
  timestamptzArray: 1185,
  numericArray: 1231,
};

export type PoolOptions = {
  url: string;
  max?: number;
  /** keeps idle connections open; by default they close after half a minute */
  isKept?: boolean;
  connectMs?: number;
  applicationName?: string;
  /** Reports connections lost while idle. The pool replaces them by itself. */
  onError: (error: Error) => void;
};

/** Creates a pool with bounded waits for connections. A restart of PostgreSQL fails statements, never the process. */
export function createPool(options: PoolOptions): pg.Pool {
  const { max = DEFAULT_MAX, isKept = false } = options;
  const pool = new pg.Pool({ ...connectionConfig(options), max, idleTimeoutMillis: isKept ? 0 : IDLE_MS });
  pool.on("error", (error) => {
    // A stopping server may cut connections that are being closed anyway.
    if (!pool.ending) options.onError(error);
  });
  // A server that stops just after a login is heard before the borrower listens, and an error without a listener ends the process.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/**
 * The start-up packet sets only user, database and application, so poolers accept it. int8 arrives as bigint,
 * numeric as string, dates without time as string.
 */
export function connectionConfig({
  url,
  applicationName = "daric",
  connectMs = CONNECT_TIMEOUT_MS,
}: PoolOptions): pg.ClientConfig {
  return {
    connectionString: driversUrl(url),
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser },
  };
}

const parseInt8 = (text: string): bigint => BigInt(text);
const parseTextArray = (text: string): (string | null)[] => pg.types.getTypeParser(OID.textArray)(text);
const parseInt8Array = (text: string): (bigint | null)[] =>
  parseTextArray(text).map((item) => (item === null ? null : BigInt(item)));

const textParsers = new Map<number, (text: string) => unknown>([
  [OID.int8, parseInt8],
  [OID.int8Array, parseInt8Array],
  [OID.numericArray, parseTextArray],
  [OID.date, parseDate],
  [OID.timestamptz, parseTime],
  [
    OID.timestamptzArray,
    (text) => parseTextArray(text).map((item) => (item === null ? null : parseTime(item))),
  ],
]);

/**
 * JavaScript parses UTC times of the years 0 to 9999 twice as fast as `pg`, which parses the others.
 *
 * @throws Error for a time in another form than ISO, in which day and month could change places.
 */
function parseTime(text: string): unknown {
  const isUsual = text[4] === "-" && text[10] === " " && text.endsWith("+00");
  const time: unknown = isUsual
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : pg.types.getTypeParser(OID.timestamptz)(text);
  if (time === null || Number.isNaN(Number(time))) throw notIso(text);
  return time;
}

/** @throws Error for a date in another form than ISO. */
function parseDate(text: string): string {
  if (!/^(?:\d{4,}-\d\d-\d\d(?: BC)?|-?infinity)$/.test(text)) throw notIso(text);
  return text;
}

function notIso(text: string): Error {
  return new Error(`the database wrote the time ${JSON.stringify(text)}: its DateStyle must be ISO`);
}

/**
 * The parsers are set for this pool only, because `pg.types.setTypeParser` would affect every user of `pg` in the
 * process.
 */
function getTypeParser(oid: number, format: "text" | "binary" = "text") {
  const own = format === "text" ? textParsers.get(oid) : undefined;
  return (
    own ?? (format === "text" ? pg.types.getTypeParser(oid, "text") : pg.types.getTypeParser(oid, "binary"))
  );
}
