import { setTimeout as sleep } from "node:timers/promises";
import { assets } from "@daric/domain/asset";
import { NodeError, WrongChainError } from "../blocks/node-error.ts";
import type { TronClient, TronNode } from "./chain-reader.ts";
import type { Network } from "./networks.ts";

/** All amounts assume 10^6 minor units per unit of a coin. */

const DEFAULT_PAUSE_MS = 1_000;

export type Verification = { readonly unusable: NodeError[]; readonly withoutSolidBlocks: string[] };

/**
 * Checks each node's block 0, token contracts and solid block. A node without a token contract may be syncing: it is unusable for
 * now. @throws WrongChainError if a node answers twice, `pauseMs` apart, for another network.
 */
export async function verifyNetwork(
  client: TronClient,
  network: Network,
  { pauseMs = DEFAULT_PAUSE_MS }: { pauseMs?: number } = {},
): Promise<Verification> {
  const outcomes = await Promise.all(client.nodes.map((node) => verifyNode(node, network, pauseMs)));
  return {
    unusable: outcomes.flatMap(({ unusable }) => unusable ?? []),
    withoutSolidBlocks: outcomes.flatMap(({ withoutSolidBlocks }) => withoutSolidBlocks ?? []),
  };
}

type Outcome = { readonly unusable?: NodeError; readonly withoutSolidBlocks?: string };

async function verifyNode(node: TronNode, network: Network, pauseMs: number): Promise<Outcome> {
  const first = await failureOf(requireSameNetwork(node, network));
  const isRetryable = first instanceof WrongChainError;
  if (isRetryable) await sleep(pauseMs);
  const failure = isRetryable ? await failureOf(requireSameNetwork(node, network)) : first;
  if (failure instanceof WrongChainError) throw failure;
  if (failure !== undefined) return { unusable: failure };
  const solidFailure = await failureOf(node.getSolidBlock());
  return solidFailure === undefined ? {} : { withoutSolidBlocks: solidFailure.message };
}

async function requireSameNetwork(node: TronNode, network: Network): Promise<void> {
  const genesisId = await node.getGenesisId();
  if (genesisId !== network.genesisId) {
    throw new WrongChainError(node.label, `is not a node of ${network.name}: its block 0 is ${genesisId}`);
  }
  for (const { currency, contract } of network.tokens) {
    const decimals = await node.getTokenDecimals(contract);
    if (decimals === assets[currency].decimals) continue;
    if (decimals === undefined)
      throw new NodeError(`has no contract at ${contract} yet`, { fault: "behind", node: node.label });
    throw new WrongChainError(
      node.label,
      `has a token of ${decimals} decimals at ${contract}, not ${currency}`,
    );
  }
}

async function failureOf(pending: Promise<unknown>): Promise<NodeError | undefined> {
  try {
    await pending;
    return undefined;
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
}
