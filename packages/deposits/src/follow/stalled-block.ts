import { IncompleteBlockError, InvalidBlockError, type NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { diffNodeResponses } from "@daric/chain/nodes/diff-node-responses";
import type { Context } from "../context.ts";

/** Nodes restart and gateways recover within minutes; a block that is still incomplete then needs an operator. */
const OVERDUE_MS = 600_000;
const REPORT_EVERY_MS = 60_000;

/**
 * The next block, which no node has complete. It is never skipped, because a payment in it would be lost. After ten minutes it
 * raises alarms and fails readiness, until it is read or an operator overrides it.
 */
export type StalledBlock = {
  /** Records a failed fetch. Once the block is overdue, the answers of `nodes` are compared. */
  recordFailure(number: number, failure: NodeError, nodes?: readonly TronNode[]): void;
  /** Forgets the block, because reading has advanced, or another watcher reads now. */
  clear(): void;
  overdue(): string | undefined;
};

type Stalled = {
  readonly number: number;
  readonly sinceMs: number;
  reportedMs: number | undefined;
  failure: NodeError;
  differing: string | undefined;
};

export function createStalledBlock({
  clock,
  log,
  metrics,
}: Pick<Context, "clock" | "log" | "metrics">): StalledBlock {
  let current: Stalled | undefined;

  const ageMs = (): number => (current === undefined ? 0 : clock.monotonicMs() - current.sinceMs);

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
    recordFailure: (number, failure, nodes = []) => {
      const known = current?.number === number ? current : undefined;
      current = known ?? {
        number,
        sinceMs: clock.monotonicMs(),
        reportedMs: undefined,
        failure,
        differing: undefined,
      };
      // An incomplete answer explains more than a node that was away.
      if (failure instanceof IncompleteBlockError) current.failure = failure;
      const { number: block_number } = current;
      report(current, nodes).catch((err: unknown) =>
        log.error(
          { event: "block_comparison_failed", err, block_number },
          "the nodes could not be compared for the incomplete block",
        ),
      );
    },
    clear: () => {
      if (current?.reportedMs !== undefined) {
        log.info({ block_number: current.number }, "the incomplete block was read");
      }
      current = undefined;
    },
    overdue: () => {
      if (current === undefined || ageMs() < OVERDUE_MS) return undefined;
      return `block ${current.number} is ${Math.floor(ageMs() / 60_000)} min overdue, and no node has it complete (${describe(current)})`;
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
