import type { TronClient, TronNode } from "./chain-reader.ts";
import type { Network } from "./networks.ts";
import { NodeError, WrongChainError } from "./node-error.ts";

/** Minor units of USDT per token are 10^6 on every TRON network; with another count every amount would be wrong. */
const USDT_DECIMALS = 6;

/**
 * Asks every node whether it is of this network: its block 0 and the decimals of the USDT contract. Throws a
 * WrongChainError when any answer differs. Nodes that cannot be asked are returned by their label: an unreachable
 * node is not a wrong one.
 */
export async function verifyNetwork(
  client: TronClient,
  network: Network,
): Promise<{ unreachable: string[] }> {
  const outcomes = await Promise.all(client.nodes.map((node) => verifyNode(node, network)));
  return { unreachable: outcomes.filter((label) => label !== undefined) };
}

async function verifyNode(node: TronNode, network: Network): Promise<string | undefined> {
  try {
    const genesisId = await node.getGenesisId();
    if (genesisId !== network.genesisId) {
      throw new WrongChainError(node.label, `is not a node of ${network.name}: its block 0 is ${genesisId}`);
    }
    const decimals = await node.getTokenDecimals(network.usdtContract);
    if (decimals === USDT_DECIMALS) return undefined;
    const found = decimals === undefined ? "no contract" : `a token of ${decimals} decimals`;
    throw new WrongChainError(node.label, `has ${found} at ${network.usdtContract}, not USDT`);
  } catch (error) {
    if (error instanceof NodeError && !(error instanceof WrongChainError)) return node.label;
    throw error;
  }
}
