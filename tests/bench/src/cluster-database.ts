import pg from "pg";

/** Runs one statement on a connection of its own. */
export async function execute<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

type Server = { readonly host: string; readonly port: number };

/** The coordinator and the workers that it knows in this database. */
async function serversOf(url: string): Promise<{ coordinator: Server; workers: Server[] }> {
  const workers = await execute<Server>(
    url,
    "select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid <> 0",
  );
  const { hostname, port } = new URL(url);
  return { coordinator: { host: hostname, port: Number(port || 5432) }, workers };
}

function urlOn(url: string, { host, port }: Server, database: string): string {
  return Object.assign(new URL(url), { host: `${host}:${port}`, pathname: `/${database}` }).href;
}

/**
 * Makes a database and the service's role on every server of the cluster, and registers the workers at the
 * coordinator.
 */
export async function createOnServers(url: string, name: string, role: string): Promise<void> {
  const createRole = `do $$ begin create role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(role)};
    exception when duplicate_object then null; end $$`;
  const { coordinator, workers } = await serversOf(url);
  for (const server of [coordinator, ...workers]) {
    await execute(urlOn(url, server, "postgres"), createRole);
    await execute(urlOn(url, server, "postgres"), `create database ${pg.escapeIdentifier(name)}`);
    await execute(urlOn(url, server, name), "create extension citus");
  }
  const onCoordinator = urlOn(url, coordinator, name);
  const named = ({ host, port }: Server) => `${pg.escapeLiteral(host)}, ${port}`;
  await execute(onCoordinator, `select citus_set_coordinator_host(${named(coordinator)})`);
  for (const worker of workers) await execute(onCoordinator, `select citus_add_node(${named(worker)})`);
}

/** Drops these databases on every server. */
export async function dropOnServers(url: string, names: readonly string[]): Promise<void> {
  const { coordinator, workers } = await serversOf(url);
  for (const server of [coordinator, ...workers]) {
    for (const name of names) {
      const statement = `drop database if exists ${pg.escapeIdentifier(name)} with (force)`;
      await execute(urlOn(url, server, "postgres"), statement);
    }
  }
}
