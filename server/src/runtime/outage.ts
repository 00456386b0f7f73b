import type { Clock } from "./clock.ts";
import type { OutageEvent } from "./log-events.ts";
import type { Logger } from "./logger.ts";

/**
 * What is away, for all of a process who meet it: they report here and write no line of their own. It has one line at its
 * start, one a minute while it lasts and one at its end, however many reports come.
 */
export type Outage = {
  failed(reason: string): void;
  /** It has answered. Costs next to nothing while nothing is away. */
  answered(): void;
  /** Says nothing any more. */
  stop(): void;
};

/** How often it is spoken of, in ms. */
export type OutagePace = {
  readonly checkEveryMs: number;
  readonly reportEveryMs: number;
  /** without a failure for so long after an answer it is over: what comes and goes is one outage */
  readonly calmMs: number;
};

export const outagePace: OutagePace = { checkEveryMs: 1_000, reportEveryMs: 60_000, calmMs: 3_000 };

type OutageOptions = {
  readonly log: Logger;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** fields of each line: what is away */
  readonly facts: { readonly event: OutageEvent; readonly node?: string };
  readonly texts: { readonly begins: string; readonly lasts: string; readonly ends: string };
  readonly pace?: OutagePace;
  /** so many failures without an answer between them begin it */
  readonly failuresToBegin?: number;
  /** Asks whether it is back while it is away; without it others do, and tell. */
  readonly probe?: () => Promise<unknown>;
  /** Called as soon as it answers again; where it comes and goes, once in `calmMs` at most. */
  readonly onBack?: () => void;
};

/** Nothing is away yet, and nothing runs until something is. */
export function createOutage(options: OutageOptions): Outage {
  const { failuresToBegin = 1 } = options;
  let current: UnderWay | undefined;
  let failures = 0;
  let isStopped = false;

  function begin(reason: string): UnderWay {
    const { facts, texts, log } = options;
    log.warn({ ...facts, reason }, texts.begins);
    return follow(options, { reason, failures }, () => {
      current = undefined;
      failures = 0;
    });
  }

  return {
    failed: (reason) => {
      if (isStopped) return;
      failures += 1;
      if (current !== undefined) current.failed(reason);
      else if (failures >= failuresToBegin) current = begin(reason);
    },
    answered: () => {
      if (current !== undefined) current.answered();
      else failures = 0;
    },
    stop: () => {
      isStopped = true;
      current?.leave();
      current = undefined;
    },
  };
}

type UnderWay = Pick<Outage, "failed" | "answered"> & { leave(): void };

/** An outage from its first line to its last; all times are of the monotonic clock. */
function follow(
  { log, clock, facts, texts, pace = outagePace, probe, onBack = () => {} }: OutageOptions,
  first: { reason: string; failures: number },
  onEnd: () => void,
): UnderWay {
  const sinceMs = clock.monotonicMs();
  let { reason, failures } = first;
  let failedMs = sinceMs;
  let reportedMs = sinceMs;
  /** of the first answer after the last failure */
  let answeredMs: number | undefined;
  const back = createRecoveryReporter(pace, onBack);
  let isProbing = false;
  const timer = setInterval(probeDue, pace.checkEveryMs).unref();

  function answered(): void {
    answeredMs ??= clock.monotonicMs();
    back.report(clock.monotonicMs());
  }

  function probeDue(): void {
    const nowMs = clock.monotonicMs();
    if (answeredMs !== undefined) back.report(nowMs);
    if (answeredMs !== undefined && nowMs - failedMs >= pace.calmMs) {
      end(answeredMs);
      return;
    }
    if (nowMs - reportedMs >= pace.reportEveryMs) remind(nowMs);
    if (answeredMs === undefined) probeOnce();
  }

  function remind(nowMs: number): void {
    reportedMs = nowMs;
    log.warn({ ...facts, for_s: seconds(nowMs - sinceMs), failures, reason }, texts.lasts);
  }

  function probeOnce(): void {
    if (probe === undefined || isProbing) return;
    isProbing = true;
    const done = (): void => {
      isProbing = false;
    };
    probe()
      .then(answered, () => {})
      .finally(done);
  }

  function end(endedMs: number): void {
    clearInterval(timer);
    log.warn({ ...facts, lasted_s: seconds(endedMs - sinceMs), failures }, texts.ends);
    onEnd();
  }

  return {
    failed: (why) => {
      reason = why;
      failures += 1;
      failedMs = clock.monotonicMs();
      answeredMs = undefined;
      back.failed();
    },
    answered,
    leave: () => clearInterval(timer),
  };
}

/** Tells that it answers again: once after each failure, and once in `calmMs` at most. */
function createRecoveryReporter({ calmMs }: OutagePace, onBack: () => void) {
  let isReported = false;
  let reportedMs = Number.NEGATIVE_INFINITY;
  return {
    failed: (): void => {
      isReported = false;
    },
    report: (nowMs: number): void => {
      if (isReported || nowMs - reportedMs < calmMs) return;
      isReported = true;
      reportedMs = nowMs;
      onBack();
    },
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
