import type { ChainReader } from "./chain-reader.ts";
import { NodeError } from "./node-error.ts";
import type { BlockHeader } from "./parse-block.ts";

/** A node this far below the newest head has stopped following the chain; a busy gateway is a few blocks behind. */
export const MAX_BEHIND_BLOCKS = 20;
/** Public networks make a block every three seconds, never sooner. */
const SLOT_MS = 3_000;
/** So many blocks may have been made beside that since the newest head was shown: the node that showed it lagged. */
const MAX_AHEAD_BLOCKS = 100;
/** Of a head that no known key has signed fewer are believed: an honest node shows one only where a key has just changed. */
const MAX_AHEAD_UNSIGNED = 3;

/** Whom a head is asked of. */
export type HeadSource = Pick<ChainReader, "getHeadBlock"> & { readonly label: string };

/** A head far below the newest one (`behind`), or above it by more than time allows (`unexpected_answer`). */
export class DoubtfulHeadError extends NodeError {
  override readonly name = "DoubtfulHeadError";
  readonly head: BlockHeader;
  readonly by: HeadSource;

  constructor(
    message: string,
    doubt: { head: BlockHeader; by: HeadSource; fault: "behind" | "unexpected_answer" },
  ) {
    super(message, { fault: doubt.fault, node: doubt.by.label });
    this.head = doubt.head;
    this.by = doubt.by;
  }
}

/** The newest of them, of the signed ones where there are any. */
export function bestOf(
  doubts: readonly DoubtfulHeadError[],
  isSigned: (head: BlockHeader) => boolean,
): DoubtfulHeadError | undefined {
  const newestFirst = [...doubts].sort((a, b) => b.head.number - a.head.number);
  return newestFirst.find(({ head }) => isSigned(head)) ?? newestFirst[0];
}

/** `passedMs` since the newest head was new; undefined where blocks keep no time. */
type Judging = {
  readonly passedMs: number | undefined;
  readonly isSigned: (head: BlockHeader) => boolean;
};

/** What is wrong with a head beside the newest one. A signature is looked at only where it matters. */
export function doubtOf(
  { head, by }: { head: BlockHeader; by: HeadSource },
  known: number,
  { passedMs, isSigned }: Judging,
): DoubtfulHeadError | undefined {
  if (head.number < known - MAX_BEHIND_BLOCKS) {
    const message = `stands at block ${head.number} while the newest head is ${known}`;
    return new DoubtfulHeadError(message, { head, by, fault: "behind" });
  }
  if (passedMs === undefined) return undefined;
  const made = known + Math.floor(passedMs / SLOT_MS);
  if (head.number <= made + MAX_AHEAD_UNSIGNED) return undefined;
  const possible = made + (isSigned(head) ? MAX_AHEAD_BLOCKS : MAX_AHEAD_UNSIGNED);
  if (head.number <= possible) return undefined;
  const message = `says its head is block ${head.number}, but there can be ${possible} by now`;
  return new DoubtfulHeadError(message, { head, by, fault: "unexpected_answer" });
}
