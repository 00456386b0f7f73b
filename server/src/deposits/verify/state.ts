import type { TransactionInfo } from "../../chain/blocks/parse-transaction-info.ts";
import type { ReadBlock } from "../block-store.ts";
import type { Matches } from "../record/match-transfers.ts";
import type { SolidBlock } from "./verify-store.ts";

/** A node's answer for a block: the matches of its runs, and the infos that concern us. */
export type BlockAnswer = { readonly matches: Matches; readonly infos: readonly TransactionInfo[] };

/** Answers for unverified blocks by block id and node index. All of it may be lost. */
export type AnswerCache = {
  readonly receivedFrom: Map<string, Map<number, BlockAnswer>>;
  readonly pending: Map<string, Promise<void>>;
  /** answers that are not matched with our addresses yet */
  readonly arrived: { block: SolidBlock; nodeIndex: number; infos: readonly TransactionInfo[] }[];
  readonly failures: Map<number, { count: number; untilMs: number; summary: string }>;
  /** nodes whose last call delayed a whole step */
  readonly slow: Set<number>;
  /** nodes that have shown an internal transaction of any kind */
  readonly storesInternals: Set<number>;
  /** the number of contract calls that each other node has shown without one */
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

/** A watcher's state of the second reading. All of it may be lost. */
export type VerifyState = {
  readonly answers: AnswerCache;
  /** the height up to which each node has our chain, by node index */
  readonly agreedHeights: Map<number, number>;
  /** why a node lacks our chain */
  readonly faults: Map<number, string>;
  /** nodes that contradict a verified block and have no vote */
  readonly excluded: Set<number>;
  /** how often in a row, and since when, too few nodes agree with a verified block */
  contradictions: { readonly count: number; readonly sinceMs: number } | undefined;
  /** differences of a single node by block id, and when it is called again */
  readonly differing: Map<string, { readonly summary: string; readonly retryMs: number }>;
  /** the newest verified block; it is not stored while blocks have no effect */
  upTo: ReadBlock | undefined;
  /** the solid height at the last retry of blocks with waiting deposits, and the number after which the next retry continues */
  waitingRetriedAt: number;
  waitingAfter: number;
  /** the interval of these retries, in solid blocks */
  retryAfterBlocks: number;
  /** whether the next step retries at once */
  isRetryDue: boolean;
  /** the id of the cursor's block at which no work was left */
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

/** Resets the state, because another watcher read in between, or the scan was resumed. */
export function forgetVerified(state: VerifyState): void {
  Object.assign(state, createVerifyState());
}

/** Makes the next step settle again after a rescan, although no block came. */
export function settleAgain(state: VerifyState): void {
  state.settledAt = undefined;
  state.isRetryDue = true;
}

/** Forgets the heights above a fork. */
export function forgetVerifiedAbove(state: VerifyState, height: number): void {
  for (const [nodeIndex, number] of state.agreedHeights)
    if (number > height) state.agreedHeights.set(nodeIndex, height);
  if ((state.upTo?.number ?? 0) > height) state.upTo = undefined;
}
