import type { Database, Queryable } from "@daric/postgres/sql";
import { isSharded, type ShardFinder, spreadTenants } from "@daric/postgres/tenants";
import { uuidHash } from "@daric/postgres/uuid-hash";
import {
  askServers,
  findCitusVersion,
  findConnections,
  grantOnShards,
  listPlaced,
  listServers,
  listShards,
  measureTable,
  placeTable,
} from "./distribution-store.ts";
import { type PlacedTable, placedTables } from "./placement.ts";
import { addServerKeys, hasServerKeys } from "./server-keys-store.ts";
import { StartError } from "./start-error.ts";

/** The steps that make a restored dump of a distributed database usable on one server. */
export const RESTORED = "this is a copy of a distributed database on one server: run `daric migrate` on it";

const tablesOnServers = placedTables.filter(({ placement }) => placement !== "on the coordinator");

/** A table that is not in its place yet, with the rows and bytes to move. */
export type PlacementStep = PlacedTable & { readonly rows: number; readonly bytes: number };

export type Distribution = {
  readonly citus: string;
  readonly servers: readonly string[];
  /** the tables that were placed, or that would be */
  readonly steps: readonly PlacementStep[];
};

/** A cluster that cannot hold the service's tables. The message is one line with the remedy. */
export class UnfitClusterError extends Error {
  override readonly name = "UnfitClusterError";
}

export type DistributeOptions = {
  /** the role that the service logs in as */
  readonly serviceRole: string;
  /** the role that the signer logs in as, if it has one */
  readonly signerRole: string | undefined;
  /** reports the steps, and changes nothing */
  readonly isDryRun: boolean;
  /** called for each table before it moves */
  readonly onStep: (step: PlacementStep) => void;
};

/**
 * Places every table on the servers of a Citus cluster, one transaction each, as the owner of the tables. It may run
 * again: a placed table stays.
 *
 * @throws UnfitClusterError before anything is written, when the cluster lacks something or the service runs.
 */
export async function distribute(db: Database, options: DistributeOptions): Promise<Distribution> {
  const cluster = await requireFitCluster(db, options);
  const placed = await listPlaced(db);
  const left = placedTables.filter(
    ({ table, placement }) => placed.has(table) === (placement === "on the coordinator"),
  );
  const isComplete = left.length === 0 && (await hasServerKeys(db));
  if (!isComplete && !options.isDryRun) await requireStopped(db, options);
  const steps: PlacementStep[] = [];
  for (const table of left) {
    const step = { ...table, ...(await measureTable(db, table.table)) };
    options.onStep(step);
    if (!options.isDryRun) await placeTable(db, table);
    steps.push(step);
  }
  if (!options.isDryRun) {
    if (!isComplete) await addServerKeys(db);
    await grantOnShards(db, options.serviceRole);
  }
  return { ...cluster, steps };
}

async function requireFitCluster(
  db: Queryable,
  { serviceRole, signerRole }: DistributeOptions,
): Promise<Omit<Distribution, "steps">> {
  const citus = await findCitusVersion(db);
  if (citus === undefined)
    throw new UnfitClusterError(
      `this is a plain PostgreSQL, which runs the whole service as it is; distributing needs the extension citus, 13 or newer`,
    );
  const servers = await listServers(db);
  if (!servers.some(({ isCoordinator }) => isCoordinator))
    throw new UnfitClusterError(
      "the servers do not know the coordinator: run `select citus_set_coordinator_host('HOST', PORT)` in this database as a superuser",
    );
  if (servers.length === 1)
    throw new UnfitClusterError(
      "the cluster has no worker: run `select citus_add_node('HOST', PORT)` in this database as a superuser, once for each",
    );
  const { owner } = await findConnections(db, serviceRole);
  await requireFitServers(db, [owner, serviceRole, ...(signerRole === undefined ? [] : [signerRole])]);
  return { citus, servers: servers.map(({ name }) => name) };
}

async function requireStopped(db: Queryable, { serviceRole }: DistributeOptions): Promise<void> {
  const { serviceConnections } = await findConnections(db, serviceRole);
  if (serviceConnections > 0)
    throw new UnfitClusterError(
      `the service is connected to this database (${serviceConnections} connections of ${serviceRole}): stop every process of it first`,
    );
}

async function requireFitServers(db: Queryable, roles: readonly string[]): Promise<void> {
  for (const { server, limits, missingRoles } of await askServers(db, roles)) {
    if (limits === undefined)
      throw new UnfitClusterError(
        `the server ${server} does not answer: start it, or remove it from the cluster`,
      );
    const { prepared, connections } = limits;
    if (prepared < connections)
      throw new UnfitClusterError(
        `the server ${server} has max_prepared_transactions = ${prepared}, fewer than its ${connections} connections, so it could refuse commits; set twice max_connections and restart the server`,
      );
    const [role] = missingRoles;
    if (role !== undefined)
      throw new UnfitClusterError(
        `the server ${server} has no role ${role}: run \`create role ${role} login password '…'\` there as a superuser`,
      );
  }
}

/**
 * Makes this process query a distributed database for the merchants of one shard at a time. A plain PostgreSQL changes nothing.
 *
 * @throws StartError when only some of the tables are placed, or the keys of the servers are not those of the place.
 */
export async function adaptToServers(db: Queryable): Promise<void> {
  const placed = await listPlaced(db);
  const missing = tablesOnServers.map(({ table }) => table).filter((table) => !placed.has(table));
  const hasKeys = await hasServerKeys(db);
  if (missing.length === tablesOnServers.length) {
    // Tests query one server as if it were several.
    if (hasKeys && !isSharded()) throw new StartError("schema_mismatch", RESTORED);
    return;
  }
  if (missing.length > 0)
    throw new StartError(
      "schema_mismatch",
      `this database is distributed, but for ${missing.length} of its tables, such as ${missing[0]}: run \`daric distribute\``,
    );
  if (!hasKeys)
    throw new StartError(
      "schema_mismatch",
      "an older program distributed this database: stop every process of it and run `daric distribute`",
    );
  spreadTenants(await openShards(db));
}

/** A uuid without a meaning, by which both sides are compared. */
const SAMPLE = "00112233-4455-6677-8899-aabbccddeeff";

/** Finds the shard of a merchant by the hash of its id. Where the engine hashes otherwise, each merchant stands for itself. */
export async function openShards(db: Queryable): Promise<ShardFinder> {
  const { shards, hash } = await listShards(db, SAMPLE);
  if (hash !== uuidHash(SAMPLE)) return (merchantId) => merchantId;
  return (merchantId) => {
    const of = uuidHash(merchantId);
    return shards.find(({ from, to }) => from <= of && of <= to)?.id ?? merchantId;
  };
}

/** Whether a plain PostgreSQL has the keys of servers, as after the restore of a distributed database. */
export async function isRestoredFromServers(db: Queryable): Promise<boolean> {
  return (await hasServerKeys(db)) && !(await listPlaced(db)).has("deposit_addresses");
}
