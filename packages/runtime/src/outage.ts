import type { Clock } from "./clock.ts";
import type { OutageEvent } from "./log-events.ts";
import type { Logger } from "./logger.ts";

/** One shared state of an outage: it logs one line at the start, one a minute, and one at the end. */
export type Outage = {
  failed(reason: string): void;
  /** Reports an answer. Cheap while there is no outage. */
  answered(): void;
  stop(): void;
};

/** Intervals in ms. */
export type OutagePace = {
  readonly checkEveryMs: number;
  readonly reportEveryMs: number;
  /** an outage ends after this time without a failure, so that a flapping peer is one outage */
  readonly calmMs: number;
};

export const outagePace: OutagePace = { checkEveryMs: 1_000, reportEveryMs: 60_000, calmMs: 3_000 };

type OutageOptions = {
  readonly log: Logger;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly facts: { readonly event: OutageEvent; readonly node?: string };
  readonly texts: { readonly begins: string; readonly lasts: string; readonly ends: string };
  readonly pace?: OutagePace;
  /** failures in a row that begin an outage */
  readonly failuresToBegin?: number;
  /** Checks for recovery during an outage; without it only `answered` ends one. */
  readonly probe?: () => Promise<unknown>;
  /** Called at the first answer after a failure, at most once per `calmMs`. */
  readonly onBack?: () => void;
};

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

function follow(
  { log, clock, facts, texts, pace = outagePace, probe, onBack = () => {} }: OutageOptions,
  first: { reason: string; failures: number },
  onEnd: () => void,
): UnderWay {
  const sinceMs = clock.monotonicMs();
  let { reason, failures } = first;
  let failedMs = sinceMs;
  let reportedMs = sinceMs;
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
