import type { DatabaseOutage } from "./database-outage.ts";
import type { Logger } from "./logger.ts";

export type WorkerLoop = {
  /** Starts the next step early. A hint only: polling finds the work without it. */
  wake(): void;
  isFailing(): boolean;
  failure(): unknown;
  stop(): Promise<void>;
};

/** One or two failures are normal. */
const FAILURES_THAT_COUNT = 3;

const WARN_EVERY_MS = 60_000;

const MAX_BACKOFF_MS = 15_000;
const MIN_BACKOFF_MS = 100;
const MAX_DOUBLINGS = 10;
/** The shortest pause, as a part of the time between two steps. */
const MIN_PAUSE = 1 / 4;

/**
 * The loop of every worker: runs steps. When `processNext` returns false, the next one is `pollMs` after the start of this one, or
 * at a wake-up.
 * A failed step is logged and followed by a wait that doubles up to 15 s. Wake-ups do not shorten that wait; the
 * end of a database outage does.
 * An expected error is a one-line warning, at most once a minute; any other error is logged with its stack.
 * Database outages and errors for which `isLogged` holds are logged elsewhere.
 */
export function startWorkerLoop(options: {
  name: string;
  /** the longest time from the start of a step to the next one, in milliseconds; a function is called after each step */
  pollMs: number | (() => number);
  /** the first wait after a failed step is twice as long, in milliseconds; by default as `pollMs` */
  retryMs?: number;
  log: Logger;
  processNext: () => Promise<boolean>;
  isExpected?: (error: unknown) => error is Error;
  isLogged?: (error: unknown) => boolean;
  databaseOutage?: Pick<DatabaseOutage, "report" | "follow">;
}): WorkerLoop {
  const { processNext } = options;
  const reports = createStepReports(options);
  const pollMs = typeof options.pollMs === "number" ? () => options.pollMs as number : options.pollMs;
  const pause = createPause();
  let isStopping = false;
  /** a wake-up arrived during a step that may have looked too early */
  let isWoken = false;
  let failures = 0;
  let lastFailure: unknown;

  async function step(): Promise<void> {
    isWoken = false;
    const startedMs = performance.now();
    try {
      const worked = await processNext();
      if (failures > 0) reports.recovered(failures);
      failures = 0;
      if (!worked && !isWoken && !isStopping) await pause.forMs(leftOf(pollMs(), startedMs));
    } catch (error) {
      failures += 1;
      lastFailure = error;
      reports.failed(error, failures);
      if (!isStopping) await pause.forMs(backoffMs(options.retryMs ?? pollMs(), failures));
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) await step();
  }

  options.databaseOutage?.follow(() => {
    if (failures > 0) pause.end();
  });
  const running = run();
  return {
    wake: () => {
      isWoken = true;
      if (failures === 0) pause.end();
    },
    isFailing: () => failures >= FAILURES_THAT_COUNT,
    failure: () => (failures >= FAILURES_THAT_COUNT ? lastFailure : undefined),
    stop: async () => {
      isStopping = true;
      pause.end();
      await running;
    },
  };
}

type LoopOptions = Parameters<typeof startWorkerLoop>[0];

function createStepReports({ name: worker, log, isExpected, isLogged, databaseOutage }: LoopOptions): {
  failed(error: unknown, failures: number): void;
  recovered(failures: number): void;
} {
  let isToRecover = false;
  let warnedMs = Number.NEGATIVE_INFINITY;
  return {
    failed: (error, failures) => {
      if (databaseOutage?.report(error) || isLogged?.(error)) return;
      if (!isExpected?.(error)) {
        log.error(
          { event: "worker_failed", worker, failures, err: error },
          "a step of a worker failed; it will be retried",
        );
      } else if (performance.now() - warnedMs >= WARN_EVERY_MS) {
        warnedMs = performance.now();
        log.warn(
          { event: "worker_waiting", worker, failures, reason: error.message },
          "a worker waits and will retry",
        );
      } else return;
      isToRecover = true;
    },
    recovered: (failures) => {
      if (isToRecover) log.info({ worker, failures }, "the worker runs again");
      isToRecover = false;
    },
  };
}

/** The rest of the time between two steps. A long step is followed by a part of it, since it may have been slow under load. */
function leftOf(pollMs: number, startedMs: number): number {
  return Math.max(pollMs - (performance.now() - startedMs), pollMs * MIN_PAUSE);
}

export function backoffMs(pollMs: number, failures: number): number {
  const doublings = Math.min(failures, MAX_DOUBLINGS);
  return Math.min(MAX_BACKOFF_MS, Math.max(pollMs, MIN_BACKOFF_MS) * 2 ** doublings);
}

function createPause(): { forMs(ms: number): Promise<void>; end(): void } {
  let end = (): void => {};
  return {
    forMs: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}
