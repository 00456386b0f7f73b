import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { urlOfDatabase } from "@daric/testing/admin-connection";
import { until } from "@daric/testing/until";
import { killTree, signalTree } from "../fail-over/programs.ts";

const DATABASE = "daric_citus_test";
const OWNER = "daric_citus_owner";
const SERVICE = "daric_citus_service";
const START_LIMIT_MS = 60_000;

/** A new database on every server of an existing cluster. */
export type ClusterDatabase = {
  /** URLs of the tables' owner and of the service, on the coordinator */
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  /** URL of a superuser */
  readonly adminUrl: string;
  /** the same tables on the coordinator alone, with the same owner and service */
  readonly plain: { readonly ownerUrl: string; readonly serviceUrl: string };
  readonly workers: readonly ClusterWorker[];
  readonly versions: { readonly citus: string; readonly postgres: string };
  drop(): Promise<void>;
};

/** A worker on this machine. */
export type ClusterWorker = {
  readonly name: string;
  /** Runs a query on this server itself, in the new database. */
  query<Row>(text: string): Promise<Row[]>;
  /** Kills all its processes at once, and resolves when they are gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops all its processes with their connections open, until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
};

export async function query<Row>(url: string, text: string): Promise<Row[]> {
  return withDedicatedClient(
    { connectionString: url },
    async (client) => (await client.query(text)).rows as Row[],
  );
}

/** Makes the database. `url` is a superuser's, for a database of the coordinator in which Citus has its workers. */
export async function openCluster(url: string): Promise<ClusterDatabase> {
  const servers = await query<{ host: string; port: number; isCoordinator: boolean }>(
    url,
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator"
     from pg_dist_node where noderole = 'primary' order by groupid`,
  );
  const workers = servers.filter(({ isCoordinator }) => !isCoordinator);
  if (workers.length < 2) throw new Error("CITUS_URL: this database knows fewer than two workers");
  const urlOf = ({ host, port }: { host: string; port: number }) =>
    Object.assign(new URL(url), { host: `${host}:${port}` }).href;
  const all = [url, ...workers.map(urlOf)];
  const dropEverywhere = async () => {
    for (const server of all)
      for (const name of [DATABASE, `${DATABASE}_plain`])
        await query(urlOfDatabase(server, "postgres"), `drop database if exists ${name} with (force)`);
  };
  await dropEverywhere();
  for (const server of all) await prepareServer(server);
  await query(urlOfDatabase(url, "postgres"), `create database ${DATABASE}_plain owner ${OWNER}`);
  const adminUrl = urlOfDatabase(url, DATABASE);
  const { hostname, port } = new URL(url);
  await query(adminUrl, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`);
  for (const worker of workers)
    await query(adminUrl, `select citus_add_node('${worker.host}', ${worker.port})`);
  const [versions] = await query<{ citus: string; postgres: string }>(
    adminUrl,
    "select extversion as citus, current_setting('server_version') as postgres from pg_extension where extname = 'citus'",
  );
  const as = (user: string, name: string) =>
    Object.assign(new URL(urlOfDatabase(url, name)), { username: user, password: user }).href;
  return {
    adminUrl,
    ownerUrl: as(OWNER, DATABASE),
    serviceUrl: as(SERVICE, DATABASE),
    plain: { ownerUrl: as(OWNER, `${DATABASE}_plain`), serviceUrl: as(SERVICE, `${DATABASE}_plain`) },
    workers: await Promise.all(workers.map((worker) => openWorker(urlOfDatabase(urlOf(worker), DATABASE)))),
    versions: versions ?? { citus: "", postgres: "" },
    drop: dropEverywhere,
  };
}

async function prepareServer(url: string): Promise<void> {
  const maintenance = urlOfDatabase(url, "postgres");
  const roles = await query<{ name: string }>(maintenance, "select rolname as name from pg_roles");
  for (const role of [OWNER, SERVICE])
    if (!roles.some(({ name }) => name === role))
      await query(maintenance, `create role ${role} login password '${role}'`);
  await query(maintenance, `create database ${DATABASE} owner ${OWNER}`);
  await query(urlOfDatabase(url, DATABASE), "create extension citus");
}

async function openWorker(url: string): Promise<ClusterWorker> {
  const [facts] = await query<{ data: string; bin: string }>(
    url,
    "select current_setting('data_directory') as data, (select setting from pg_config() where name = 'BINDIR') as bin",
  );
  if (facts === undefined) throw new Error(`no answer from ${new URL(url).host}`);
  const { data, bin } = facts;
  // The server runs as the owner of its data.
  const { uid, gid } = await stat(data);
  const postmaster = async () =>
    Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n", 1)[0]);
  return {
    name: new URL(url).host,
    query: (text) => query(url, text),
    kill: async () => {
      const pid = await postmaster();
      killTree(pid);
      await until("the worker has ended", async () => !isThere(pid));
    },
    freeze: async () => signalTree(await postmaster(), "SIGSTOP"),
    thaw: async () => signalTree(await postmaster(), "SIGCONT"),
    start: async () => {
      const args = ["-D", data, "-l", join(data, "restart.log"), "-w", "start"];
      const child = spawn(join(bin, "pg_ctl"), args, { uid, gid, stdio: "ignore" });
      await once(child, "exit");
      await until(
        "the worker answers",
        async () => (await query(url, "select 1")).length === 1,
        START_LIMIT_MS,
      );
    },
  };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
