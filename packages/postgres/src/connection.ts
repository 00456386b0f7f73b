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
  isTooSlow,
} from "./errors.ts";
import { beginText, type Limits, type TimeLeft } from "./limits.ts";
import { prepare } from "./prepared-statement.ts";
import type { Sql } from "./sql.ts";
import { isSharded } from "./tenants.ts";

export type Connection = {
  run<Row>(statement: Sql, options: { named: boolean }): Promise<Row[]>;
  begin(limits: Limits): Promise<void>;
  /** Ends the transaction; returns the command that the server executed. */
  end(command: "commit" | "rollback"): Promise<string>;
};

/**
 * Lends a connection to `work` and bounds each answer by `timeLeft`. A connection with a lost answer is closed.
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
          // A sharded engine ends a statement only when each of its servers has answered, long after it refused it.
          const isUnfinished = isSharded() && isTooSlow(error);
          if (isConnectionLost(error) || isStaleStatement(error) || isUnfinished) markBroken();
          throw error;
        }
      },
      begin: async (limits) => {
        await control(beginText(limits));
      },
      // Closing the connection undoes its transaction too.
      end: async (command) =>
        isBroken && command === "rollback" ? command : (await control(command)).command,
    });
  } finally {
    client.removeListener("error", markBroken);
    client.release(isBroken);
  }
}

/** The types of `pg` lack `query_timeout`. */
function timed(query: QueryConfig<unknown[]>, timeLeft: TimeLeft): QueryConfig<unknown[]> {
  return Object.assign(query, { query_timeout: timeLeft() });
}

/** Maps a driver's error: a lost server and a held row get their own types, any other error stays as it is. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return error;
  if (isLockTimeout(error)) return new HeldUpError("a row is held by another transaction", { cause: error });
  if (isHeldUp(error)) return error;
  return isDatabaseUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}

/** Any failure to connect, a refused password too, means that the database is unavailable. */
async function borrow(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  }
}
