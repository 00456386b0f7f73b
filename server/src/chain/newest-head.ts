import type { ChainReader } from "./chain-reader.ts";
import { NodeError } from "./node-error.ts";
import type { BlockHeader } from "./parse-block.ts";

/** Ten missed slots in a row: by then another node is worth a question, and what nobody repeated is forgotten. */
const STALLED_AFTER_MS = 30_000;
/** A node this far below the newest head has stopped following the chain; a busy gateway is a few blocks behind. */
const MAX_BEHIND_BLOCKS = 20;
/** Public networks make a block every three seconds, never sooner. */
const SLOT_MS = 3_000;
/** So many blocks may have been made beside that since the newest head was shown: the node that showed it lagged. */
const MAX_AHEAD_BLOCKS = 100;

type HeadSource = Pick<ChainReader, "getHeadBlock"> & { readonly label: string };

/** The newest head that was believed: who said it, when it was new, and when it was said last. */
type Newest = {
  readonly number: number;
  readonly by: HeadSource;
  readonly sinceMs: number;
  readonly saidMs: number;
};

/**
 * Tells a node that stands still from a chain that does, and a head that cannot be from one that can. No single answer
 * has a lasting effect: a doubtful head is asked for twice, the newest one is forgotten when its own node says less
 * or when nobody repeats it, and when all nodes are doubtful the one with the newest head is followed.
 */
export type NewestHead = {
  /** The node's head; a DoubtfulHeadError when it does not fit the newest one, so that another node is asked. */
  of(node: HeadSource): Promise<BlockHeader>;
  /** The head to go by when no node has a better one: the newest of the doubtful ones. */
  ofDoubtful(doubts: readonly DoubtfulHeadError[]): BlockHeader | undefined;
  /** When no new head has come for a while, asks every node for its own, once. */
  compareWhenStalled(nodes: readonly HeadSource[]): Promise<void>;
};

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

/** What is needed of the world; `keepsTime` where blocks come at the pace of public networks and not at command. */
export type NewestHeadOptions = {
  /** Monotonic clock in ms. */
  readonly now: () => number;
  readonly keepsTime: boolean;
  /** Told of a doubtful head that the node itself took back. */
  readonly onFailure: (error: NodeError) => void;
};

/** Knows no head yet, and believes the first one. */
export function createNewestHead({ now, keepsTime, onFailure }: NewestHeadOptions): NewestHead {
  let newest: Newest | undefined;
  let comparedMs = now();

  function replaceNewest(head: BlockHeader, by: HeadSource): void {
    const sinceMs = newest?.number === head.number ? newest.sinceMs : now();
    newest = { number: head.number, by, sinceMs, saidMs: now() };
  }

  function believe(head: BlockHeader, by: HeadSource): BlockHeader {
    if (newest === undefined || head.number >= newest.number || !standsAgainst(head, by, newest)) {
      replaceNewest(head, by);
    }
    return head;
  }

  /** Whether the newest head is believed rather than a lower one: said lately, and not taken back by its own node. */
  function standsAgainst(head: BlockHeader, by: HeadSource, known: Newest): boolean {
    return isFresh(known) && (known.by !== by || head.number >= known.number - MAX_BEHIND_BLOCKS);
  }

  const isFresh = ({ saidMs }: Newest) => now() - saidMs < STALLED_AFTER_MS;

  const doubt = (head: BlockHeader, by: HeadSource) =>
    newest && doubtOf({ head, by }, newest, keepsTime ? now() - newest.sinceMs : undefined);

  return {
    of: async (node) => {
      const first = await node.getHeadBlock();
      const firstDoubt = doubt(first, node);
      if (firstDoubt === undefined) return believe(first, node);
      const second = await node.getHeadBlock();
      const secondDoubt = doubt(second, node);
      if (secondDoubt === undefined) onFailure(firstDoubt);
      else if (secondDoubt.fault === "unexpected_answer") throw secondDoubt;
      else if (newest && standsAgainst(second, node, newest)) throw secondDoubt;
      return believe(second, node);
    },
    ofDoubtful: (doubts) => {
      const [best] = [...doubts].sort((a, b) => b.head.number - a.head.number);
      if (best && newest && !isFresh(newest)) replaceNewest(best.head, best.by);
      return best?.head;
    },
    compareWhenStalled: async (nodes) => {
      const quietSinceMs = Math.max(newest?.sinceMs ?? now(), comparedMs);
      if (nodes.length < 2 || now() - quietSinceMs < STALLED_AFTER_MS) return;
      comparedMs = now();
      await Promise.allSettled(
        nodes.map(async (node) => {
          const head = await node.getHeadBlock();
          if (head.number > (newest?.number ?? 0)) replaceNewest(head, node);
        }),
      );
    },
  };
}

/** What is wrong with a head beside the newest one. `passedMs` since that was new; undefined where blocks keep no time. */
function doubtOf(
  { head, by }: { head: BlockHeader; by: HeadSource },
  { number: known }: Newest,
  passedMs: number | undefined,
): DoubtfulHeadError | undefined {
  if (head.number < known - MAX_BEHIND_BLOCKS) {
    const message = `stands at block ${head.number} while the newest head is ${known}`;
    return new DoubtfulHeadError(message, { head, by, fault: "behind" });
  }
  if (passedMs === undefined) return undefined;
  const possible = known + Math.floor(passedMs / SLOT_MS) + MAX_AHEAD_BLOCKS;
  if (head.number <= possible) return undefined;
  const message = `says its head is block ${head.number}, but there can be ${possible} by now`;
  return new DoubtfulHeadError(message, { head, by, fault: "unexpected_answer" });
}
