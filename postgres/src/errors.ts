/** The server could not be asked, or the connection was lost. Nothing was written. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";

  constructor(cause: unknown) {
    super(`the database is unavailable: ${messageOf(cause)}`, { cause });
  }
}

/**
 * What was to be written was sent, and no answer came: it may or may not be in the database. So ends a commit, or a
 * single statement that writes, whose connection is lost or whose answer takes too long, as without the standby that
 * a synchronous server waits for. Repeating it is safe only where a natural key makes the second time harmless.
 */
export class CommitUnknownError extends Error {
  override readonly name = "CommitUnknownError";

  constructor(cause: unknown) {
    super(`the database did not say whether it has what was written: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Somebody else held a row for longer than may be waited for (`cause` says so), or too much of the same tenant waits for
 * such a one. Nothing was written, the database is well, and asking later may help.
 */
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
 * SQLSTATE values of a server that is there but cannot serve
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): class 08 connection, class 53 resources,
 * shutting down or starting, statement or wait for a lock over its time, and read-only, which a server is after
 * losing its primacy.
 */
const UNAVAILABLE_STATES = /^(?:08...|53...|57P0[1-5]|57014|55P03|25006|25P03)$/;

/** What `pg` says when it knows before sending that the connection is gone. */
const NOT_SENT_MESSAGES = [
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
];

/** What `pg` and its pool say, without any code, about a connection that is gone or cannot be had. */
const CONNECTION_MESSAGES = [
  ...NOT_SENT_MESSAGES,
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Cannot use a pool after calling end on the pool",
];

/** States of a COMMIT that was refused by a living server without saying whether it took effect. */
const UNCERTAIN_COMMIT_STATES = /^(?:08...|40003|53...|57P..|58...|XX...|25P03)$/;

/** Whether an answer of 503 is right: the database cannot be asked now, and asking later may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return true;
  return isHeldUp(error) || isConnectionLost(error) || UNAVAILABLE_STATES.test(codeOf(error));
}

/** Whether this gave up waiting for what somebody else held. */
export function isHeldUp(error: unknown): error is HeldUpError {
  return error instanceof HeldUpError;
}

/** Whether the server cancelled a wait for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** Whether the server is there and well, and a statement took longer, or waited longer for a row, than it may. */
export function isTooSlow(error: unknown): boolean {
  if (isHeldUp(error)) return true;
  const root = error instanceof Error ? (error.cause ?? error) : error;
  return /^(?:57014|55P03)$/.test(codeOf(root));
}

/**
 * Whether the server refused what it was asked, as it refuses a row that is there already: nothing was written, and the
 * server is well.
 */
export function isRefused(error: unknown): boolean {
  const code = codeOf(error);
  return isSqlState(code) && !UNAVAILABLE_STATES.test(code) && !UNCERTAIN_COMMIT_STATES.test(code);
}

/** Whether the server itself said this, and no pooler of a server that it lacks: it is there, whatever is wrong with it. */
export function isServerError(error: unknown): boolean {
  const code = codeOf(error instanceof DatabaseUnavailableError ? error.cause : error);
  return isSqlState(code) && !code.startsWith("08");
}

/** Whether the connection that gave this error must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (NETWORK_CODES.has(code) || /^(?:08...|57P0[1-5]|25P03)$/.test(code)) return true;
  return code === "" && CONNECTION_MESSAGES.some((start) => messageOf(error).startsWith(start));
}

/** Whether a COMMIT that failed with this error leaves open if the transaction is in. */
export function isCommitUncertain(error: unknown): boolean {
  const code = codeOf(error);
  if (wasNotSent(error)) return false;
  return !isSqlState(code) || UNCERTAIN_COMMIT_STATES.test(code);
}

/** Whether the whole transaction may succeed when it is run again: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** Whether a statement that failed with this error was sent, and nobody knows what became of it. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isConnectionLost(error) && !wasNotSent(error);
}

/** SQLSTATE values of a named statement that the connection does not have, or has of another. */
const WRONG_STATEMENT_STATES = new Set(["26000", "42P05"]);

/**
 * Whether a prepared statement was refused as such. It was not executed, and unnamed it will be. Happens on connections
 * that live through a migration, and behind a pooler that does not follow named statements.
 */
export function isStaleStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (WRONG_STATEMENT_STATES.has(code)) return true;
  return code === "0A000" && messageOf(error).startsWith("cached plan must not change result type");
}

/** Whether a unique constraint refused the row; with a name, whether that very constraint did. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== "23505") return false;
  return constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
}

/** Whether the role lacks the right to do this. */
export function isRefusedForRights(error: unknown): boolean {
  return codeOf(error) === "42501";
}

/** Whether the server has no database of that name, also where that is only the cause of an error. */
export function isDatabaseMissing(error: unknown): boolean {
  if (codeOf(error) === "3D000") return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseMissing(error.cause);
}

/** Whether a database could not be made because there is one of that name, or one is being made. */
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
