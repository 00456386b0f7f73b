import type { DepositId } from "../domain/ids.ts";
import type { StuckPlace } from "./clear-store.ts";

/**
 * Which deposits at or below the solid block may be confirmed. Solidity says of them that their block is final; of those
 * that no root covers it does not say that they are in it.
 */
export type Clearance = {
  /** whether it keeps back anything that solidity would let be confirmed, and for want of what */
  readonly keepsBack: boolean;
  readonly reason: "balance" | "quorum";
  /** the highest block in which anything may be confirmed */
  readonly upTo: number;
  /** whether what is above that is known to lack agreement; otherwise nobody could say now */
  readonly isSure: boolean;
  /** the uncovered deposits that are there */
  readonly cleared: readonly DepositId[];
  /** those that are known to lack what they need; of all others nobody could say now */
  readonly lacking: readonly DepositId[];
  /** whether there are more to ask about at this solid block */
  readonly isMoreToAsk: boolean;
  /** whether all that waits uncovered was seen one by one; otherwise there may be so much that it is not gone through */
  readonly seesAll: boolean;
};

/** As those that ask say it, of what they were given to see. */
export type Cleared = Omit<Clearance, "seesAll">;

/** What a process remembers of what it asked for; all of it may be forgotten. */
export type ClearingMemory = {
  /** the solid block at which the balance of a purse was asked for last */
  readonly askedAt: Map<string, number>;
  /** the deposits that were once found to lack what they say */
  readonly lacked: Set<DepositId>;
  /** of each node, by its place: how far it has named our blocks, and until when it is left alone */
  readonly named: Map<number, number>;
  readonly restsUntilMs: Map<number, number>;
  /** of each of our blocks what each node shows of it, and the solid block at which it was asked */
  readonly shown: Map<string, Map<number, Shown>>;
  /** of more STUCK deposits than one look sees, behind which they are looked at, and the solid block since which they are */
  stuckAfter: StuckPlace | undefined;
  turnedAt: number;
  /** the solid block from which on it is tried again to add up what the database could not in time */
  tooMuchUntil: number;
  /** how many blocks the next look compares side by side: fewer where nodes are slow */
  comparedAtOnce: number;
  /** what is wrong with nodes that a quorum lacks, in words */
  short: readonly string[];
};

/** What a node shows in a block. */
export type Shown = {
  /** undefined where it was asked and has not told of it yet */
  readonly transfers: ReadonlySet<string> | undefined;
  readonly askedAt: number;
  /** whether it told another block of this height when it was asked last */
  readonly isOther: boolean;
};

type Remembering = { readonly memory: { clearing?: ClearingMemory | undefined } };

/** What this scanner remembers of it, which begins anew where it was forgotten. */
export function clearingMemoryOf({ memory }: Remembering): ClearingMemory {
  memory.clearing ??= createClearingMemory();
  return memory.clearing;
}

export function createClearingMemory(): ClearingMemory {
  return {
    askedAt: new Map(),
    lacked: new Set(),
    named: new Map(),
    restsUntilMs: new Map(),
    shown: new Map(),
    stuckAfter: undefined,
    turnedAt: 0,
    tooMuchUntil: 0,
    comparedAtOnce: 1,
    short: [],
  };
}
