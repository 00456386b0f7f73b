import { setTimeout as sleep } from "node:timers/promises";
import { NodeError, WrongChainError } from "../blocks/node-error.ts";
import type { TronClient, TronNode } from "./chain-reader.ts";
import type { Network } from "./networks.ts";

/** Minor units of USDT per token are 10^6 on every TRON network; with another count every amount would be wrong. */
const USDT_DECIMALS = 6;

/** Of a false answer of a moment there is no second one after this long. */
const DEFAULT_PAUSE_MS = 1_000;

/** What a start learns of the nodes: who cannot be used yet and who shows no solid blocks, each with the reason. */
export type Verification = { readonly unusable: NodeError[]; readonly withoutSolidBlocks: string[] };

/**
 * Asks every node whether it is of this network, by its block 0 and the decimals of the USDT contract, and for a solid
 * block. One that cannot be asked, or has no USDT contract because it is still reading the chain, is not a wrong one, and
 * one that shows no solid blocks may be restarting: all are answered.
 *
 * @throws WrongChainError when a node says twice, `pauseMs` (1 s) apart, that it is of another network.
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
  const decimals = await node.getTokenDecimals(network.usdtContract);
  if (decimals === USDT_DECIMALS) return;
  if (decimals === undefined) {
    const message = `has no contract at ${network.usdtContract} yet`;
    throw new NodeError(message, { fault: "behind", node: node.label });
  }
  throw new WrongChainError(
    node.label,
    `has a token of ${decimals} decimals at ${network.usdtContract}, not USDT`,
  );
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
