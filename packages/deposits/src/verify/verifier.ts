import type { IndexGuard } from "@daric/addresses/index-guard";
import type { OwnerFinder } from "@daric/addresses/owner-finder";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import type { Lease } from "@daric/runtime/lease";

/** The parts that read blocks again. They write nothing. */
export type Reader = {
  readonly client: NodeGroup;
  readonly network: Network;
  /** spares look-ups of addresses; without it each is looked up */
  readonly owners?: OwnerFinder;
};

/** The parts that verify blocks, and write the result. None of them is state. */
export type Verifier = Reader & {
  readonly owners: OwnerFinder;
  readonly lease: Lease;
  /** refuses to read while an address of ours may be unwatched */
  readonly guard: Pick<IndexGuard, "require">;
  /** called after each transaction that may have written an event */
  readonly afterCommit: () => void;
};
