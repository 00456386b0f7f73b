import { column, type Database, maybeOne, one, type Queryable, sql } from "@daric/postgres/sql";
import { grants } from "./grants.ts";
import type { PlacedTable } from "./placement.ts";

/** The version of Citus in this database, such as "13.2-1"; undefined for a plain PostgreSQL. */
export async function findCitusVersion(db: Queryable): Promise<string | undefined> {
  const row = maybeOne(
    await db.query<{ version: string }>(
      sql`select extversion as version from pg_extension where extname = 'citus'`,
    ),
  );
  return row?.version;
}

/** A server of the cluster. */
export type ClusterServer = { readonly name: string; readonly isCoordinator: boolean };

/** The servers of the cluster, the coordinator first if the others know it. */
export async function listServers(db: Queryable): Promise<ClusterServer[]> {
  return db.query<ClusterServer>(sql`
    select nodename || ':' || nodeport as name, groupid = 0 as "isCoordinator"
    from pg_dist_node where isactive and noderole = 'primary' order by groupid`);
}

/** A server's facts about itself; `limits` is undefined if it does not answer. */
export type ClusterServerFacts = {
  readonly server: string;
  readonly limits: { readonly prepared: number; readonly connections: number } | undefined;
  readonly missingRoles: readonly string[];
};

const SERVER_FACTS = `select json_build_object(
  'prepared', current_setting('max_prepared_transactions')::integer,
  'connections', current_setting('max_connections')::integer,
  'roles', (select json_agg(rolname) from pg_roles))`;

/**
 * Queries every server for its limits of prepared transactions and connections, and for the missing ones of these
 * roles.
 */
export async function askServers(db: Queryable, roles: readonly string[]): Promise<ClusterServerFacts[]> {
  const rows = await db.query<{ server: string; answer: string | null }>(sql`
    select nodename || ':' || nodeport as server, case when success then result end as answer
    from run_command_on_all_nodes(${SERVER_FACTS}) join pg_dist_node using (nodeid) order by groupid`);
  return rows.map(({ server, answer }) => {
    if (answer === null) return { server, limits: undefined, missingRoles: [] };
    const facts = JSON.parse(answer) as { prepared: number; connections: number; roles: string[] };
    const { prepared, connections } = facts;
    const missingRoles = roles.filter((role) => !facts.roles.includes(role));
    return { server, limits: { prepared, connections }, missingRoles };
  });
}

/** The role of this connection, and the number of connections of the service, which logs in as `serviceRole`. */
export async function findConnections(
  db: Queryable,
  serviceRole: string,
): Promise<{ owner: string; serviceConnections: number }> {
  return one(
    await db.query<{ owner: string; serviceConnections: number }>(sql`
      select current_user::text as owner, (
        select count(*)::integer from pg_stat_activity
        where usename = ${serviceRole} and datname = current_database() and application_name like 'daric-%/%'
      ) as "serviceConnections"`),
  );
}

/** The tables that Citus has placed; none on a plain PostgreSQL. */
export async function listPlaced(db: Queryable): Promise<ReadonlySet<string>> {
  const { exists } = one(
    await db.query<{ exists: boolean }>(
      sql`select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`,
    ),
  );
  if (!exists) return new Set();
  const rows = await db.query<{ table: string }>(
    sql`select logicalrelid::regclass::text as table from pg_dist_partition`,
  );
  return new Set(rows.map(({ table }) => table));
}

/** A shard of the merchants: the range of hashes, both inclusive. Shards of other tables stand beside it. */
export type Shard = { readonly id: string; readonly from: number; readonly to: number };

/** The shards of the merchants, and the engine's hash of a uuid. */
export async function listShards(
  db: Queryable,
  sample: string,
): Promise<{ shards: readonly Shard[]; hash: number }> {
  const { hash } = one(await db.query<{ hash: number }>(sql`select worker_hash(${sample}::uuid) as hash`));
  const shards = await db.query<Shard>(sql`
    select shardid::text as id, shardminvalue::integer as "from", shardmaxvalue::integer as "to"
    from pg_dist_shard where logicalrelid = 'merchants'::regclass order by shardid`);
  return { shards, hash };
}

/** The server of each shard of the merchants, by the coordinator alone. */
export async function listPlaces(
  db: Queryable,
): Promise<{ readonly shard: string; readonly server: string }[]> {
  return db.query(sql`
    select shardid::text as shard, nodename || ':' || nodeport as server
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = 'merchants'::regclass and noderole = 'primary' order by shardid`);
}

/** Asks the server of this merchant, which need not exist. */
export async function askServerOf(db: Queryable, merchantId: string): Promise<void> {
  await db.query(sql`select 1 from merchants where id = ${merchantId}::uuid`);
}

/** The rows of a table, and its bytes with indexes and partitions. */
export async function measureTable(db: Queryable, table: string): Promise<{ rows: number; bytes: number }> {
  return one(
    await db.query<{ rows: number; bytes: number }>(sql`
      select (select count(*) from ${column(table)})::float8 as rows,
        (pg_total_relation_size(${table}::regclass) + coalesce((
          select sum(pg_total_relation_size(relid)) from pg_partition_tree(${table}::regclass) where isleaf), 0))::float8 as bytes`),
  );
}

/**
 * A block costs one statement of each kind for every shard whose merchants it pays, however many they are. A cluster grows to as
 * many servers as there are shards.
 */
const SHARDS_PER_SERVER = 2;

/**
 * Moves the rows of a table to their place, in one transaction. Its keys and foreign keys stay. An older release placed a table of
 * the coordinator on every server.
 */
export async function placeTable(
  db: Pick<Database, "transaction">,
  { table, placement, column: owner }: PlacedTable,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`set local statement_timeout = 0`);
    // Otherwise Citus takes over every table that a foreign key leads to, and fails at the checks of partitions.
    await tx.query(sql`set local citus.enable_local_reference_table_foreign_keys = off`);
    // A table and one that its foreign key leads to are changed in one transaction, which needs one connection for each server.
    await tx.query(sql`set local citus.multi_shard_modify_mode = 'sequential'`);
    if (placement === "on the coordinator") await tx.query(sql`select undistribute_table(${table})`);
    else if (owner === undefined) await tx.query(sql`select create_reference_table(${table})`);
    else if (table === "merchants") {
      const { servers } = one(
        await tx.query<{ servers: number }>(sql`
          select count(*)::integer as servers from pg_dist_node
          where isactive and noderole = 'primary' and shouldhaveshards`),
      );
      const shards = servers * SHARDS_PER_SERVER;
      await tx.query(
        sql`select create_distributed_table(${table}, ${owner}, shard_count => ${shards}::integer)`,
      );
    } else
      await tx.query(sql`select create_distributed_table(${table}, ${owner}, colocate_with => 'merchants')`);
  });
}

/** The tables in which the service may insert only some columns. */
const insertedInPart = Object.entries(grants)
  .filter(([, grant]) => "insert" in grant && Array.isArray(grant.insert))
  .map(([table]) => table);

/**
 * Lets the service insert whole rows into shards. The coordinator fills in the columns that the service may not insert, and
 * still refuses them to the service.
 */
export async function grantOnShards(db: Queryable, serviceRole: string): Promise<void> {
  for (const table of insertedInPart) {
    const failures = await db.query<{ result: string }>(sql`
      select result from run_command_on_shards(${table}, format('grant insert on %%s to %I', ${serviceRole}::text))
      where not success`);
    if (failures[0] !== undefined)
      throw new Error(`no rights on the shards of ${table}: ${failures[0].result}`);
  }
}
