import type { ChainReader } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import type { Lease } from "../runtime/lease.ts";

/** What reads the chain: the node or nodes, which network they must be of, and the right to write for now. */
export type Scanner = {
  readonly client: ChainReader;
  readonly network: Network;
  readonly lease: Lease;
};
