import type { IndexGuard } from "../../addresses/index-guard.ts";
import type { OwnerFinder } from "../../addresses/owner-finder.ts";
import type { NodeGroup } from "../../chain/nodes/chain-reader.ts";
import type { Network } from "../../chain/nodes/networks.ts";
import type { Lease } from "../../runtime/lease.ts";
import type { VerifyState } from "./state.ts";

/** What blocks are verified with. Only `verifying` changes, and only this folder changes it. */
export type Verifier = {
  readonly client: NodeGroup;
  readonly network: Network;
  /** the right to write for now */
  readonly lease: Lease;
  /** No block is read while an address of ours may be unwatched. */
  readonly guard: Pick<IndexGuard, "require">;
  readonly owners: OwnerFinder;
  readonly verifying: VerifyState;
  /** Called after each transaction that may have written an event. */
  readonly afterCommit: () => void;
};
