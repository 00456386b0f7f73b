import { constants } from "node:fs";
import { access, mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withDedicatedClient } from "./dedicated-client.ts";
import { findBinaries } from "./embedded/binaries.ts";
import { ensureCluster, readPassword } from "./embedded/cluster.ts";
import { guardProcess } from "./embedded/guard.ts";
import { claimHome } from "./embedded/home-claim.ts";
import {
  findPostmaster,
  isPostmasterOf,
  readLogTail,
  spawnPostmaster,
  stopPostmaster,
} from "./embedded/postmaster.ts";
import { chooseServerUser, isOwnedBy, type ServerUser } from "./embedded/server-user.ts";
import { isAlreadyThere } from "./errors.ts";

const READY_TIMEOUT_MS = 60_000;
const ADOPT_TIMEOUT_MS = 20_000;
const QUERY_TIMEOUT_MS = 30_000;
const MAX_START_TRIES = 20;
const START_RETRY_MS = 250;
const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 2_000;
const DEMO_DATABASE = "daric";

/** There is no Unix socket: below some homes its path would be too long. */
const COMMON_SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** A test cluster is thrown away, so it may lose everything in a crash. */
const TEST_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
};

export type EmbeddedPostgresOptions = {
  home: string;
  /** "demo" survives a power cut; "test" is fast and ends with this process. */
  mode: "demo" | "test";
  /** By default a free port; an adopted server keeps its own. */
  port?: number;
};

export type EmbeddedPostgres = {
  /** of the superuser: in mode "demo" to the database `daric`, in mode "test" to `postgres` */
  url: string;
  pid: number;
  adopted: boolean;
  /** Stops the server and releases the home. May be called again. */
  stop(): Promise<void>;
};

/**
 * Starts a PostgreSQL of the npm platform package on 127.0.0.1, with a random password, in `home`.
 * The server stops with this process. After kill -9, the next start adopts a "demo" server, and a guard stops a
 * "test" server.
 * @throws Error when the platform package is missing, the home is unusable or in use, or the server does not start.
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const site = await openHome(options);
    try {
      return (await adopt(site)) ?? (await start(site));
    } catch (error) {
      await site.claim.release();
      throw error;
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new Error(
      `PostgreSQL cannot keep its data in ${options.home} (${error.message}). ` +
        "Choose another folder, or set DATABASE_URL to a PostgreSQL of your own.",
      { cause: error },
    );
  }
}

type Site = {
  home: string;
  dataDirectory: string;
  logFile: string;
  user: ServerUser;
  claim: { release(): Promise<void> };
  options: EmbeddedPostgresOptions;
};

async function openHome(options: EmbeddedPostgresOptions): Promise<Site> {
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  const home = await realpath(options.home);
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  const dataDirectory = join(home, "data");
  const user = await chooseServerUser(dataDirectory);
  const claim = await claimHome(home);
  return { home, dataDirectory, logFile: join(home, "postgres.log"), user, claim, options };
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "path" in error;
}

/** Takes over the running server of our data; one that does not answer or runs as another user is stopped. */
async function adopt(site: Site): Promise<EmbeddedPostgres | undefined> {
  const { home, dataDirectory, user } = site;
  for (const deadline = Date.now() + ADOPT_TIMEOUT_MS; ; await sleep(POLL_MS)) {
    const found = await findPostmaster(dataDirectory);
    if (found === undefined) return undefined;
    const isRunning = () => isPostmasterOf(found.pid, dataDirectory);
    if (Date.now() > deadline || !(await isOwnedBy(user, dataDirectory))) {
      await stopPostmaster(found.pid, isRunning);
      return undefined;
    }
    const url = urlOf(found.port, await readPassword(home, dataDirectory));
    if (await answers(url)) return own(site, { pid: found.pid, url, adopted: true, isRunning });
  }
}

async function start(site: Site): Promise<EmbeddedPostgres> {
  const { home, dataDirectory, logFile, user, options } = site;
  const binaries = await findBinaries(user, home);
  await ensureCluster({ home, dataDirectory, binaries, user, isDurable: options.mode === "demo" });
  const password = await readPassword(home, dataDirectory);
  const settings = options.mode === "demo" ? COMMON_SETTINGS : { ...COMMON_SETTINGS, ...TEST_SETTINGS };
  for (let tryNumber = 1; ; tryNumber++) {
    const port = options.port ?? (await findFreePort());
    const child = await spawnPostmaster({ binaries, user, dataDirectory, logFile, port, settings });
    if (options.mode === "test") guardProcess(child, user);
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    const url = urlOf(port, password);
    if (await becomesReady(url, isRunning)) {
      return own(site, { pid: child.pid, url, adopted: false, isRunning });
    }
    await stopPostmaster(child.pid, isRunning);
    const log = await readLogTail(logFile);
    if (tryNumber === MAX_START_TRIES || !isPassing(log, options)) {
      throw new Error(`PostgreSQL did not start in ${home}; the end of ${logFile}:\n${log}`);
    }
    await sleep(START_RETRY_MS);
  }
}

function isPassing(log: string, { port }: EmbeddedPostgresOptions): boolean {
  if (/pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(log)) return true;
  return port === undefined && log.includes("could not create any TCP/IP sockets");
}

async function becomesReady(url: string, isRunning: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (!isRunning()) return false;
    if (await answers(url)) return true;
  }
  return false;
}

async function own(
  site: Site,
  server: {
    pid: number;
    url: string;
    adopted: boolean;
    isRunning: () => boolean;
  },
): Promise<EmbeddedPostgres> {
  const { pid, url, adopted, isRunning } = server;
  const stopAtExit = () => {
    if (isRunning()) process.kill(pid, "SIGINT");
  };
  process.once("exit", stopAtExit);
  const stopOnce = async () => {
    await stopPostmaster(pid, isRunning);
    process.removeListener("exit", stopAtExit);
    await site.claim.release();
  };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopOnce();
    return stopping;
  };
  if (site.options.mode === "test") return { url, pid, adopted, stop };
  try {
    return { url: await createDemoDatabase(url), pid, adopted, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that knows our random password, by SCRAM, is ours. */
async function answers(url: string): Promise<boolean> {
  return withDedicatedClient(clientConfig(url), (client) => client.query("select 1")).then(
    () => true,
    () => false,
  );
}

async function createDemoDatabase(url: string): Promise<string> {
  await withDedicatedClient(clientConfig(url), async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DEMO_DATABASE]);
    if (rowCount === 1) return;
    await client.query(`create database ${DEMO_DATABASE}`).catch((error: unknown) => {
      // A simultaneous start created it.
      if (!isAlreadyThere(error)) throw error;
    });
  });
  return url.replace(/(?<=\/)[^/]*$/, DEMO_DATABASE);
}

function clientConfig(url: string) {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  };
}

function urlOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port on 127.0.0.1");
  return address.port;
}
