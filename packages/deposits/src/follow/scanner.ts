import type { RefundWatch } from "@daric/refunds/watch";
import type { Cursor } from "../block-store.ts";
import { createVerifyState, settledAgain, type VerifyState } from "../verify/state.ts";
import type { Verifier } from "../verify/verifier.ts";
import { createStalledBlock, type StalledBlock } from "./stalled-block.ts";

/** The parts that follow the chain. Only this folder changes `following`. */
export type Scanner = Verifier & {
  readonly following: FollowState;
  readonly refunds: RefundWatch;
  /** called after each transaction that wrote blocks, whose commit renewed the lease */
  readonly afterBlocks: () => void;
};

/** A watcher's state between steps. All of it may be lost. */
export type FollowState = {
  /** the result of the last second reading */
  verifying: VerifyState;
  /** the cursor after the last step of this epoch; undefined if it must be read from the database */
  cursor: (Cursor & { readonly epoch: bigint }) | undefined;
  epoch: bigint | undefined;
  head: SeenHead | undefined;
  readonly stalled: StalledBlock;
  /** since when the nodes lack blocks above our cursor (monotonic ms), and whether it was logged */
  readonly lag: { sinceMs: number | undefined; isLogged: boolean };
  /** the number of forks since this block was the newest verified one */
  readonly forks: { solidNumber: number; count: number };
};

/** The newest head, when it was last seen and when it first appeared, by the monotonic clock. */
export type SeenHead = {
  readonly number: number;
  readonly timeMs: number;
  readonly seenMs: number;
  readonly sinceMs: number;
};

export function createFollowState(context: Parameters<typeof createStalledBlock>[0]): FollowState {
  return {
    verifying: createVerifyState(),
    cursor: undefined,
    epoch: undefined,
    head: undefined,
    stalled: createStalledBlock(context),
    lag: { sinceMs: undefined, isLogged: false },
    forks: { solidNumber: 0, count: 0 },
  };
}

/** Makes the next step settle again after a rescan, although no block came. */
export function settleAgain({ following }: Pick<Scanner, "following">): void {
  following.verifying = settledAgain(following.verifying);
}
