import { databaseAt, isLastingFault, withAdvice } from "@daric/domain/transport-fault";
import { HungServerError, isDatabaseUnavailable, isTooSlow } from "@daric/postgres/errors";
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import { createOutage, type OutagePace, outagePace } from "./outage.ts";

/** The state of a database outage, shared by a whole process. */
export type DatabaseOutage = {
  /** Returns whether the database is away or too slow; if so, the outage is logged here and not by the caller. */
  report(error: unknown): boolean;
  /** Calls `onBack` when the database is back; each process notices at another moment of a second. */
  follow(onBack: () => void): void;
  stop(): void;
};

const AWAY = {
  begins:
    "the database does not answer: requests that need it get 503, and workers wait; both resume by themselves",
  lasts: "the database still does not answer",
  ends: "the database answers again",
};

const SLOW = {
  begins:
    "database statements take too long or wait too long for a row: requests get 503, and workers retry; see pg_stat_activity and pg_blocking_pids",
  lasts: "database statements still take too long",
  ends: "database statements are in time again",
};

/** A worker waits up to 30 s for a row and 15 s before its next try; a ping proves little here. */
const SLOW_CALM_MS = 60_000;

/** Runs `ping` once a second while the database is away, and never otherwise. */
export function createDatabaseOutage(options: {
  log: Logger;
  clock: Pick<Clock, "monotonicMs">;
  ping: () => Promise<unknown>;
  pace?: OutagePace;
}): DatabaseOutage {
  const { ping: probe, ...parts } = options;
  const followers: (() => void)[] = [];
  const onBack = (): void => {
    for (const follower of followers) follower();
  };
  const away = createOutage({
    ...parts,
    probe,
    onBack,
    facts: { event: "database_unreachable" },
    texts: AWAY,
  });
  const pace = { ...(options.pace ?? outagePace), calmMs: SLOW_CALM_MS };
  const slow = createOutage({ ...parts, probe, pace, facts: { event: "database_slow" }, texts: SLOW });
  return {
    report: (error) => {
      if (!isDatabaseUnavailable(error)) return false;
      // The outage of a server is logged where the servers are watched.
      if (error instanceof HungServerError) return true;
      (isTooSlow(error) ? slow : away).failed(reasonOf(error));
      return true;
    },
    follow: (onReturn) => {
      followers.push(onReturn);
    },
    stop: () => {
      away.stop();
      slow.stop();
    },
  };
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  if (!(reason instanceof Error)) return String(reason);
  // An AggregateError over several addresses has an empty message.
  const words = reason.message || ("code" in reason ? String(reason.code) : reason.name);
  return isLastingFault(reason) ? withAdvice(words, reason, databaseAt()) : words;
}
