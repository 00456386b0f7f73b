import { IncompleteBlockError, NodeError } from "../blocks/node-error.ts";
import type { BlockHeader } from "../blocks/parse-block.ts";
import type { ParentBlock } from "./chain-reader.ts";

/** Against what the time of a block is held; what is left out is not known. */
type Bounds = {
  /** the block that it should follow */
  readonly parent?: ParentBlock | undefined;
  /** the latest time that it may carry by our own clock */
  readonly latestByClockMs: number | undefined;
};

/**
 * Requires that a block is later than its parent (java-tron's consensus), and not of the future by our own clock.
 *
 * @throws IncompleteBlockError when it is not later than its parent.
 * @throws NodeError of the fault `ahead_of_clock` when it is of the future.
 */
export function requireTimely(node: string, header: BlockHeader, bounds: Bounds): void {
  const { number, parentId, timeMs } = header;
  const { parent, latestByClockMs = timeMs } = bounds;
  if (parent !== undefined && parentId === parent.id && timeMs <= parent.timeMs) {
    throw new IncompleteBlockError(node, number, "its time is not after its parent's");
  }
  const aheadMs = timeMs - latestByClockMs;
  if (aheadMs <= 0) return;
  const date = new Date(timeMs).toISOString();
  const message =
    `block ${number} is dated ${date}, ${Math.ceil(aheadMs / 1_000)} s later than this machine's clock allows: ` +
    "check this machine's clock (NTP); the block is read when the clock gets there";
  throw new NodeError(message, { fault: "ahead_of_clock", node });
}
