import { HungServerError } from "./errors.ts";

/** The most tenants that one statement may name. */
export const MAX_TENANTS = 200;
const ONE_SERVER = "";

/** Names the shard of a tenant, where a sharded engine holds the rows. */
export type ShardFinder = (tenant: string) => string;

let findShard: ShardFinder | undefined;

/** The servers of a sharded engine, as the last look at them found them. */
export type ClusterServers = {
  /** the server of each shard */
  readonly serverOf: ReadonlyMap<string, string>;
  /** the servers that do not answer */
  readonly hung: ReadonlySet<string>;
};

let servers: ClusterServers = { serverOf: new Map(), hung: new Set() };

/** Whether a sharded engine holds the rows, which runs a statement about tenants on one shard. */
export function isSharded(): boolean {
  return findShard !== undefined;
}

/**
 * The most tenants that one statement may name wherever their rows stand: 200, or 1 on a sharded engine. Such an engine runs each
 * statement on one shard. A caller splits a longer list, by {@link inShards} where it knows the tenants.
 */
export function maxTenants(): number {
  return isSharded() ? 1 : MAX_TENANTS;
}

/** Where the rows of a tenant stand. One statement may name at most 200 tenants of one shard. */
export function shardOf(tenant: string): string {
  return findShard?.(tenant) ?? ONE_SERVER;
}

/** Splits units into lists of at most 200 about tenants of one shard. The order is kept within a list. */
export function inShards<Unit>(units: readonly Unit[], tenantOf: (unit: Unit) => string): Unit[][] {
  const lists: Unit[][] = [];
  const open = new Map<string, Unit[]>();
  for (const unit of units) {
    const shard = shardOf(tenantOf(unit));
    let list = open.get(shard);
    if (list === undefined || list.length === MAX_TENANTS) {
      list = [];
      lists.push(list);
      open.set(shard, list);
    }
    list.push(unit);
  }
  return lists;
}

/** Sets where the rows of tenants stand, or that one server has them all. Called once, before any work begins. */
export function spreadTenants(shards: ShardFinder | undefined): void {
  findShard = shards;
}

/** Sets the servers as they were found. */
export function setClusterServers(found: ClusterServers): void {
  servers = found;
}

/** The server of a tenant; undefined on one server, and where it is not known. */
export function serverOf(tenant: string): string | undefined {
  return findShard && servers.serverOf.get(findShard(tenant));
}

/** A server that does not answer; undefined while all do. */
export function hungServer(): string | undefined {
  const [server] = servers.hung;
  return server;
}

/** @throws HungServerError while any server does not answer: what was not found may stand there. */
export function requireAllAnswering(): void {
  const server = hungServer();
  if (server !== undefined) throw new HungServerError(server);
}

/** Whether the tenant's server answers, as far as is known. */
export function isServerAnswering(tenant: string): boolean {
  const server = serverOf(tenant);
  return server === undefined || !servers.hung.has(server);
}

/** @throws HungServerError while the tenant's server does not answer. */
export function requireAnswering(tenant: string): void {
  if (servers.hung.size > 0 && !isServerAnswering(tenant)) throw new HungServerError(serverOf(tenant) ?? "");
}
