import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { expect } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const PROGRAM = join(ROOT, "apps/daric/bin/daric.js");
export const READY_LIMIT_MS = 60_000;

export type DemoRun = { child: ChildProcess; output: () => string; exit: Promise<number | null> };

/** A folder for a demo, with ports of its own. */
export type DemoHome = {
  readonly path: string;
  /** the demo's environment; a test may change it before a start */
  readonly env: Record<string, string>;
  /** Runs `npm start`, or the program behind it. */
  start(command?: "npm" | "node", options?: { isGroupLeader?: boolean }): DemoRun;
  /** Waits until a run has printed its address, and returns its description. */
  ready(run: DemoRun): Promise<Row>;
  /** the current demo.json */
  read(): Promise<Row>;
  /** every process whose command line or environment contains this home */
  processes(): string[];
  /** Ends the remaining processes, expects none to be left, and removes the folder. */
  close(): Promise<void>;
};

export async function createDemoHome(): Promise<DemoHome> {
  const path = await mkdtemp(join(scratchFolder(), "daric-start-"));
  const env: Record<string, string> = { DARIC_HOME: path, DEMO_HISTORY: "off", ...(await ownPorts()) };
  const running = new Set<ChildProcess>();
  const read = async (): Promise<Row> => JSON.parse(await readFile(join(path, "demo.json"), "utf8"));
  return {
    path,
    env,
    read,
    start: (command = "node", { isGroupLeader = false } = {}) => {
      const run = startDemo(command, { env, isGroupLeader });
      running.add(run.child);
      return run;
    },
    ready: async (run) => {
      await until(
        "demo.json is written",
        async () => {
          if (run.child.exitCode !== null) throw new Error(`it ended: ${run.output()}`);
          return (await stat(join(path, "demo.json"))).isFile();
        },
        READY_LIMIT_MS,
      );
      return read();
    },
    processes: () => processesOf(path),
    close: async () => {
      for (const child of running)
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await until("no process of this home is left", () => processesOf(path).length === 0, 20_000);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Free ports, by the names of their variables. */
async function ownPorts(): Promise<Record<"PORT" | "DEVCHAIN_PORT" | "METRICS_PORT", string>> {
  const [port, devchainPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()]);
  return { PORT: String(port), DEVCHAIN_PORT: String(devchainPort), METRICS_PORT: String(metricsPort) };
}

/** Calls the demo's API as its first merchant, and expects success. */
export async function callDemo(demo: Row, path: string, body?: object): Promise<Row> {
  const answer = await fetch(`${demo.baseUrl}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": demo.apiKey, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return answer.json() as Promise<Row>;
}

function startDemo(
  command: "npm" | "node",
  { env, isGroupLeader }: { env: Record<string, string>; isGroupLeader: boolean },
): DemoRun {
  const [file, args] =
    command === "npm" ? ["npm", ["start"]] : [process.execPath, [join(ROOT, "apps/demo/dist/main.js")]];
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: isGroupLeader,
  });
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  child.stderr?.on("data", (chunk) => (text += chunk));
  return {
    child,
    output: () => text,
    exit: new Promise((resolve) => child.once("exit", (code) => resolve(code))),
  };
}

function processesOf(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return commandLine.includes(folder) || environment.includes(`DARIC_HOME=${folder}\0`);
      } catch {
        return false;
      }
    });
}
