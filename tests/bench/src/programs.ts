import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Variables } from "@daric/server/process/config";
import type { Done, Extent } from "./generator.ts";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 12_000;
/** Lines kept of a log, to explain a process's end. */
const LAST_LINES = 2_000;

/** A measured process. Its log goes into a pipe that is read, because a silent log would be cheaper. */
export type Program = { readonly pid: number; readonly port: number; stop(): Promise<void> };

/** A process that repeats one operation on command and reports the result. */
export type Runner<D extends Done = Done, Input = Extent> = Program & { run(extent: Input): Promise<D> };

export type ServedRole = "api" | "watcher" | "webhooks" | "settlement" | "all";

/** Starts `daric serve --role …`. */
export async function startService(role: ServedRole, env: Variables): Promise<Program> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const variables = { ...env, PORT: String(port), METRICS_PORT: String(metricsPort) };
  const started = launch([DARIC, "serve", "--role", role], variables);
  await waitUntil(`daric serve --role ${role} is ready`, async () => {
    started.assertAlive();
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined);
    return answer?.ok === true;
  });
  return { pid: started.pid, port, stop: started.stop };
}

/** Starts a program that is not Node.js, and opens no port. */
export function spawnProgram(command: string, args: readonly string[], env: Variables): Program {
  const { pid, stop } = launch(args, env, command);
  return { pid, port: 0, stop };
}

/** Starts `children/NAME.ts`, which reports its port; 0 is none. `flags` are those of Node.js. */
export async function startRunner<D extends Done = Done, Input extends object = Extent>(
  name: string,
  env: Variables,
  flags: readonly string[] = [],
): Promise<Runner<D, Input>> {
  const script = fileURLToPath(new URL(`./children/${name}.js`, import.meta.url));
  const started = launch([...flags, script], env);
  const port = await started.answer<number>();
  return {
    pid: started.pid,
    port,
    stop: started.stop,
    run: (extent) => {
      started.child.send(extent);
      return started.answer<D>();
    },
  };
}

function launch(args: readonly string[], env: Variables, command = process.execPath) {
  const child: ChildProcess = spawn(command, args, {
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe", ...(command === process.execPath ? ["ipc" as const] : [])],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = text.length < LAST_LINES ? (output + text).slice(-LAST_LINES) : text.slice(-LAST_LINES);
    });
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stopAtExit = () => void child.kill("SIGKILL");
  process.once("exit", stopAtExit);
  const died = () => new Error(`${args.join(" ")} ended:\n${output}`);
  if (child.pid === undefined) throw died();
  return {
    child,
    pid: child.pid,
    assertAlive: () => {
      if (hasEnded()) throw died();
    },
    answer: <T>() =>
      new Promise<T>((resolve, reject) => {
        child.once("message", (message) => resolve(message as T));
        void ended.then(() => reject(died()));
      }),
    stop: async () => {
      process.off("exit", stopAtExit);
      if (hasEnded()) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Polls until true. @throws Error after a minute */
export async function waitUntil(what: string, isSo: () => Promise<boolean>, everyMs = 50): Promise<void> {
  for (const end = performance.now() + READY_TIMEOUT_MS; performance.now() < end; await sleep(everyMs)) {
    if (await isSo()) return;
  }
  throw new Error(`not within a minute: ${what}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port on 127.0.0.1");
  return address.port;
}
