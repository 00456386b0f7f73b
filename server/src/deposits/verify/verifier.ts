import type { IndexGuard } from "../../addresses/index-guard.ts";
import type { OwnerFinder } from "../../addresses/owner-finder.ts";
import type { NodeGroup } from "../../chain/nodes/chain-reader.ts";
import type { Network } from "../../chain/nodes/networks.ts";
import type { Lease } from "../../runtime/lease.ts";
import type { VerifyState } from "./state.ts";

/** The parts that verify blocks. Only this folder changes `verifying`. */
export type Verifier = {
  readonly client: NodeGroup;
  readonly network: Network;
  readonly lease: Lease;
  /** refuses to read while an address of ours may be unwatched */
  readonly guard: Pick<IndexGuard, "require">;
  readonly owners: OwnerFinder;
  readonly verifying: VerifyState;
  /** called after each transaction that may have written an event */
  readonly afterCommit: () => void;
};
