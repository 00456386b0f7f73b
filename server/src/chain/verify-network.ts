import type { TronClient, TronNode } from "./chain-reader.ts";
import type { Network } from "./networks.ts";
import { NodeError, WrongChainError } from "./node-error.ts";

/** Minor units of USDT per token are 10^6 on every TRON network; with another count every amount would be wrong. */
const USDT_DECIMALS = 6;

/** What a start learns of the nodes: labels of those that cannot be asked, and who shows no solid blocks and why. */
export type Verification = { readonly unreachable: string[]; readonly withoutSolidBlocks: string[] };

/**
 * Asks every node whether it is of this network, by its block 0 and the decimals of the USDT contract, and for a solid
 * block. Throws a WrongChainError when a node is of another network. One that cannot be asked is not a wrong one, and one
 * that shows no solid blocks may be restarting: both are answered.
 */
export async function verifyNetwork(client: TronClient, network: Network): Promise<Verification> {
  const outcomes = await Promise.all(client.nodes.map((node) => verifyNode(node, network)));
  return {
    unreachable: outcomes.flatMap(({ unreachable }) => unreachable ?? []),
    withoutSolidBlocks: outcomes.flatMap(({ withoutSolidBlocks }) => withoutSolidBlocks ?? []),
  };
}

type Outcome = { readonly unreachable?: string; readonly withoutSolidBlocks?: string };

async function verifyNode(node: TronNode, network: Network): Promise<Outcome> {
  const failure = await failureOf(requireSameNetwork(node, network));
  if (failure !== undefined) return { unreachable: node.label };
  const solidFailure = await failureOf(node.getSolidBlock());
  return solidFailure === undefined ? {} : { withoutSolidBlocks: solidFailure.message };
}

async function requireSameNetwork(node: TronNode, network: Network): Promise<void> {
  const genesisId = await node.getGenesisId();
  if (genesisId !== network.genesisId) {
    throw new WrongChainError(node.label, `is not a node of ${network.name}: its block 0 is ${genesisId}`);
  }
  const decimals = await node.getTokenDecimals(network.usdtContract);
  if (decimals === USDT_DECIMALS) return;
  const found = decimals === undefined ? "no contract" : `a token of ${decimals} decimals`;
  throw new WrongChainError(node.label, `has ${found} at ${network.usdtContract}, not USDT`);
}

/** The failure of a node, but not that it is the wrong one. */
async function failureOf(asking: Promise<unknown>): Promise<NodeError | undefined> {
  try {
    await asking;
    return undefined;
  } catch (error) {
    if (error instanceof NodeError && !(error instanceof WrongChainError)) return error;
    throw error;
  }
}
