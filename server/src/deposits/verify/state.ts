import type { TransactionInfo } from "../../chain/blocks/parse-transaction-info.ts";
import type { ReadBlock } from "../block-store.ts";
import type { Matches } from "../record/match-transfers.ts";
import type { SolidBlock } from "./verify-store.ts";

/** What one node told of a block: whom of ours its runs paid, and the infos of the runs that concern us. */
export type BlockAnswer = { readonly matches: Matches; readonly infos: readonly TransactionInfo[] };

/** What nodes told of blocks that are not verified, by the block's id and the node's place; all of it may be forgotten. */
export type AnswerCache = {
  readonly receivedFrom: Map<string, Map<number, BlockAnswer>>;
  /** answers on their way */
  readonly pending: Map<string, Promise<void>>;
  /** answers that are not matched with our addresses yet */
  readonly arrived: { block: SolidBlock; nodeIndex: number; infos: readonly TransactionInfo[] }[];
  readonly failures: Map<number, { count: number; untilMs: number; summary: string }>;
  /** the nodes that did not answer in time when they were asked last */
  readonly slow: Set<number>;
  /** the nodes that have shown an internal transfer of any kind */
  readonly storesInternals: Set<number>;
  /** how many contract calls each of the others has told without one */
  readonly callsWithout: Map<number, number>;
};

function createAnswerCache(): AnswerCache {
  return {
    receivedFrom: new Map(),
    pending: new Map(),
    arrived: [],
    failures: new Map(),
    slow: new Set(),
    storesInternals: new Set(),
    callsWithout: new Map(),
  };
}

/** What a watcher remembers of solid blocks that it reads a second time; all of it may be forgotten. */
export type VerifyState = {
  readonly answers: AnswerCache;
  /** the height up to which each node has named our chain, by its place */
  readonly agreedHeights: Map<number, number>;
  /** what is wrong with a node that does not name our chain, in words */
  readonly faults: Map<number, string>;
  /** the nodes that contradict a verified block: they have no vote */
  readonly excluded: Set<number>;
  /** how often in a row, and since when, so many nodes contradict a verified block that too few remain */
  contradictions: { readonly count: number; readonly sinceMs: number } | undefined;
  /** what one node told otherwise than the books, by the block's id, and from when on it may be asked whether it stays with that */
  readonly differing: Map<string, { readonly summary: string; readonly retryMs: number }>;
  /** the newest verified block; what was verified without any consequence is not written before others are */
  upTo: ReadBlock | undefined;
  /** the solid block at which blocks with a deposit that waits were asked for last, and behind which the next of them are */
  waitingRetriedAt: number;
  waitingAfter: number;
  /** they are asked for again after so many blocks */
  retryAfterBlocks: number;
  /** whether they are to be asked for at once */
  isRetryDue: boolean;
  /** the block of the cursor at which nothing more was to be settled */
  settledAt: string | undefined;
};

/** A minute of blocks. */
export const RETRY_AFTER_BLOCKS = 20;

export function createVerifyState(): VerifyState {
  return {
    answers: createAnswerCache(),
    agreedHeights: new Map(),
    faults: new Map(),
    excluded: new Set(),
    contradictions: undefined,
    differing: new Map(),
    upTo: undefined,
    waitingRetriedAt: 0,
    waitingAfter: -1,
    retryAfterBlocks: RETRY_AFTER_BLOCKS,
    isRetryDue: true,
    settledAt: undefined,
  };
}

/** Another watcher was between, or the scan was resumed: what nodes told of our chain says nothing of this one. */
export function forgetVerified(state: VerifyState): void {
  Object.assign(state, createVerifyState());
}

/** A rescan has written something: what is verified may have something to settle again, although no block came. */
export function settleAgain(state: VerifyState): void {
  state.settledAt = undefined;
  state.isRetryDue = true;
}

/** A fork has replaced our blocks above this height: no node has named what follows, and nothing of it is verified. */
export function forgetVerifiedAbove(state: VerifyState, height: number): void {
  for (const [nodeIndex, number] of state.agreedHeights)
    if (number > height) state.agreedHeights.set(nodeIndex, height);
  if ((state.upTo?.number ?? 0) > height) state.upTo = undefined;
}
