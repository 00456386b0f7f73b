import type { NodeGroup } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import type { Lease } from "../runtime/lease.ts";

/** What reads the chain: the node or nodes, which network they must be of, the right to write for now, and what was said. */
export type Scanner = {
  readonly client: NodeGroup;
  readonly network: Network;
  readonly lease: Lease;
  /** Whether it was said that the node lags and it has not caught up since. Kept from step to step: it is said once. */
  readonly lag: { isSaid: boolean };
  /** The forks met since this block was the newest proven solid. Kept from step to step too. */
  readonly forks: { solidNumber: number; count: number };
};
