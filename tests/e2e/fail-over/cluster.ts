import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { end, killTree, openFolder, postgresqlPrograms, startProgram } from "./programs.ts";
import { startProxy } from "./proxy.ts";

/** A dead primary is replaced after this many seconds and the next check. */
const TTL_S = 20;
const LOOP_WAIT_S = 3;
const START_LIMIT_MS = 120_000;

/**
 * Two PostgreSQL servers under Patroni, the second a synchronous standby, behind one port of HAProxy that
 * leads to the primary.
 */
export type Cluster = {
  /** of the superuser, through HAProxy */
  readonly url: string;
  /** the server that accepts writes now */
  primary(): Promise<Member>;
  standby(): Promise<Member>;
  /** Resolves when the standby streams and commits wait for it. */
  whenSynchronous(): Promise<void>;
  stop(): Promise<void>;
};

export type Member = {
  readonly name: string;
  start(): Promise<void>;
  /** Kills Patroni, the server and all its sessions at once, as when the machine is lost. */
  kill(): Promise<void>;
};

type Node = Member & { readonly restPort: number; readonly port: number; stop(): Promise<void> };

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "daric-fail-over-"));
  await openFolder(folder);
  const etcd = await startEtcd(folder);
  const nodes = [await createNode("a", folder, etcd.address), await createNode("b", folder, etcd.address)];
  const [first, second] = nodes as [Node, Node];
  await first.start();
  await until("the first server is the primary", () => answers(first, "primary"), START_LIMIT_MS);
  await second.start();
  const port = await freePort();
  const proxy = await startProxy(folder, {
    port,
    mode: "tcp",
    check: "OPTIONS /primary",
    // A former primary loses its sessions at once, so that none writes beside the new primary.
    servers: nodes.map(
      (node) => `127.0.0.1:${node.port} check port ${node.restPort} on-marked-down shutdown-sessions`,
    ),
  });
  const find = async (role: "primary" | "replica"): Promise<Node> => {
    let found: Node | undefined;
    await until(`a ${role} answers`, async () => {
      for (const node of nodes) if (await answers(node, role)) found = node;
      return found !== undefined;
    });
    return found as Node;
  };
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/daric`,
    primary: () => find("primary"),
    standby: () => find("replica"),
    whenSynchronous: () =>
      until(
        "the standby is synchronous",
        async () => answers(await find("replica"), "synchronous"),
        START_LIMIT_MS,
      ),
    stop: async () => {
      await end(proxy);
      for (const node of nodes) await node.stop();
      await end(etcd.process);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Patroni returns 200 if the server has this role. */
async function answers({ restPort }: Node, what: "primary" | "replica" | "synchronous"): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000);
  return fetch(`http://127.0.0.1:${restPort}/${what}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function startEtcd(folder: string): Promise<{ address: string; process: ChildProcess }> {
  const [client, peer] = [await freePort(), await freePort()];
  const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
  const args = [
    ["--name", "one"],
    ["--data-dir", join(folder, "etcd")],
    ["--listen-client-urls", urls.client],
    ["--advertise-client-urls", urls.client],
    ["--listen-peer-urls", urls.peer],
    ["--initial-advertise-peer-urls", urls.peer],
    ["--initial-cluster", `one=${urls.peer}`],
  ];
  const process = startProgram("etcd", args.flat(), folder);
  await until("etcd answers", async () => (await fetch(`${urls.client}/health`)).ok);
  return { address: `127.0.0.1:${client}`, process };
}

async function createNode(name: string, parent: string, etcd: string): Promise<Node> {
  const folder = join(parent, name);
  await mkdir(folder);
  await openFolder(folder);
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(folder, "data");
  const user = (username: string) => ({ username, password: username });
  const settings = {
    scope: "daric",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: {
        ttl: TTL_S,
        loop_wait: LOOP_WAIT_S,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: "1GB" } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
      pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: postgresqlPrograms(),
      pgpass: join(folder, "pgpass"),
      authentication: {
        superuser: user("postgres"),
        replication: user("replicator"),
        rewind: user("rewinder"),
      },
      parameters: { unix_socket_directories: folder, timezone: "UTC" },
    },
  };
  // The file is JSON, which every YAML parser reads.
  await writeFile(join(folder, "patroni.yml"), JSON.stringify(settings), { mode: 0o644 });
  let patroni: ChildProcess | undefined;
  return {
    name,
    port,
    restPort,
    start: async () => {
      patroni = startProgram("patroni", [join(folder, "patroni.yml")], folder);
    },
    kill: async () => {
      const [postmaster] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
      if (patroni?.pid !== undefined) killTree(patroni.pid);
      killTree(Number(postmaster));
    },
    stop: async () => {
      if (patroni !== undefined) await end(patroni);
    },
  };
}
