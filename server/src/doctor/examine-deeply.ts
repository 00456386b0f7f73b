import type { Database } from "@daric/postgres/sql";
import type { TronClient } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import { compareBalances } from "./compare-balances.ts";
import { compareBlocks, type NodeComparison } from "./compare-blocks.ts";
import {
  type BookedTransfer,
  drawBlocks,
  drawPaidCharges,
  findFinalRange,
  listBookedTransfers,
} from "./deep-store.ts";
import { drawNumbers } from "./draw.ts";
import { listScopes } from "./examine.ts";
import type { Breakage } from "./invariant.ts";

/** How many blocks and addresses are drawn, and from which seed: the same seed draws the same of the same books. */
export type Depth = { readonly blocks: number; readonly addresses: number; readonly seed: number };

/** What the nodes said of what was drawn. */
export type DeepReport = {
  readonly blocks: number;
  readonly addresses: number;
  readonly breakages: readonly Breakage[];
  readonly unanswered: readonly string[];
};

/**
 * Holds what the nodes say against the books: random final blocks of ours, half of them with payments to us, from every
 * configured node; and what each says lies on random addresses that were paid. Reads only, beside a service that runs.
 */
export async function examineDeeply(
  db: Database,
  chain: { client: TronClient; network: Network },
  depth: Depth,
): Promise<DeepReport> {
  const { client, network } = chain;
  const question = await drawQuestion(db, network, depth);
  const ofBlocks: NodeComparison[] = [];
  for (const node of client.nodes) ofBlocks.push(await compareBlocks(db, node, question));
  const { nodes } = client;
  const charges = await drawCharges(db, network, depth);
  const ofAddresses = await compareBalances(db, { nodes, network }, charges);
  const all = [...ofBlocks, ofAddresses];
  return {
    blocks: ofBlocks.reduce((sum, { compared }) => sum + compared, 0),
    addresses: ofAddresses.compared,
    breakages: all.flatMap(({ breakages }) => breakages),
    unanswered: all.flatMap(({ unanswered }) => unanswered),
  };
}

async function drawQuestion(db: Database, network: Network, { blocks: count, seed }: Depth) {
  const { usdtContractHex } = network;
  const range = await findFinalRange(db, network.name);
  if (range === undefined) return { blocks: [], booked: [], usdtContractHex };
  const paid = Math.ceil(count / 2);
  const numbers = drawNumbers(seed, { from: range.first, to: range.solid, count: count - paid });
  const blocks = await drawBlocks(db, { network: network.name, solid: range.solid, numbers, paid, seed });
  const blockIds = blocks.map(({ id }) => id);
  const booked: BookedTransfer[] = [];
  for (const scope of await listScopes(db, network.name)) {
    booked.push(...(await listBookedTransfers(db, { ...scope, blockIds })));
  }
  return { blocks, booked, usdtContractHex };
}

async function drawCharges(db: Database, network: Network, { addresses: limit, seed }: Depth) {
  const scopes = await listScopes(db, network.name);
  const drawn = await Promise.all(scopes.map((scope) => drawPaidCharges(db, { ...scope, seed, limit })));
  return drawn
    .flat()
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, limit);
}
