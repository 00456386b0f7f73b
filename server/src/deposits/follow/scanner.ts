import type { Cursor } from "../block-store.ts";
import type { Verifier } from "../verify/verifier.ts";
import { createStalledBlock, type StalledBlock } from "./stalled-block.ts";

/** What the chain is followed with. Only this folder changes `following`. */
export type Scanner = Verifier & { readonly following: FollowState };

/** What a watcher remembers from step to step; all of it may be forgotten. */
export type FollowState = {
  /** the cursor as the last step of this epoch left it; undefined where the database knows better */
  cursor: (Cursor & { readonly epoch: bigint }) | undefined;
  /** the lease under which the last step began */
  epoch: bigint | undefined;
  head: SeenHead | undefined;
  /** the block that reading stands at */
  readonly unread: StalledBlock;
  /** since when the nodes show nothing above our cursor (monotonic ms), and whether a log line said so */
  readonly lag: { sinceMs: number | undefined; isLogged: boolean };
  /** the forks met since this block was the newest verified one */
  readonly forks: { solidNumber: number; count: number };
};

/** The newest head: when it was seen last, and since when it is the newest, by the monotonic clock. */
export type SeenHead = {
  readonly number: number;
  readonly timeMs: number;
  readonly seenMs: number;
  readonly sinceMs: number;
};

export function createFollowState(context: Parameters<typeof createStalledBlock>[0]): FollowState {
  return {
    cursor: undefined,
    epoch: undefined,
    head: undefined,
    unread: createStalledBlock(context),
    lag: { sinceMs: undefined, isLogged: false },
    forks: { solidNumber: 0, count: 0 },
  };
}
