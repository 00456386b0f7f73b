import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scramVerifier } from "../scram/scram-verifier.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { guardProcess } from "./guard.ts";
import { isAlive } from "./process-table.ts";
import { giveCluster, initdbUser, type ServerUser } from "./server-user.ts";

/** Measured 1 to 2.4 s on two cores; a slow and busy disk may need much longer. */
const INITDB_TIMEOUT_MS = 120_000;
const PASSWORD_FILE = "daric-password";
const STAGING = /^init-(\d+)-/;

/**
 * The data directory as an argument. On Linux it is the working directory: the server's user may not read the
 * folders above.
 */
export function ownFolder(folder: string): string {
  return process.platform === "linux" ? "/proc/self/cwd" : folder;
}

/** PostgreSQL gets nothing of our environment; macOS refuses to start it without a locale. */
export const SERVER_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/**
 * Creates a missing cluster for the server's user. It is renamed when complete, so an interrupted one is never
 * used.
 */
export async function ensureCluster(options: {
  home: string;
  dataDirectory: string;
  binaries: PostgresBinaries;
  user: ServerUser;
  isDurable: boolean;
}): Promise<void> {
  const { home, dataDirectory, binaries } = options;
  await removeAbandonedStaging(home);
  const version = (await readOptional(join(dataDirectory, "PG_VERSION")))?.trim();
  if (version === undefined) return makeCluster(options);
  if (version !== binaries.major) {
    throw new Error(
      `${dataDirectory} was made by PostgreSQL ${version} and the installed one is ${binaries.major}. ` +
        "Move the folder away, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  await giveCluster(options.user, dataDirectory);
}

/** The superuser's random password, readable for the home's owner only and not for the server's user. */
export async function readPassword(home: string, dataDirectory: string): Promise<string> {
  const file = join(home, PASSWORD_FILE);
  await moveOutOfData(join(dataDirectory, PASSWORD_FILE), file, home);
  const password = (await readOptional(file))?.trim();
  if (password === undefined) {
    throw new Error(
      `${file} is missing and the cluster cannot be opened without it: move ${dataDirectory} away`,
    );
  }
  return password;
}

async function moveOutOfData(from: string, to: string, home: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const { uid, gid } = await stat(home);
  if (process.getuid?.() === 0) await lchown(to, uid, gid);
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function makeCluster({
  home,
  dataDirectory,
  binaries,
  user,
  isDurable,
}: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const staging = join(home, `init-${process.pid}-${randomBytes(6).toString("hex")}`);
  const newData = join(staging, "data");
  const verifierFile = join(staging, "verifier");
  const password = randomBytes(24).toString("hex");
  const maker = initdbUser(user);
  try {
    await mkdir(staging, { mode: 0o700 });
    await mkdir(newData, { mode: 0o700 });
    await writeFile(verifierFile, `${scramVerifier(password)}\n`, { mode: 0o600, flag: "wx" });
    for (const path of [newData, verifierFile]) await giveTo(maker, path);
    await runInitdb({ binaries, user: maker, newData, verifierFile, isDurable });
    await giveCluster(user, newData);
    await writePassword(home, password);
    await rename(newData, dataDirectory);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function giveTo(user: ServerUser, path: string): Promise<void> {
  if (user.ids.uid !== undefined) await lchown(path, user.ids.uid, user.ids.gid);
}

async function writePassword(home: string, password: string): Promise<void> {
  const file = join(home, PASSWORD_FILE);
  await rm(file, { force: true });
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: "wx" });
}

/** initdb reads the verifier from an open file, so it needs no access to a path. */
async function runInitdb(options: {
  binaries: PostgresBinaries;
  user: ServerUser;
  newData: string;
  verifierFile: string;
  isDurable: boolean;
}): Promise<void> {
  const { binaries, user, newData, verifierFile, isDurable } = options;
  const flags = ["--username=postgres", "--auth=scram-sha-256", "--pwfile=/dev/stdin"];
  flags.push("--encoding=UTF8", "--locale=C", ...(isDurable ? [] : ["--no-sync"]));
  const verifier = await open(verifierFile);
  try {
    const child = spawn(binaries.initdb, [...flags, "-D", ownFolder(newData)], {
      ...user.ids,
      cwd: newData,
      env: SERVER_ENVIRONMENT,
      stdio: [verifier.fd, "pipe", "pipe"],
      timeout: INITDB_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    guardProcess(child, user);
    await waitForSuccess(child);
  } finally {
    await verifier.close();
  }
}

function waitForSuccess(child: ChildProcess): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(explainSpawnError(error)));
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(initdbError(signal ?? `exit ${code}`, output));
    });
  });
}

function initdbError(ending: string, output: string): Error {
  return new Error(
    `initdb failed (${ending}) and there is no PostgreSQL; set DATABASE_URL to one of your own.\n${output.trim()}`,
  );
}

export function explainSpawnError(error: NodeJS.ErrnoException): Error {
  const reason =
    error.code === "ENOENT"
      ? "this system lacks what the program was built for (glibc; Alpine has musl)"
      : error.code === "EPERM" || error.code === "EINVAL"
        ? "this process runs as root and may not start a program as another user"
        : error.message;
  return new Error(
    `PostgreSQL cannot be started here: ${reason}. Set DATABASE_URL to a PostgreSQL of your own.`,
    { cause: error },
  );
}

async function removeAbandonedStaging(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = STAGING.exec(name)?.[1];
    if (pid === undefined || Number(pid) === process.pid || isAlive(Number(pid))) continue;
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}
