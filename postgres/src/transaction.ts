import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { type Connection, toDatabaseError, withConnection } from "./connection.ts";
import { CommitUnknownError, isCommitUncertain, isRetryable, isStalePlan } from "./errors.ts";
import type { Sql, Transaction } from "./sql.ts";

const MAX_TRIES = 5;
/** The wait before try n is random between 0 and this times 2^n: two that collided should not collide again. */
const RETRY_STEP_MS = 10;

/**
 * Runs `work` in a transaction and commits it; see `Database.transaction` for what is guaranteed.
 * A deadlock or a serialization failure repeats the whole of it, five tries at most.
 */
export async function runTransaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return withRetries((options) => withConnection(pool, (connection) => attempt(connection, options, work)));
}

/** Runs one statement that is its own transaction, under the same rules of repetition. */
export async function runStatement<Row>(pool: Pool, statement: Sql): Promise<Row[]> {
  return withRetries((options) =>
    withConnection(pool, (connection) => connection.run<Row>(statement, options)),
  );
}

async function withRetries<T>(attemptOnce: (options: { named: boolean }) => Promise<T>): Promise<T> {
  let named = true;
  for (let tryNumber = 1; ; tryNumber++) {
    try {
      return await attemptOnce({ named });
    } catch (error) {
      if (!mayRepeat(error) || tryNumber === MAX_TRIES) throw toDatabaseError(error);
      // Every connection of the pool may still hold the stale plan; an unnamed statement is planned afresh.
      if (isStalePlan(error)) named = false;
      await sleep(Math.random() * RETRY_STEP_MS * 2 ** tryNumber);
    }
  }
}

async function attempt<T>(
  connection: Connection,
  options: { named: boolean },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  await connection.control("begin");
  const tx = openTransaction(connection, options);
  let result: T;
  try {
    result = await work(tx.transaction);
  } catch (error) {
    const { failure } = await tx.end();
    // A connection that cannot roll back is closed by its lender, which rolls back on the server.
    await connection.control("rollback").catch(() => undefined);
    // `work` may have wrapped the deadlock, or met the errors that follow it: the cause decides on the next try.
    throw mayRepeat(failure) ? failure : error;
  }
  const { failure } = await tx.end();
  await commit(connection, failure);
  return result;
}

/**
 * A transaction whose statements queue up behind each other, and the way to end it: later statements are
 * refused, those under way are waited for, and the first failure is reported.
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

/** PostgreSQL answers the COMMIT of a failed transaction with a rollback and no error: never take it for success. */
async function commit(connection: Connection, failure: unknown): Promise<void> {
  let command: string;
  try {
    command = await connection.control("commit");
  } catch (error) {
    throw isCommitUncertain(error) ? new CommitUnknownError(error) : error;
  }
  if (command !== "COMMIT")
    throw failure ?? new Error("the transaction was rolled back instead of committed");
}

function mayRepeat(error: unknown): boolean {
  return isRetryable(error) || isStalePlan(error);
}
