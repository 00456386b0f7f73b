import { HungNodeError } from "./errors.ts";

/** The most tenants that one statement may name. */
export const MAX_TENANTS = 200;
const ONE_SERVER = "";

/** Names the shard of a tenant, where a sharded engine holds the rows. */
export type ShardFinder = (tenant: string) => string;

let findShard: ShardFinder | undefined;

/** The nodes of a sharded engine, as the last look at them found them. */
export type EngineNodes = {
  /** the node of each shard */
  readonly nodeOf: ReadonlyMap<string, string>;
  /** the nodes that do not answer */
  readonly hung: ReadonlySet<string>;
};

let nodes: EngineNodes = { nodeOf: new Map(), hung: new Set() };

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

/** Sets the nodes as they were found. */
export function setClusterNodes(found: EngineNodes): void {
  nodes = found;
}

/** The node of a tenant; undefined on one server, and where it is not known. */
export function nodeOf(tenant: string): string | undefined {
  return findShard && nodes.nodeOf.get(findShard(tenant));
}

/** A node that does not answer; undefined while all do. */
export function hungNode(): string | undefined {
  const [node] = nodes.hung;
  return node;
}

/** @throws HungNodeError while any node does not answer: what was not found may stand there. */
export function requireAllAnswering(): void {
  const node = hungNode();
  if (node !== undefined) throw new HungNodeError(node);
}

/** Whether the tenant's node answers, as far as is known. */
export function isNodeAnswering(tenant: string): boolean {
  const node = nodeOf(tenant);
  return node === undefined || !nodes.hung.has(node);
}

/** @throws HungNodeError while the tenant's node does not answer. */
export function requireAnswering(tenant: string): void {
  if (nodes.hung.size > 0 && !isNodeAnswering(tenant)) throw new HungNodeError(nodeOf(tenant) ?? "");
}
