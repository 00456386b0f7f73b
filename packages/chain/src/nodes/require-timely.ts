import { IncompleteBlockError, NodeError } from "../blocks/node-error.ts";
import type { BlockHeader } from "../blocks/parse-block.ts";
import type { ParentBlock } from "./chain-reader.ts";

/** An absent bound is not checked. */
type Bounds = {
  readonly parent?: ParentBlock | undefined;
  readonly latestByClockMs: number | undefined;
};

/**
 * @throws IncompleteBlockError unless the block is later than its parent (java-tron's consensus).
 * @throws NodeError `ahead_of_clock` for a block in the future by our clock.
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
