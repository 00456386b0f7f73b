import type { DatabaseOutage } from "./database-outage.ts";
import type { Logger } from "./logger.ts";

export type WorkerLoop = {
  /** Looks again soon instead of at the next poll. A hint only: work is found without it. */
  wake(): void;
  /** Whether several steps in a row have failed and none has worked since. */
  isFailing(): boolean;
  /** While it is failing, what the last step failed with. */
  failure(): unknown;
  /** Ends after the step that is under way; resolves when it has. */
  stop(): Promise<void>;
};

/** One or two failures are weather. */
const FAILURES_THAT_COUNT = 3;

/** Of what is expected; what is no news after the first line. */
const WARN_EVERY_MS = 60_000;

const MAX_BACKOFF_MS = 15_000;
const MIN_BACKOFF_MS = 100;
const MAX_DOUBLINGS = 10;

/**
 * The one loop of every worker: does the next piece of work, and when there is none waits for `pollMs` or a hint.
 * `processNext` answers whether there was work. A failure is logged and followed by a wait that doubles up to
 * 15 s, so a worker outlives every outage of what it depends on; hints do not shorten that wait, and the end of an
 * outage of the database does. A failure that
 * `isExpected` knows (a node is away, a block is not there yet) is a warning of one line; any other is an error with
 * its stack. That outage, and what `isTold` knows, as the outage of a node, have lines elsewhere; of those
 * that are expected one a minute is written.
 */
export function startWorkerLoop(options: {
  name: string;
  /** the longest wait, in milliseconds; asked for before each where it changes */
  pollMs: number | (() => number);
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
  /** a hint that came while a step was under way, whose look may have been before what the hint is about */
  let isWoken = false;
  let failures = 0;
  let lastFailure: unknown;

  async function step(): Promise<void> {
    isWoken = false;
    try {
      const worked = await processNext();
      if (failures > 0) reports.recovered(failures);
      failures = 0;
      if (!worked && !isWoken && !isStopping) await pause.forMs(pollMs());
    } catch (error) {
      failures += 1;
      lastFailure = error;
      reports.failed(error, failures);
      if (!isStopping) await pause.forMs(backoffMs(pollMs(), failures));
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

/** What a worker says of its failures, each time how many there were in a row. */
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

/** The wait after so many failures in a row: it doubles up to 15 s. */
export function backoffMs(pollMs: number, failures: number): number {
  const doublings = Math.min(failures, MAX_DOUBLINGS);
  return Math.min(MAX_BACKOFF_MS, Math.max(pollMs, MIN_BACKOFF_MS) * 2 ** doublings);
}

/** A wait that can be ended early. */
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
