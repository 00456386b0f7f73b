import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { until } from "@daric/testing/until";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { aFolder, removeFolders } from "../test/builders.ts";

afterAll(removeFolders);

const PROGRAM = fileURLToPath(new URL("../bin/daric-signer", import.meta.url));
const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const PASSPHRASE = "correct horse battery staple";
const run = promisify(execFile);
const children: ChildProcess[] = [];

let folder: string;
let home: string;
const env = (variables: Record<string, string> = {}) => ({ PATH: process.env.PATH, ...variables });

beforeAll(async () => {
  folder = aFolder();
  home = join(folder, "home");
  writeFileSync(join(folder, "passphrase"), `${PASSPHRASE}\n`);
  const args = ["--network", "nile", "--operator-key", join(folder, "operator.pem")];
  await run(PROGRAM, ["init", "--home", home, ...args, "--passphrase-file", join(folder, "passphrase")], {
    env: env(),
  });
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A signer that waits for an unreachable database. */
function serve(): ChildProcess & { log(): string } {
  const child = spawn(PROGRAM, ["serve", "--home", home, "--passphrase-file", join(folder, "passphrase")], {
    env: env({ SIGNER_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (log += text));
  return Object.assign(child, { log: () => log });
}

it("NODE_OPTIONS stops the start before any of its code runs", async () => {
  const trap = join(folder, "trap.cjs");
  writeFileSync(trap, `require("fs").writeFileSync(${JSON.stringify(join(folder, "sprung"))}, "")`);
  const started = run(PROGRAM, ["audit", "verify", "--home", home], {
    env: env({ NODE_OPTIONS: `--require ${trap}` }),
  });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("NODE_OPTIONS is set"),
  });
  expect(existsSync(join(folder, "sprung"))).toBe(false);
  const past = run(process.execPath, [MAIN, "--help"], { env: env({ NODE_OPTIONS: "--no-warnings" }) });
  await expect(past).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("NODE_OPTIONS is set"),
  });
});

it.runIf(process.platform === "linux")("a process that could write a core dump does not start", async () => {
  const command = `ulimit -c 1024 && exec ${process.execPath} ${MAIN} --help`;
  await expect(run("sh", ["-c", command], { env: env() })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ulimit -c 0"),
  });
  const { stdout } = await run("sh", ["-c", `ulimit -c 1024 && exec ${PROGRAM} --help`], { env: env() });
  expect(stdout).toContain("daric-signer");
});

it("the program works through a link, like npm's", async () => {
  const link = join(folder, "daric-signer");
  symlinkSync(PROGRAM, link);
  const { stdout } = await run(link, ["audit", "verify", "--home", home], { env: env() });
  expect(stdout).toContain("journal.jsonl is whole");
});

/** The TCP ports that a process listens on. */
function listening(pid: number): string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === "" ? [] : [inode];
    }),
  );
  const rows = ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n"),
  );
  const cells = rows.map((row) => row.trim().split(/\s+/));
  return cells.flatMap(([, local = "", , state, , , , , , inode = ""]) =>
    state === "0A" && sockets.has(inode) ? [local] : [],
  );
}

it.runIf(process.platform === "linux")(
  "the signer listens on no port, even after the signal that opens a debugger",
  async () => {
    const signer = serve();
    const { pid = 0 } = signer;
    await until("it waits for the database", () => signer.log().includes("waiting for the database"), 60_000);
    expect(listening(pid)).toEqual([]);
    process.kill(pid, "SIGUSR1");
    const lines = () => signer.log().split("\n").length;
    const before = lines();
    await expect(until("a debugger says its port", () => lines() > before, 1_000)).rejects.toThrow("in vain");
    expect(listening(pid)).toEqual([]);
    expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(/^Max core file size +0 /m);
  },
);

it("a stopped signer ends at once and leaves its home to the next", async () => {
  const signer = serve();
  await until("it serves", () => signer.log().includes('"msg":"serving"'), 60_000);
  const ended = new Promise((resolve) => signer.once("exit", resolve));
  signer.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(readdirSync(home).sort()).toEqual(["config.json", "journal.jsonl", "seed.enc"]);
});

it.runIf(process.platform === "linux")("a typed passphrase is not shown, and opens the seed", async () => {
  const variables = env({ SIGNER_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  const terminal = spawn("script", ["-qec", `${PROGRAM} serve --home ${home}`, "/dev/null"], {
    env: variables,
  });
  children.push(terminal);
  let shown = "";
  terminal.stdout.on("data", (text) => (shown += text));
  await until("it asks", () => shown.includes("Passphrase of the seed: "), 60_000);
  terminal.stdin.write(`${PASSPHRASE}\r`);
  await until("it serves", () => shown.includes('"msg":"serving"'), 60_000);
  expect(shown).not.toContain("horse");
  // Ctrl-C
  terminal.stdin.write("\u0003");
  await new Promise((resolve) => terminal.once("exit", resolve));
});

it("without a terminal and without a file there is no passphrase, and one line explains it", async () => {
  const started = run(PROGRAM, ["serve", "--home", home], {
    env: env({ SIGNER_DATABASE_URL: "postgres://x@127.0.0.1:1/x" }),
  });
  await expect(started).rejects.toMatchObject({
    stderr: expect.stringMatching(/^daric-signer: there is no terminal to ask: .*\n$/),
  });
});
