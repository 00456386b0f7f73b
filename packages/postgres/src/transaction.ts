import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { type Connection, toDatabaseError, withConnection } from "./connection.ts";
import {
  CommitUnknownError,
  isCommitUncertain,
  isOutcomeUnknown,
  isRetryable,
  isStaleStatement,
} from "./errors.ts";
import { type Limits, type TimeLeft, timeOfStatement, timeOfTransaction } from "./limits.ts";
import type { QuickReads } from "./quick-reads.ts";
import type { Silence } from "./silence.ts";
import type { Sql, Transaction } from "./sql.ts";
import { isQuick } from "./sql.ts";
import type { Shares } from "./tenant-shares.ts";
import { requireAnswering } from "./tenants.ts";

const MAX_TRIES = 5;
/** The wait before try n is random between 0 and this times 2^n, so that two that collided separate. */
const RETRY_STEP_MS = 10;
const MIN_TRY_MS = 20;

/** The pool of a statement or transaction, its limits, and its tenant if it has one. */
export type DatabaseScope = {
  readonly pool: Pool;
  readonly quickReads: QuickReads;
  readonly shares: Shares;
  readonly silence?: Silence | undefined;
  readonly limits: Limits;
  readonly tenant?: string;
};

/**
 * Runs `work` in a transaction; see `Database.transaction`. At most five tries at deadlocks and serialization
 * failures.
 */
export async function runTransaction<T>(
  scope: DatabaseScope,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { pool, limits } = scope;
  const timeLeft = timeOfTransaction(limits);
  return inTurn(
    scope,
    () => true,
    () =>
      withRetries(timeLeft, (options) =>
        withConnection(pool, timeLeft, (connection) => attempt(connection, { ...options, limits }, work)),
      ),
  );
}

export async function runStatement<Row>(scope: DatabaseScope, statement: Sql): Promise<Row[]> {
  const { pool, quickReads, limits } = scope;
  const timeLeft = timeOfStatement(limits);
  requireServed(scope);
  const rows = isQuick(statement) ? await quickReads.read<Row>(statement) : undefined;
  if (rows !== undefined) return rows;
  return inTurn(
    scope,
    () => mayWrite(statement),
    () =>
      withRetries(timeLeft, (options) =>
        withConnection(pool, timeLeft, (connection) =>
          connection.run<Row>(statement, options).catch((error: unknown) => {
            throw mayWrite(statement) && isOutcomeUnknown(error) ? new CommitUnknownError(error) : error;
          }),
        ),
      ),
  );
}

/** @throws DatabaseUnavailableError while the database is silent, or the tenant's server does not answer. */
function requireServed({ silence, tenant }: DatabaseScope): void {
  silence?.refuse();
  if (tenant !== undefined) requireAnswering(tenant);
}

/** Runs work at once unless it belongs to a tenant. @throws DatabaseUnavailableError while that is in vain. */
async function inTurn<T>(scope: DatabaseScope, mayBlock: () => boolean, work: () => Promise<T>): Promise<T> {
  requireServed(scope);
  const { shares, tenant } = scope;
  if (tenant === undefined) return work();
  return shares.take({ tenant, mayBlock: mayBlock() }, work);
}

/** A statement without these words changes nothing. `for update` contains one: a false positive is safe. */
function mayWrite({ text }: Sql): boolean {
  return !/^\s*(?:select|show|with)\b/i.test(text) || /\b(?:insert|update|delete|merge)\b/i.test(text);
}

async function withRetries<T>(
  timeLeft: TimeLeft,
  attemptOnce: (options: { named: boolean }) => Promise<T>,
): Promise<T> {
  let named = true;
  for (let tryNumber = 1; ; tryNumber++) {
    try {
      return await attemptOnce({ named });
    } catch (error) {
      if (!mayRepeat(error) || tryNumber === MAX_TRIES || timeLeft() <= MIN_TRY_MS)
        throw toDatabaseError(error);
      // Every connection may have the same stale plan; an unnamed statement is planned afresh.
      if (isStaleStatement(error)) named = false;
      await sleep(Math.random() * RETRY_STEP_MS * 2 ** tryNumber);
    }
  }
}

async function attempt<T>(
  connection: Connection,
  { limits, named }: { limits: Limits; named: boolean },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  await connection.begin(limits);
  const tx = openTransaction(connection, { named });
  let result: T;
  try {
    result = await work(tx.transaction);
  } catch (error) {
    const { failure } = await tx.end();
    await connection.end("rollback").catch(() => undefined);
    // `work` may have wrapped the deadlock or met its follow-up errors: the first failure decides on a retry.
    throw mayRepeat(failure) ? failure : error;
  }
  const { failure } = await tx.end();
  await commit(connection, failure);
  return result;
}

/**
 * Runs its statements one after the other. Its end waits for running ones, rejects later ones and reports the first
 * failure.
 */
function openTransaction(connection: Connection, options: { named: boolean }) {
  let isOver = false;
  let failure: unknown;
  let last: Promise<unknown> = Promise.resolve();

  const query = <Row>(statement: Sql): Promise<Row[]> => {
    if (isOver) return Promise.reject(new Error("the transaction is over"));
    const answer = last.then(() => connection.run<Row>(statement, options));
    last = answer.catch((error: unknown) => {
      failure ??= error;
    });
    return answer;
  };
  const end = async (): Promise<{ failure: unknown }> => {
    isOver = true;
    await last;
    return { failure };
  };
  const transaction: Transaction = { inTransaction: true, query };
  return { transaction, end };
}

/** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error. */
async function commit(connection: Connection, failure: unknown): Promise<void> {
  let command: string;
  try {
    command = await connection.end("commit");
  } catch (error) {
    throw isCommitUncertain(error) ? new CommitUnknownError(error) : error;
  }
  if (command !== "COMMIT")
    throw failure ?? new Error("the transaction was rolled back instead of committed");
}

function mayRepeat(error: unknown): boolean {
  return isRetryable(error) || isStaleStatement(error);
}
