import type { IndexGuard } from "../../addresses/index-guard.ts";
import type { OwnerFinder } from "../../addresses/owner-finder.ts";
import type { NodeGroup } from "../../chain/chain-reader.ts";
import type { Network } from "../../chain/networks.ts";
import type { Lease } from "../../runtime/lease.ts";
import type { Cursor } from "../block-store.ts";
import type { UnreadBlock } from "../unread-block.ts";
import type { VerifyMemory } from "./memory.ts";

/** What reads the chain: the node or nodes, which network they must be of, the right to write for now, and what was said. */
export type Scanner = {
  readonly client: NodeGroup;
  readonly network: Network;
  readonly lease: Lease;
  /** What no block is read without: every address that was given to somebody is watched. */
  readonly guard: Pick<IndexGuard, "require">;
  /** Whose the addresses of a block are. Kept from step to step. */
  readonly owners: OwnerFinder;
  /**
   * Since when the nodes have not shown what is above our cursor (monotonic ms), and whether that was said. Kept from
   * step to step: it is said once, and only of a lag that lasts.
   */
  readonly lag: { sinceMs?: number | undefined; isSaid: boolean };
  /** The block that reading stands at. Kept from step to step too. */
  readonly unread: UnreadBlock;
  /** The forks met since this block was the newest solid one. Kept from step to step too. */
  readonly forks: { solidNumber: number; count: number };
  /** What is known of solid blocks that are read a second time. Kept from step to step too. */
  readonly verifying: VerifyMemory;
  /** Kept from step to step too: a look that finds no new block costs no transaction. */
  readonly memory: LastStep;
  /** Called after each transaction that may have announced something. */
  readonly onCommit: () => void;
};

/**
 * What this process knows of its own last steps. Only `cursor` is forgotten when a step fails or another holder was between, and
 * `clearing` when another was between or the scan was resumed: all else is a fact of this process, or is looked at again in time.
 */
export type LastStep = {
  /** the cursor, where the step of this epoch left it */
  cursor?: (Cursor & { readonly epoch: bigint }) | undefined;
  /** the lease under which the last step began */
  epoch?: bigint;
  /** the head that was seen last, when by the monotonic clock, and since when it is the newest */
  head?: {
    readonly number: number;
    readonly timeMs: number;
    readonly seenMs: number;
    readonly sinceMs: number;
  };
  /** the block of the cursor at which solidity had nothing more to settle */
  settledAt?: string | undefined;
};
