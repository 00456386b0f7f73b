import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";

export type WorkerLoop = {
  /** Looks again soon instead of at the next poll. A hint only: work is found without it. */
  hurry(): void;
  /** Ends after the step that is under way; resolves when it has. */
  stop(): Promise<void>;
};

const MAX_BACKOFF_MS = 15_000;

/**
 * The one loop of every worker: does the next piece of work, and when there is none waits for `pollMs` or a hint.
 * `processNext` answers whether there was work. A failure is logged and followed by a wait that doubles up to
 * 15 s, so a worker outlives every outage of what it depends on.
 */
export function startWorkerLoop(options: {
  name: string;
  pollMs: number;
  log: Logger;
  processNext: () => Promise<boolean>;
}): WorkerLoop {
  const stopping = new AbortController();
  let wait = new AbortController();

  async function pause(ms: number): Promise<void> {
    wait = new AbortController();
    if (stopping.signal.aborted) return;
    await sleep(ms, undefined, { signal: AbortSignal.any([stopping.signal, wait.signal]) }).catch(() => {});
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        const worked = await options.processNext();
        if (failures > 0) options.log.info({ worker: options.name, failures }, "worker recovered");
        failures = 0;
        if (!worked) await pause(options.pollMs);
      } catch (error) {
        failures += 1;
        options.log.error({ worker: options.name, failures, err: error }, "worker step failed");
        await pause(Math.min(MAX_BACKOFF_MS, Math.max(options.pollMs, 100) * 2 ** Math.min(failures, 10)));
      }
    }
  }

  const running = run();
  return {
    hurry: () => wait.abort(),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
