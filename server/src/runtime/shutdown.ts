import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";

type Stop = () => Promise<unknown>;

/** What has to be stopped at the end. */
export type Shutdown = {
  /** Work: listeners and workers. All are told to stop at once. */
  addWork(stop: Stop): void;
  /** What work needs to finish: connections. Closed, last opened first, after the work. */
  addConnection(close: Stop): void;
  /** Stops everything within the time given. Never throws; calling it again waits for the first call. */
  run(): Promise<void>;
};

/** For closing what work needed. */
const CLOSING_MS = 2_000;

/** Work that is under way has `workMs`; what is left then is cut off. A failure to stop is logged and holds up nothing else. */
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
