import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";

type Stop = () => Promise<unknown>;

export type Shutdown = {
  addWork(stop: Stop): void;
  /** Adds a connection. Connections close after the work, the last one first. */
  addConnection(close: Stop): void;
  /** Stops everything within the limit. Never throws; further calls wait for the first. */
  run(): Promise<void>;
};

const CLOSING_MS = 2_000;

/** Work may take `workMs` to finish and is cut off then. A failed stop is logged and does not block the others. */
export function createShutdown({ log, workMs }: { log: Logger; workMs: number }): Shutdown {
  const work: Stop[] = [];
  const connections: Stop[] = [];
  let running: Promise<void> | undefined;

  async function within(ms: number, what: string, stopping: Promise<unknown>): Promise<void> {
    const timer = new AbortController();
    const timeout = sleep(ms, "late", { signal: timer.signal }).catch(() => "");
    const outcome = await Promise.race([stopping, timeout]);
    timer.abort();
    if (outcome === "late")
      log.warn({ event: "shutdown_cut_off", what }, "some work did not stop in time and was cut off");
  }

  async function attempt(stop: Stop): Promise<void> {
    await stop().catch((error: unknown) =>
      log.warn(
        { event: "shutdown_failed", err: error },
        "a step of the shutdown failed; committed data is safe",
      ),
    );
  }

  async function closeConnections(): Promise<void> {
    for (const close of connections.reverse()) await attempt(close);
  }

  async function stopAll(): Promise<void> {
    await within(workMs, "work", Promise.all(work.map(attempt)));
    await within(CLOSING_MS, "connections", closeConnections());
  }

  return {
    addWork: (stop) => work.push(stop),
    addConnection: (close) => connections.push(close),
    run: () => {
      running ??= stopAll();
      return running;
    },
  };
}
