import { openDatabase, type PoolUse } from "@daric/postgres/database";
import type { Role } from "@daric/runtime/setting";
import { pingDatabase } from "../deployment/store.ts";
import type { Config } from "./config.ts";

/**
 * Pool sizes. A watcher needs one connection for its transaction, one for the renewal of its lease and two for other
 * queries. A webhooks worker needs one for each result that it writes in parallel.
 */
const FIXED = {
  watcher: { max: 4, lanes: 0 },
  webhooks: { max: 8, lanes: 0 },
  settlement: { max: 4, lanes: 0 },
  readiness: { max: 1, lanes: 0, isKept: true },
};

/** A request of the API has 10 s in all, and a new connection takes a few milliseconds. */
const API_CONNECT_MS = 3_000;
const PING_MS = 1_000;
/** One connection for pings, because a readiness check on its own connection may take longer. */
const PINGS = { max: 1, lanes: 0, connectMs: PING_MS, limits: { answerMs: PING_MS } };

/** One connection for the coordinator and one for each server; one that hangs answers when it is back. */
const SERVERS = { max: 33, lanes: 0, limits: { answerMs: 3_600_000 } };

type Database = ReturnType<typeof openDatabase>;
type PoolName = Role | "readiness";

/**
 * The connections of a process. Each role has a pool, so that none waits for the work of another, and
 * readiness has one connection.
 */
export type Databases = {
  /** the pool for the start, for readiness, and for the search of blocking sessions */
  readonly readiness: Database;
  /** the pool for questions to the servers of a distributed database */
  readonly servers: Database;
  /** @throws Error if the process does not have the role */
  of(role: Role): Database;
  /** The application_name of a pool's connections in pg_stat_activity. */
  nameOf(pool: PoolName): string;
  /** The use of each pool. */
  uses(): readonly (PoolUse & { readonly pool: PoolName })[];
  close(): Promise<void>;
};

/**
 * Opens the pools of these roles; each connection is made on demand. `role` is the role of the start, and
 * `onLost` gets connections that were lost while idle.
 */
export function openDatabases(
  config: Config,
  { role, onLost }: { role: string; onLost: (pool: PoolName, error: Error) => void },
): Databases {
  const { databaseUrl: url, databasePoolMax } = config.runtime;
  const nameOf = (pool: PoolName | "ping" | "servers"): string => `daric-${role}/${pool}`;
  const ownPing = openDatabase({ url, ...PINGS, applicationName: nameOf("ping"), onError: () => {} });
  const servers = openDatabase({ url, ...SERVERS, applicationName: nameOf("servers"), onError: () => {} });
  const ping = () => {
    const readiness = poolOf("readiness");
    return pingDatabase(readiness.use().inUse > 0 ? ownPing : readiness.answeringWithin(PING_MS));
  };
  const api = { max: databasePoolMax, connectMs: API_CONNECT_MS, silence: { ping } };
  const sizes = { ...FIXED, api };
  const names: readonly PoolName[] = ["readiness", ...config.roles];
  const pools = new Map(
    names.map((pool) => {
      const onError = (error: Error) => onLost(pool, error);
      return [pool, openDatabase({ url, ...sizes[pool], applicationName: nameOf(pool), onError })];
    }),
  );
  const poolOf = (name: PoolName): Database => {
    const pool = pools.get(name);
    if (pool === undefined) throw new Error(`this process has no connections for ${name}`);
    return pool;
  };
  return {
    readiness: poolOf("readiness"),
    servers,
    of: poolOf,
    nameOf,
    uses: () => [...pools].map(([pool, { use }]) => ({ pool, ...use() })),
    close: async () => {
      await Promise.all([ownPing, servers, ...pools.values()].map((pool) => pool.close()));
    },
  };
}
