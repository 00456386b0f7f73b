import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@daric/testing/free-port";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";

const ROOT = new URL("../../../", import.meta.url).pathname;
const START_LIMIT_MS = 60_000;
const BUILD_MS = 600_000;

const run = (program: string, args: readonly string[], cwd = ROOT) =>
  promisify(execFile)(program, args, { cwd, timeout: BUILD_MS, maxBuffer: 2 ** 26 });

/** The programs of one commit. */
export type Build = {
  readonly name: string;
  /** Runs a command of `daric` and returns its JSON. */
  daric(args: readonly string[], variables: BuildSettings): Promise<Row>;
  /** Starts a role and waits until it is ready. */
  serve(role: string, variables: BuildSettings): Promise<Served>;
  remove(): Promise<void>;
};

export type BuildSettings = Readonly<Record<string, string>>;

export type Served = { readonly url: string; readonly process: ChildProcess; stop(): Promise<void> };

/** The newest release tag before this commit; undefined if there is none. */
export async function lastTag(): Promise<string | undefined> {
  const { stdout } = await run("git", [
    "tag",
    "--list",
    "v*",
    "--sort=-version:refname",
    "--merged",
    "HEAD^",
  ]);
  return stdout.split("\n")[0] || undefined;
}

/** The programs of this working tree, which must be built. */
export function thisBuild(): Build {
  return buildIn("this commit", ROOT, async () => {});
}

/** The folder of the service, and the one that it had before. */
const services = ["apps/daric", "server"];
const isBuilt = (folder: string) => services.some((service) => existsSync(join(folder, service, "dist")));

/** The programs of a commit, built in `folder`, or already built programs in a folder. */
export async function buildOf(commit: string, folder: string): Promise<Build> {
  if (isBuilt(commit)) return buildIn(commit, commit, async () => {});
  await run("git", ["worktree", "add", "--detach", "--force", folder, commit]);
  const remove = async () => {
    await run("git", ["worktree", "remove", "--force", folder]);
    await rm(folder, { recursive: true, force: true });
  };
  const lock = (root: string) => readFile(join(root, "package-lock.json"), "utf8");
  // The installed packages can be copied: links to the workspaces are relative, so they lead into the folder.
  if ((await lock(ROOT)) === (await lock(folder)))
    await run("cp", ["-al", join(ROOT, "node_modules"), join(folder, "node_modules")]);
  else await run("npm", ["ci", "--no-audit", "--no-fund"], folder);
  await run("npm", ["run", "build", "--silent"], folder);
  return buildIn(commit, folder, remove);
}

function buildIn(name: string, folder: string, remove: () => Promise<void>): Build {
  const service = services.find((path) => existsSync(join(folder, path)));
  if (service === undefined) throw new Error(`${name} has no program of the service`);
  const program = join(folder, service, "bin/daric.js");
  const env = (variables: BuildSettings) => ({ PATH: process.env.PATH, ...variables });
  return {
    name,
    remove,
    daric: async (args, variables) => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, "--json"], {
        env: env(variables),
        maxBuffer: 2 ** 26,
      });
      return JSON.parse(stdout) as Row;
    },
    serve: async (role, variables) => {
      const [port, metricsPort] = [await freePort(), await freePort()];
      const child = spawn(process.execPath, [program, "serve", "--role", role], {
        env: { ...env(variables), PORT: String(port), METRICS_PORT: String(metricsPort) },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const url = `http://127.0.0.1:${role === "api" ? port : metricsPort}`;
      await until(
        `${role} of ${name} is ready`,
        async () => (await fetch(`${url}/readyz`)).ok,
        START_LIMIT_MS,
      );
      return { url, process: child, stop: () => stop(child) };
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
