/** The server cannot be reached, or the connection was lost. Nothing was written. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";

  constructor(cause: unknown) {
    super(`the database is unavailable: ${messageOf(cause)}`, { cause });
  }
}

/** A server of a sharded engine does not answer, so nothing is sent to it. Other servers are not affected. */
export class HungServerError extends DatabaseUnavailableError {
  constructor(server: string) {
    super(new Error(`its server ${server} does not answer`));
  }
}

/** A commit or a single write was sent and not answered. Repeat it only if a natural key makes that harmless. */
export class CommitUnknownError extends Error {
  override readonly name = "CommitUnknownError";

  constructor(cause: unknown) {
    super(`the database did not confirm the write: ${messageOf(cause)}`, { cause });
  }
}

/** Another transaction holds a row for too long. Nothing was written, and a retry may help. */
export class HeldUpError extends Error {
  override readonly name = "HeldUpError";

  constructor(reason: string, options?: ErrorOptions) {
    super(`held up: ${reason}`, options);
  }
}

const NETWORK_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * SQLSTATE values of a server that cannot serve now
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): connection (08), resources (53), shutdown or
 * start, timeouts, and read-only after a failover.
 */
const UNAVAILABLE_STATES = /^(?:08...|53...|57P0[1-5]|57014|55P03|25006|25P03)$/;

/** Messages of `pg` when it knows before sending that the connection is gone. */
const NOT_SENT_MESSAGES = [
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
];

const CONNECTION_MESSAGES = [
  ...NOT_SENT_MESSAGES,
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Cannot use a pool after calling end on the pool",
];

/** SQLSTATE values of a failed COMMIT whose outcome is unknown. */
const UNCERTAIN_COMMIT_STATES = /^(?:08...|40003|53...|57P..|58...|XX...|25P03)$/;

/** Whether an answer of 503 is right: the database is unavailable now, and a retry may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return true;
  return (
    isHeldUp(error) || isConnectionLost(error) || UNAVAILABLE_STATES.test(codeOf(error)) || isAway(error)
  );
}

/**
 * The message by SQLSTATE: of PostgreSQL without its postmaster, of Citus 13 without another server, of a standby
 * before its promotion.
 */
const AWAY_MESSAGES: Readonly<Record<string, readonly string[]>> = {
  XX000: [
    "terminating connection due to unexpected postmaster exit",
    "failure on connection marked as essential",
  ],
  "55000": ["recovery is in progress"],
};

/**
 * Whether the server is gone or is no primary. These SQLSTATE values have other meanings too, so the message
 * decides.
 */
function isAway(error: unknown): boolean {
  return AWAY_MESSAGES[codeOf(error)]?.some((start) => messageOf(error).startsWith(start)) === true;
}

export function isHeldUp(error: unknown): error is HeldUpError {
  return error instanceof HeldUpError;
}

/** Whether the disk of the server is full. The transaction is rolled back. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error instanceof DatabaseUnavailableError ? error.cause : error) === "53100";
}

/** Whether the server, or a pooler in front of it, refuses the user or the password. */
export function isLoginRefused(error: unknown): boolean {
  const root = error instanceof DatabaseUnavailableError ? error.cause : error;
  return /^28/.test(codeOf(root)) || /^(?:SASL |password )?authentication failed/i.test(messageOf(root));
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** Whether the server is well and a statement, or its wait for a row, took too long. */
export function isTooSlow(error: unknown): boolean {
  if (isHeldUp(error)) return true;
  const root = error instanceof Error ? (error.cause ?? error) : error;
  return /^(?:57014|55P03)$/.test(codeOf(root));
}

/** Whether a healthy server refused the statement, such as a duplicate row; nothing was written. */
export function isRefused(error: unknown): boolean {
  const code = codeOf(error);
  return isSqlState(code) && !UNAVAILABLE_STATES.test(code) && !UNCERTAIN_COMMIT_STATES.test(code);
}

/** Whether the error comes from the server itself, not from a pooler without a server. */
export function isServerError(error: unknown): boolean {
  const code = codeOf(error instanceof DatabaseUnavailableError ? error.cause : error);
  return isSqlState(code) && !code.startsWith("08");
}

/** Whether the connection must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (NETWORK_CODES.has(code) || /^(?:08...|57P0[1-5]|25P03)$/.test(code)) return true;
  return code === "" && CONNECTION_MESSAGES.some((start) => messageOf(error).startsWith(start));
}

/** Whether a COMMIT with this error may have taken effect. */
export function isCommitUncertain(error: unknown): boolean {
  const code = codeOf(error);
  if (wasNotSent(error)) return false;
  return !isSqlState(code) || UNCERTAIN_COMMIT_STATES.test(code);
}

/** Whether the whole transaction may succeed when it runs again: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** Whether the statement was sent and its outcome is unknown. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isConnectionLost(error) && !wasNotSent(error);
}

/** SQLSTATE values of a missing or conflicting named statement. */
const WRONG_STATEMENT_STATES = new Set(["26000", "42P05"]);

/** Whether a prepared statement was refused unexecuted, as after a migration; it will work unnamed. */
export function isStaleStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (WRONG_STATEMENT_STATES.has(code)) return true;
  return code === "0A000" && messageOf(error).startsWith("cached plan must not change result type");
}

/** A server of Citus names the key in the message alone, in its own language and quotes, with the number of its shard. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== "23505") return false;
  if (constraint === undefined || (error as { constraint?: unknown }).constraint === constraint) return true;
  const words = messageOf(error).match(/\w+/g) ?? [];
  return words.some((word) => /^(\w+)_\d+$/.exec(word)?.[1] === constraint);
}

export function isRefusedForRights(error: unknown): boolean {
  return codeOf(error) === "42501";
}

/** Whether the server has no database of that name; looks at the causes too. */
export function isDatabaseMissing(error: unknown): boolean {
  if (codeOf(error) === "3D000") return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseMissing(error.cause);
}

export function isAlreadyThere(error: unknown): boolean {
  return codeOf(error) === "42P04" || isUniqueViolation(error, "pg_database_datname_index");
}

function wasNotSent(error: unknown): boolean {
  return codeOf(error) === "" && NOT_SENT_MESSAGES.includes(messageOf(error));
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !NETWORK_CODES.has(code);
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return codeOf(error) || String(error);
}
