import type { Database } from "@daric/postgres/sql";
import type { TronClient } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import { listBlockRanges } from "./chain-check-store.ts";
import { compareBalances } from "./compare-balances.ts";
import { compareBlocks } from "./compare-blocks.ts";
import {
  drawPaidCharges,
  drawPaidHeights,
  findFinalRange,
  listBookedTransfers,
  listFinalBlocks,
  type PaidCharge,
} from "./deep-store.ts";
import { drawNumbers } from "./draw.ts";
import { listScopes, rangesOf } from "./examine.ts";
import type { Breakage } from "./invariant.ts";
import { listChargeRanges } from "./list-charge-ranges.ts";
import { type PartListener, type PartWalk, partByPart } from "./part-by-part.ts";

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
  chain: { client: TronClient; network: Network; listen?: PartListener },
  depth: Depth,
): Promise<DeepReport> {
  const { network, listen = () => {} } = chain;
  const { nodes } = chain.client;
  const walk = partByPart(listen);
  const question = await drawQuestion(db, { network, walk }, depth);
  const ofBlocks = await walk("blocks as each node tells them", nodes, async (node) => [
    await compareBlocks(db, node, question),
  ]);
  const drawn = await drawCharges(db, { network, walk }, depth);
  const ofAddresses = await walk("balances as the nodes tell them", [drawn], async (charges) => [
    await compareBalances(db, { nodes, network }, charges),
  ]);
  const all = [...ofBlocks, ...ofAddresses];
  return {
    blocks: ofBlocks.reduce((sum, { compared }) => sum + compared, 0),
    addresses: ofAddresses.reduce((sum, { compared }) => sum + compared, 0),
    breakages: all.flatMap(({ breakages }) => breakages),
    unanswered: all.flatMap(({ unanswered }) => unanswered),
  };
}

/** Where to draw from. */
type Urn = { readonly network: Network; readonly walk: PartWalk };

async function drawQuestion(db: Database, { network, walk }: Urn, { blocks: count, seed }: Depth) {
  const { usdtContractHex } = network;
  const range = await findFinalRange(db, network.name);
  if (range === undefined) return { blocks: [], booked: [], usdtContractHex };
  const paid = Math.ceil(count / 2);
  const numbers = drawNumbers(seed, { from: range.first, to: range.solid, count: count - paid });
  const drawn = firstOf(
    paid,
    await walk("blocks to draw from", await listBlockRanges(db, network.name), (blocks) =>
      drawPaidHeights(db, { ...blocks, to: lower(blocks.to, BigInt(range.solid)) }, { seed, limit: paid }),
    ),
  );
  numbers.push(...drawn.map(({ number }) => number));
  const blocks = await listFinalBlocks(db, { network: network.name, solid: range.solid, numbers });
  const blockIds = blocks.map(({ id }) => id);
  const parts = (await listScopes(db, network.name)).flatMap(rangesOf);
  const booked = await walk("deposits in the blocks drawn", parts, (part) =>
    listBookedTransfers(db, { ...part, blockIds }),
  );
  return { blocks, booked, usdtContractHex };
}

async function drawCharges(db: Database, { network, walk }: Urn, { addresses: limit, seed }: Depth) {
  const scopes = await listScopes(db, network.name);
  const drawn = await walk("addresses to draw from", scopes, async (scope) => {
    const drawnHere: PaidCharge[] = [];
    for (const range of await listChargeRanges(db, scope))
      drawnHere.push(...(await drawPaidCharges(db, { ...scope, ...range }, { seed, limit })));
    return drawnHere;
  });
  return firstOf(limit, drawn);
}

function firstOf<Drawn extends { readonly place: bigint }>(limit: number, drawn: readonly Drawn[]): Drawn[] {
  return drawn.toSorted((a, b) => (a.place < b.place ? -1 : 1)).slice(0, limit);
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
