import type { Pool, PoolClient } from "pg";
import {
  CommitUnknownError,
  DatabaseUnavailableError,
  isConnectionLost,
  isDatabaseUnavailable,
  isStalePlan,
} from "./errors.ts";
import { prepare } from "./prepared-statement.ts";
import type { Sql } from "./sql.ts";

/** One connection while it is borrowed from the pool. */
export type Connection = {
  run<Row>(statement: Sql, options: { named: boolean }): Promise<Row[]>;
  /** Runs BEGIN, COMMIT or ROLLBACK; returns the command that the server says it executed. */
  control(command: "begin" | "commit" | "rollback"): Promise<string>;
};

/**
 * Lends a connection to `work` for as long as it runs. A connection on which anything was lost is closed
 * instead of going back to the pool, so a transaction that may still be open never meets its next borrower.
 *
 * @throws DatabaseUnavailableError when there is no connection to lend.
 */
export async function withConnection<T>(
  pool: Pool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await borrow(pool);
  let isBroken = false;
  const markBroken = () => {
    isBroken = true;
  };
  client.on("error", markBroken);
  const watch = async <R>(answer: Promise<R>): Promise<R> => {
    try {
      return await answer;
    } catch (error) {
      if (isConnectionLost(error) || isStalePlan(error)) markBroken();
      throw error;
    }
  };
  try {
    return await work({
      run: async <Row>(statement: Sql, options: { named: boolean }) => {
        const result = await watch(client.query(prepare(statement, options)));
        return result.rows as Row[];
      },
      control: async (command) => {
        try {
          return (await client.query(command)).command;
        } catch (error) {
          markBroken();
          throw error;
        }
      },
    });
  } finally {
    client.removeListener("error", markBroken);
    client.release(isBroken);
  }
}

/** The error a caller should see: a lost or missing server has its own type, all else stays what it is. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return error;
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
