import type { ReadBlock } from "../block-store.ts";
import type { Outvoted } from "./agree.ts";
import { type AnswerCache, createAnswerCache } from "./answer-cache.ts";

/** How each node stands to our chain, by node index. */
export type NodeStanding = {
  /** the height up to which each node has our chain */
  readonly agreedHeights: ReadonlyMap<number, number>;
  /** why a node lacks our chain */
  readonly faults: ReadonlyMap<number, string>;
  /** nodes that contradict a verified block and have no vote */
  readonly excluded: ReadonlySet<number>;
  /** how often in a row, and since when, too few nodes agree with a verified block */
  readonly contradictions: { readonly count: number; readonly sinceMs: number } | undefined;
};

export type OutvotedInBlock = Outvoted & { readonly blockNumber: number };

/** The faults of nodes that were logged, so that each is logged once. */
export type Reported = {
  /** the last contradiction of the quorum by each node, by its label */
  readonly outvoted: ReadonlyMap<string, OutvotedInBlock>;
  /** the contradictions of the quorum, in words */
  readonly contradictions: ReadonlySet<string>;
  /** the nodes without internal transactions */
  readonly withoutInternals: readonly string[];
};

/** The passes over verified blocks with waiting deposits. */
export type Retries = {
  /** the solid height at which the pass begins or continues */
  readonly dueAt: number;
  /** the number after which it continues */
  readonly after: number;
};

/**
 * The memory of the second reading between two steps. A step takes it and returns the next one; a step that fails leaves it as it was. Only
 * `answers` changes in place, because nodes answer between two steps. All of it may be lost.
 */
export type VerifyState = {
  readonly answers: AnswerCache;
  readonly standing: NodeStanding;
  /** the newest verified block; it is not stored while blocks have no effect */
  readonly upTo: ReadBlock | undefined;
  readonly retries: Retries;
  readonly reported: Reported;
  /** the id of the cursor's block at which no work was left */
  readonly settledAt: string | undefined;
};

/** The state without any knowledge: of a new watcher, after another one read in between, and after the scan was resumed. */
export function createVerifyState(): VerifyState {
  return {
    answers: createAnswerCache(),
    standing: { agreedHeights: new Map(), faults: new Map(), excluded: new Set(), contradictions: undefined },
    upTo: undefined,
    retries: { dueAt: 0, after: -1 },
    reported: { outvoted: new Map(), contradictions: new Set(), withoutInternals: [] },
    settledAt: undefined,
  };
}

/** The next step settles again after a rescan, although no block came. */
export function settledAgain(state: VerifyState): VerifyState {
  return { ...state, settledAt: undefined, retries: { ...state.retries, dueAt: 0 } };
}

/** The state without the heights above a fork. */
export function verifiedUpTo(state: VerifyState, height: number): VerifyState {
  const { standing, upTo } = state;
  const heights = [...standing.agreedHeights].map(
    ([node, agreed]) => [node, Math.min(agreed, height)] as const,
  );
  return {
    ...state,
    standing: { ...standing, agreedHeights: new Map(heights) },
    upTo: (upTo?.number ?? 0) > height ? undefined : upTo,
  };
}
