import { isDatabaseUnavailable, isTooSlow } from "@daric/postgres/errors";
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import { createOutage, type OutagePace, outagePace } from "./outage.ts";

/** What all of a process know of the database being away. */
export type DatabaseOutage = {
  /**
   * Whether this is the error of a database that is away or too slow. Then it is counted as part of that outage, which has
   * lines of its own, and whoever met it writes none.
   */
  report(error: unknown): boolean;
  /**
   * Whoever waits to try again is told when the database is back. Told at once within this process: processes find out each in
   * its own moment of a second, so that they do not come together.
   */
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

/** A ping is quick meanwhile, so that it says little. A worker waits 30 s for a row, and up to 15 s before it tries again. */
const SLOW_CALM_MS = 60_000;

/** `ping` asks the database for as little as can be asked, once a second while it is away and never else. */
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

/** What the driver or the server said, without what we put before it. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  if (!(reason instanceof Error)) return String(reason);
  // Several addresses that were all tried have an error without words.
  return reason.message || ("code" in reason ? String(reason.code) : reason.name);
}
