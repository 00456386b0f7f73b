import { IncompleteBlockError, type NodeError } from "../chain/node-error.ts";
import type { Context } from "./context.ts";

/** Nodes restart and gateways heal within minutes; a block that nobody shows whole after this needs people. */
const OVERDUE_MS = 600_000;
const SAY_EVERY_MS = 60_000;

/**
 * The one block that reading stands at because no node shows it whole. A payment in it would be lost, so it is never
 * passed over; after ten minutes it is an alarm, a log line a minute and a reason not to be ready, until it is read.
 */
export type UnreadBlock = {
  /** No node gave the block of this number, for this reason. */
  note(number: number, failure: NodeError): void;
  /** Reading has gone on, or is somebody else's now. */
  over(): void;
  /** Which block is overdue and why, in words; undefined where none is. */
  overdue(): string | undefined;
};

/** Knows of no such block yet. Times are of the monotonic clock. */
export function createUnreadBlock({
  clock,
  log,
  metrics,
}: Pick<Context, "clock" | "log" | "metrics">): UnreadBlock {
  let unread: { number: number; sinceMs: number; saidMs: number | undefined; reason: string } | undefined;

  const ageMs = (): number => (unread === undefined ? 0 : clock.monotonicMs() - unread.sinceMs);

  function say(): void {
    if (unread === undefined || ageMs() < OVERDUE_MS) return;
    if (unread.saidMs !== undefined && clock.monotonicMs() - unread.saidMs < SAY_EVERY_MS) return;
    unread.saidMs = clock.monotonicMs();
    metrics.alarms.inc({ alarm: "incomplete_block" });
    log.error(
      { block_number: unread.number, waiting_s: Math.round(ageMs() / 1_000), reason: unread.reason },
      "no node shows the next block whole; nothing is read until one does",
    );
  }

  return {
    note: (number, failure) => {
      const known = unread?.number === number ? unread : undefined;
      const { sinceMs, saidMs } = known ?? { sinceMs: clock.monotonicMs(), saidMs: undefined };
      // That a node was away for a moment explains less than what another one showed.
      const tells = known === undefined || failure instanceof IncompleteBlockError;
      unread = { number, sinceMs, saidMs, reason: tells ? failure.words : known.reason };
      say();
    },
    over: () => {
      if (unread?.saidMs !== undefined) {
        log.info({ block_number: unread.number }, "the block that no node showed whole is behind us");
      }
      unread = undefined;
    },
    overdue: () => {
      if (unread === undefined || ageMs() < OVERDUE_MS) return undefined;
      return `block ${unread.number} has been waited for ${Math.floor(ageMs() / 60_000)} min and no node shows it whole (${unread.reason})`;
    },
  };
}
