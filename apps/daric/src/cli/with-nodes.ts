import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import { findNetwork, type Network } from "@daric/chain/nodes/networks";
import type { ContractField } from "@daric/domain/asset";

/** The settings of commands that query nodes, beside the network. */
export const nodeSettings = ["chain.nodeUrls", "chain.solidityUrls", "chain.apiKey"] as const;

/** Each contract must be passed: without it a private chain would not have that token. */
type NodesConfig = Parameters<typeof findNetwork>[0] & {
  readonly [Field in ContractField]: string | undefined;
} & {
  readonly solidityUrls: readonly string[];
  readonly apiKey?: string | undefined;
};

type Chain = { readonly client: TronClient; readonly network: Network };

/**
 * Runs `work` with the configured nodes and closes the connections to them.
 *
 * @throws NodeError if the nodes of a devnet do not answer.
 */
export async function withNodes<T>(config: NodesConfig, work: (chain: Chain) => Promise<T>): Promise<T> {
  const chain = await openNodes(config);
  try {
    return await work(chain);
  } finally {
    await chain.client.close();
  }
}

/**
 * The configured nodes. The caller closes the connections to them.
 *
 * @throws NodeError if the nodes of a devnet do not answer.
 */
export async function openNodes(config: NodesConfig): Promise<Chain> {
  const { nodeUrls, solidityUrls, apiKey } = config;
  const network = await findNetwork(config);
  const client = createTronClient({
    nodes: nodeUrls.map((url, index) => ({ url, solidityUrl: solidityUrls[index] })),
    apiKey,
    genesisId: network.genesisId,
  });
  return { client, network };
}
