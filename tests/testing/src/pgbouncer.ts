import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** The oldest version that supports named statements in transaction mode. */
const OLDEST = [1, 21] as const;

/**
 * Whether the statements of this run go through PgBouncer: `TEST_POOLER=pgbouncer` asks for it. Without one that is new enough they go
 * directly, and a line says so.
 * @throws Error for another pooler.
 */
export function isPooled(): boolean {
  const { TEST_POOLER: wanted = "" } = process.env;
  if (wanted === "") return false;
  if (wanted !== "pgbouncer")
    throw new Error(`TEST_POOLER is "pgbouncer" or unset, not ${JSON.stringify(wanted)}`);
  const { stdout } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" });
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  const isNewEnough =
    Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  if (!isNewEnough) {
    const found = major === "0" ? "there is none" : `it is ${major}.${minor}`;
    process.stderr.write(
      `SKIPPED: no test goes through a pooler, which needs pgbouncer ${OLDEST.join(".")} or newer on the PATH: ${found}\n`,
    );
  }
  return isNewEnough;
}

/** Starts this machine's `pgbouncer` in transaction mode, for all databases of the server. */
export async function startPgBouncer(serviceUrl: string): Promise<{ host: string; stop(): Promise<void> }> {
  const url = new URL(serviceUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "daric-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  const server = `host=${url.hostname} port=${url.port || 5432} user=${url.username} password=${quoted(decodeURIComponent(url.password))}`;
  const lines = [
    "[databases]",
    `* = ${server}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "max_prepared_statements = 1000",
    "default_pool_size = 20",
    "max_client_conn = 1000",
    "ignore_startup_parameters =",
    "server_check_delay = 0",
    "verbose = 0",
  ];
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o644 });
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  if (user.length > 0) await promisify(execFile)("chmod", ["755", folder]);
  const child = spawn("pgbouncer", ["--quiet", ...user, file], { stdio: ["ignore", "ignore", "inherit"] });
  await until("PgBouncer listens", async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
    return true;
  });
  return {
    host: `127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGQUIT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
