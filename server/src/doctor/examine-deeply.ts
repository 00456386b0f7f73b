import type { Database } from "@daric/postgres/sql";
import type { TronClient } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import { listBlockRanges } from "./chain-check-store.ts";
import { compareBalances } from "./compare-balances.ts";
import { compareBlocks, type NodeComparison } from "./compare-blocks.ts";
import {
  drawPaidCharges,
  drawPaidHeights,
  findFinalRange,
  listBookedTransfers,
  listFinalBlocks,
} from "./deep-store.ts";
import { drawNumbers } from "./draw.ts";
import { listScopes, rangesOf } from "./examine.ts";
import type { Breakage } from "./invariant.ts";
import { listChargeRanges } from "./list-charge-ranges.ts";

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
  const drawn = firstOf(
    paid,
    await drawInEach(await listBlockRanges(db, network.name), (blocks) =>
      drawPaidHeights(db, { ...blocks, to: lower(blocks.to, BigInt(range.solid)) }, { seed, limit: paid }),
    ),
  );
  numbers.push(...drawn.map(({ number }) => number));
  const blocks = await listFinalBlocks(db, { network: network.name, solid: range.solid, numbers });
  const blockIds = blocks.map(({ id }) => id);
  const parts = (await listScopes(db, network.name)).flatMap(rangesOf);
  const booked = await drawInEach(parts, (part) => listBookedTransfers(db, { ...part, blockIds }));
  return { blocks, booked, usdtContractHex };
}

async function drawCharges(db: Database, network: Network, { addresses: limit, seed }: Depth) {
  const scopes = await listScopes(db, network.name);
  const drawn = await drawInEach(scopes, async (scope) =>
    drawInEach(await listChargeRanges(db, scope), (range) =>
      drawPaidCharges(db, { ...scope, ...range }, { seed, limit }),
    ),
  );
  return firstOf(limit, drawn);
}

async function drawInEach<Part, Found>(
  parts: readonly Part[],
  draw: (part: Part) => Promise<Found[]>,
): Promise<Found[]> {
  const drawn: Found[] = [];
  for (const part of parts) drawn.push(...(await draw(part)));
  return drawn;
}

function firstOf<Drawn extends { readonly place: bigint }>(limit: number, drawn: readonly Drawn[]): Drawn[] {
  return drawn.toSorted((a, b) => (a.place < b.place ? -1 : 1)).slice(0, limit);
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
