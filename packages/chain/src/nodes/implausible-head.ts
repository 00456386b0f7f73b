import { NodeError } from "../blocks/node-error.ts";
import type { BlockHeader } from "../blocks/parse-block.ts";
import type { ChainReader } from "./chain-reader.ts";

/** A node further below the newest head has stopped; a busy gateway lags a few blocks. */
export const MAX_BEHIND_BLOCKS = 20;
/** Public networks make at most one block every three seconds. */
const SLOT_MS = 3_000;
/** Room for a newest head that was old when it was reported, because its node lagged. */
const MAX_AHEAD_BLOCKS = 100;

export type HeadSource = Pick<ChainReader, "getHeadBlock"> & { readonly label: string };

/** A head far below the newest one (`behind`), or above it by more than time allows (`unexpected_answer`). */
export class ImplausibleHeadError extends NodeError {
  override readonly name = "ImplausibleHeadError";
  readonly head: BlockHeader;
  readonly by: HeadSource;

  constructor(
    message: string,
    implausible: { head: BlockHeader; by: HeadSource; fault: "behind" | "unexpected_answer" },
  ) {
    super(message, { fault: implausible.fault, node: implausible.by.label });
    this.head = implausible.head;
    this.by = implausible.by;
  }
}

export function highestHead(heads: readonly ImplausibleHeadError[]): ImplausibleHeadError | undefined {
  return [...heads].sort((a, b) => b.head.number - a.head.number)[0];
}

/** The newest head, and the time since it appeared; undefined if blocks come on command. */
type NewestKnown = { readonly number: number; readonly passedMs: number | undefined };

export function findImplausibility(
  { head, by }: { head: BlockHeader; by: HeadSource },
  known: NewestKnown,
): ImplausibleHeadError | undefined {
  if (head.number < known.number - MAX_BEHIND_BLOCKS) {
    const message = `stands at block ${head.number} while the newest head is ${known.number}`;
    return new ImplausibleHeadError(message, { head, by, fault: "behind" });
  }
  if (known.passedMs === undefined) return undefined;
  const possible = known.number + Math.floor(known.passedMs / SLOT_MS) + MAX_AHEAD_BLOCKS;
  if (head.number <= possible) return undefined;
  const message = `says its head is block ${head.number}, but there can be ${possible} by now`;
  return new ImplausibleHeadError(message, { head, by, fault: "unexpected_answer" });
}
