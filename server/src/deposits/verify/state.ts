import type { TransactionInfo } from "../../chain/blocks/parse-transaction-info.ts";
import type { ReadBlock } from "../block-store.ts";
import type { Matches } from "../record/match-transfers.ts";
import type { Outvoted } from "./agree.ts";
import type { SolidBlock } from "./verify-store.ts";

/** A node's answer for a block: the matches of its runs, the infos that concern us, and whether any info has internal transactions. */
export type BlockAnswer = {
  readonly matches: Matches;
  readonly infos: readonly TransactionInfo[];
  readonly storesInternals: boolean;
};

/** The internal transactions that a node has shown. It may lose them at any restart, and stores those of later blocks only. */
export type ShownInternals = {
  /** the newest block of which it has shown one */
  shownIn: number;
  /** the newest block of which it shows none although the block has some */
  missedIn: number;
  /** the contract calls since `shownIn` */
  calls: number;
};

/** Answers for unverified blocks by block id and node index. All of it may be lost. */
export type AnswerCache = {
  readonly receivedFrom: Map<string, Map<number, BlockAnswer>>;
  readonly pending: Map<string, Promise<void>>;
  /** answers that are not matched with our addresses yet */
  readonly arrived: { block: SolidBlock; nodeIndex: number; infos: readonly TransactionInfo[] }[];
  readonly failures: Map<number, { count: number; untilMs: number; summary: string }>;
  /** nodes whose last call delayed a whole step */
  readonly slow: Set<number>;
  /** what each node has shown of internal transactions, by node index */
  readonly internals: Map<number, ShownInternals>;
};

function createAnswerCache(): AnswerCache {
  return {
    receivedFrom: new Map(),
    pending: new Map(),
    arrived: [],
    failures: new Map(),
    slow: new Set(),
    internals: new Map(),
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
  /** the last contradiction of the quorum by each node, by its label */
  readonly outvoted: Map<string, Outvoted & { readonly blockNumber: number }>;
  /** the logged contradictions of the quorum, in words */
  readonly reported: Set<string>;
  /** the logged nodes without internal transactions */
  readonly withoutInternals: Set<string>;
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
    outvoted: new Map(),
    reported: new Set(),
    withoutInternals: new Set(),
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
