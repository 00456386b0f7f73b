import { IncompleteBlockError, InvalidBlockError, type NodeError } from "../../chain/blocks/node-error.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import { diffNodeResponses } from "../../chain/nodes/diff-node-responses.ts";
import type { Context } from "../context.ts";

/** Nodes restart and gateways heal within minutes; a block that nobody shows whole after this needs people. */
const OVERDUE_MS = 600_000;
const REPORT_EVERY_MS = 60_000;

/**
 * The one block that reading stands at because no node shows it whole. A payment in it would be lost, so it is never
 * passed over; after ten minutes it is an alarm, a log line a minute and a reason not to be ready, until it is read or an
 * operator takes it as it is told.
 */
export type StalledBlock = {
  /** No node gave the block of this number, for this reason. Once it is an alarm, these are asked where they differ. */
  note(number: number, failure: NodeError, nodes?: readonly TronNode[]): void;
  /** Reading has gone on, or is somebody else's now. */
  over(): void;
  /** Which block is overdue and why, in words; undefined where none is. */
  overdue(): string | undefined;
};

type Stalled = {
  readonly number: number;
  readonly sinceMs: number;
  reportedMs: number | undefined;
  failure: NodeError;
  /** what the nodes tell of it differently */
  differing: string | undefined;
};

/** Knows of no such block yet. Times are of the monotonic clock. */
export function createStalledBlock({
  clock,
  log,
  metrics,
}: Pick<Context, "clock" | "log" | "metrics">): StalledBlock {
  let unread: Stalled | undefined;

  const ageMs = (): number => (unread === undefined ? 0 : clock.monotonicMs() - unread.sinceMs);

  async function report(stalled: Stalled, nodes: readonly TronNode[]): Promise<void> {
    if (ageMs() < OVERDUE_MS) return;
    if (stalled.reportedMs !== undefined && clock.monotonicMs() - stalled.reportedMs < REPORT_EVERY_MS)
      return;
    stalled.reportedMs = clock.monotonicMs();
    const waiting_s = Math.round(ageMs() / 1_000);
    metrics.alarms.inc({ alarm: "incomplete_block" });
    stalled.differing = await diffNodeResponses(nodes, stalled.number);
    log.error(
      { event: "incomplete_block", block_number: stalled.number, waiting_s, reason: describe(stalled) },
      "no node shows the next block completely; nothing is read until one does",
    );
  }

  return {
    note: (number, failure, nodes = []) => {
      const known = unread?.number === number ? unread : undefined;
      unread = known ?? {
        number,
        sinceMs: clock.monotonicMs(),
        reportedMs: undefined,
        failure,
        differing: undefined,
      };
      // That a node was away for a moment explains less than what another one showed.
      if (failure instanceof IncompleteBlockError) unread.failure = failure;
      const { number: block_number } = unread;
      report(unread, nodes).catch((err: unknown) =>
        log.error(
          { event: "block_comparison_failed", err, block_number },
          "the nodes could not be compared for the incomplete block",
        ),
      );
    },
    over: () => {
      if (unread?.reportedMs !== undefined) {
        log.info({ block_number: unread.number }, "the incomplete block was read");
      }
      unread = undefined;
    },
    overdue: () => {
      if (unread === undefined || ageMs() < OVERDUE_MS) return undefined;
      return `block ${unread.number} has been waited for ${Math.floor(ageMs() / 60_000)} min and no node shows it whole (${describe(unread)})`;
    },
  };
}

function describe({ failure, differing }: Stalled): string {
  const wayOut =
    failure instanceof InvalidBlockError
      ? `if the chain is right, take it with \`daric scan accept ${failure.block.header.id}\``
      : undefined;
  return [failure.safeMessage, differing, wayOut]
    .filter((descriptions) => descriptions !== undefined)
    .join("; ");
}
