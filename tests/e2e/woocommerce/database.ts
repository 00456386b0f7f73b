import { execFile } from "node:child_process";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { startProgramOfShop } from "./programs.ts";

/** Debian's user of the server. A server that root starts changes to it. */
const USER = "mysql";
const START_LIMIT_MS = 60_000;

/** A MariaDB server of the shops: each shop has a database of its own. */
export type ShopDatabases = {
  readonly host: string;
  readonly password: string;
  stop(): Promise<void>;
};

/** Starts MariaDB in this folder, on a free port of 127.0.0.1. Its user `shop` may create databases. */
export async function startMariaDb(parent: string): Promise<ShopDatabases> {
  const folder = join(parent, "mariadb");
  const data = join(folder, "data");
  const port = await freePort();
  const password = "shop";
  await mkdir(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? [`--user=${USER}`] : [];
  if (isRoot) await giveTo(USER, folder);
  await promisify(execFile)("mariadb-install-db", [
    "--no-defaults",
    ...user,
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const grants = join(folder, "grants.sql");
  const account = "'shop'@'127.0.0.1'";
  await writeFile(
    grants,
    `create user ${account} identified by '${password}';\ngrant all on *.* to ${account};\n`,
    { mode: 0o644 },
  );
  const server = startProgramOfShop(
    "mariadbd",
    [
      ...["--no-defaults", ...user, `--datadir=${data}`, `--init-file=${grants}`],
      ...["--bind-address=127.0.0.1", `--port=${port}`, `--socket=${join(folder, "socket")}`],
      ...[`--pid-file=${join(folder, "pid")}`, "--skip-name-resolve", "--skip-log-bin"],
      // The databases are thrown away after the run.
      ...["--innodb-flush-log-at-trx-commit=0", "--performance-schema=off"],
    ],
    { cwd: folder },
  );
  await until(
    "MariaDB listens",
    async () => {
      if (!server.isRunning()) throw new Error(server.output());
      return isListening(port);
    },
    START_LIMIT_MS,
  );
  return { host: `127.0.0.1:${port}`, password, stop: server.end };
}

async function giveTo(user: string, folder: string): Promise<void> {
  const id = async (option: string) => Number((await promisify(execFile)("id", [option, user])).stdout);
  await chown(folder, await id("-u"), await id("-g"));
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
