import pg from "pg";
import { isDatabaseUnavailable, isStaleStatement } from "./errors.ts";
import { prepare } from "./prepared-statement.ts";
import type { Sql } from "./sql.ts";

/** After this time without an answer a lane closes, and its callers use the pool. */
const ANSWER_MS = 1_000;
const MAX_WAITING = 64;

export type QuickReads = {
  /** Returns the rows; undefined if no lane has an answer and the statement must run in the usual way. */
  read<Row>(statement: Sql): Promise<Row[] | undefined>;
  use(): { readonly open: number; readonly busy: number };
  close(): void;
};

/**
 * Opens lanes: connections in the pipeline mode of `pg`, made on demand. Each statement is its own transaction, so
 * a failed one does not affect its neighbours. A lost lane is no failure, because reads can be repeated.
 */
export function openQuickReads(config: pg.ClientConfig, count: number): QuickReads {
  const lanes = Array.from({ length: count }, () => new Lane(config));
  return {
    read: async <Row>(statement: Sql) => {
      const [lane] = lanes.toSorted((a, b) => a.waiting - b.waiting);
      return lane === undefined || lane.waiting >= MAX_WAITING ? undefined : lane.read<Row>(statement);
    },
    use: () => {
      const open = lanes.filter((lane) => lane.isOpen());
      return { open: open.length, busy: open.filter(({ waiting }) => waiting > 0).length };
    },
    close: () => {
      for (const lane of lanes) lane.close();
    },
  };
}

class Lane {
  readonly #config: pg.ClientConfig;
  #client: pg.Client | undefined;
  #connecting: Promise<unknown> | undefined;
  #isClosed = false;
  waiting = 0;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  async read<Row>(statement: Sql): Promise<Row[] | undefined> {
    this.waiting += 1;
    const client = this.#open();
    try {
      await this.#connecting;
      const query = { ...prepare(statement, { named: true }), query_timeout: ANSWER_MS };
      const { rows } = await client.query(query as pg.QueryConfig<unknown[]>);
      return rows as Row[];
    } catch (error) {
      const isOurs = this.#client !== client || isDatabaseUnavailable(error) || isStaleStatement(error);
      if (!isOurs) throw error;
      this.#leave(client);
      return undefined;
    } finally {
      this.waiting -= 1;
    }
  }

  isOpen(): boolean {
    return this.#client !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#client) this.#leave(this.#client);
  }

  #open(): pg.Client {
    if (this.#client !== undefined) return this.#client;
    const client = new pg.Client({ ...this.#config, connectionTimeoutMillis: ANSWER_MS, pipeline: true });
    this.#client = client;
    const leave = () => this.#leave(client);
    client.on("error", leave).on("end", leave);
    const connecting = this.#isClosed ? Promise.reject(new Error("closed")) : client.connect();
    connecting.catch(leave);
    this.#connecting = connecting;
    return client;
  }

  #leave(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void client.end().catch(() => undefined);
  }
}
