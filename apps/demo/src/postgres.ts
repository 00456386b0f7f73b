import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@daric/postgres/embedded";
import { STEADY_MS } from "./child.ts";
import { DemoError } from "./settings.ts";
import type { Watch } from "./watch.ts";

/** The embedded database; it is restarted on the same port, so that its URL stays. */
export type Postgres = {
  readonly url: string;
  pid(): number;
};

type Server = Awaited<ReturnType<typeof startPostgres>>;

const CHECK_MS = 500;
const MAX_RESTARTS = 5;
const RESTART_WAIT_MS = 1_000;

/**
 * Starts PostgreSQL and keeps it running until `stopping` is aborted. Its stop function is added to `stops` before
 * the start, so that an interrupted start leaves no server behind.
 *
 * @throws DemoError with the reason if it does not start.
 */
export async function startKeptPostgres(
  home: string,
  { watch, stops, stopping }: { watch: Watch; stops: (() => Promise<void>)[]; stopping: AbortSignal },
): Promise<Postgres> {
  let current = launch(home);
  let keeping: Promise<void> | undefined;
  stops.push(async () => {
    await keeping;
    await (await current.catch(() => undefined))?.stop();
  });
  let server = await current;

  async function keep(): Promise<void> {
    let restarts = 0;
    let launchedMs = performance.now();
    for (; !stopping.aborted; await pause(CHECK_MS, stopping)) {
      if (isAlive(server.pid)) continue;
      restarts = performance.now() - launchedMs < STEADY_MS ? restarts + 1 : 1;
      try {
        if (restarts > MAX_RESTARTS) throw new DemoError("PostgreSQL ended too often.");
        await pause(RESTART_WAIT_MS, stopping);
        if (stopping.aborted) return;
        await server.stop();
        current = launch(home, Number(new URL(server.url).port));
        server = await current;
        launchedMs = performance.now();
      } catch (error) {
        return watch.onGivenUp(toDemoError(error));
      }
      watch.onRestart("PostgreSQL ended and was started again.");
    }
  }

  keeping = keep();
  return { url: server.url, pid: () => server.pid };
}

async function launch(home: string, port?: number): Promise<Server> {
  try {
    return await startPostgres({ home, mode: "demo", ...(port !== undefined && { port }) });
  } catch (error) {
    throw toDemoError(error);
  }
}

function toDemoError(error: unknown): DemoError {
  return error instanceof DemoError
    ? error
    : new DemoError(error instanceof Error ? error.message : String(error));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
