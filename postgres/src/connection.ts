import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import {
  CommitUnknownError,
  DatabaseUnavailableError,
  HeldUpError,
  isConnectionLost,
  isDatabaseUnavailable,
  isHeldUp,
  isLockTimeout,
  isStaleStatement,
} from "./errors.ts";
import { beginText, type Limits, type TimeLeft } from "./limits.ts";
import { prepare } from "./prepared-statement.ts";
import type { Sql } from "./sql.ts";

/** One connection while it is borrowed from the pool. */
export type Connection = {
  run<Row>(statement: Sql, options: { named: boolean }): Promise<Row[]>;
  begin(limits: Limits): Promise<void>;
  /** Ends the transaction; returns the command that the server says it executed. */
  end(command: "commit" | "rollback"): Promise<string>;
};

/**
 * Lends a connection to `work` for as long as it runs. No answer is waited for longer than `timeLeft` says. A
 * connection on which anything was lost is closed instead of going back to the pool, so a transaction that may still
 * be open never meets its next borrower.
 *
 * @throws DatabaseUnavailableError when there is no connection to lend.
 */
export async function withConnection<T>(
  pool: Pool,
  timeLeft: TimeLeft,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await borrow(pool);
  let isBroken = false;
  const markBroken = () => {
    isBroken = true;
  };
  client.on("error", markBroken);
  const control = async (text: string): Promise<QueryResult> => {
    try {
      return await client.query(timed({ text }, timeLeft));
    } catch (error) {
      markBroken();
      throw error;
    }
  };
  try {
    return await work({
      run: async <Row>(statement: Sql, options: { named: boolean }) => {
        try {
          const result = await client.query(timed(prepare(statement, options), timeLeft));
          return result.rows as Row[];
        } catch (error) {
          if (isConnectionLost(error) || isStaleStatement(error)) markBroken();
          throw error;
        }
      },
      begin: async (limits) => {
        await control(beginText(limits));
      },
      end: async (command) => (await control(command)).command,
    });
  } finally {
    client.removeListener("error", markBroken);
    client.release(isBroken);
  }
}

/** `pg` takes a limit for one query, which its types do not know. */
function timed(query: QueryConfig<unknown[]>, timeLeft: TimeLeft): QueryConfig<unknown[]> {
  return Object.assign(query, { query_timeout: timeLeft() });
}

/** The error a caller should see: a lost or missing server has its own type, as has a row that is held; all else stays what it is. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return error;
  if (isLockTimeout(error)) return new HeldUpError("a row is held by another transaction", { cause: error });
  if (isHeldUp(error)) return error;
  return isDatabaseUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}

/** Whatever prevents a connection, a refused password too, means that the database cannot be asked. */
async function borrow(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  }
}
