import type { Database } from "@daric/postgres/sql";
import type { NodeGroup } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
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
import { createBlockReader } from "./read-blocks.ts";

/** How many blocks and addresses are drawn, and from which seed: the same seed draws the same of the same books. */
export type Depth = { readonly blocks: number; readonly addresses: number; readonly seed: number };

/** What the nodes said of what was drawn. */
export type DeepReport = {
  readonly blocks: number;
  readonly addresses: number;
  readonly breakages: readonly Breakage[];
  /** what some nodes tell otherwise than enough others, which says nothing of our books */
  readonly differences: readonly string[];
  readonly unanswered: readonly string[];
};

/**
 * Holds what the nodes say against the books: random final blocks of ours, half of them with payments to us, from every
 * configured node, judged as a deposit is verified, by what `needed` of them tell alike; and what each says lies on random addresses
 * that were paid. Reads only, beside a service that runs.
 */
export async function examineDeeply(
  db: Database,
  chain: { client: Pick<NodeGroup, "nodes">; network: Network; needed: number; listen?: PartListener },
  depth: Depth,
): Promise<DeepReport> {
  const { network, needed, listen = () => {} } = chain;
  const { nodes } = chain.client;
  const walk = partByPart(listen);
  const { blocks, booked } = await drawQuestion(db, { network, walk }, depth);
  const reader = createBlockReader(db, { nodes, network });
  const told = await walk("blocks as the nodes tell them", blocks, async (block) => [
    await reader.read(block),
  ]);
  const ofBlocks = compareBlocks({ told, booked, needed });
  const drawn = await drawCharges(db, { network, walk }, depth);
  const ofAddresses = await walk("balances as the nodes tell them", [drawn], async (charges) => [
    await compareBalances(db, { nodes, network }, charges),
  ]);
  const all = [ofBlocks, ...ofAddresses];
  return {
    blocks: ofBlocks.compared,
    addresses: ofAddresses.reduce((sum, { compared }) => sum + compared, 0),
    breakages: all.flatMap(({ breakages }) => breakages),
    differences: all.flatMap(({ differences }) => differences),
    unanswered: [...reader.leftOut(), ...all.flatMap(({ unanswered }) => unanswered)],
  };
}

/** Where to draw from. */
type Urn = { readonly network: Network; readonly walk: PartWalk };

async function drawQuestion(db: Database, { network, walk }: Urn, { blocks: count, seed }: Depth) {
  const range = await findFinalRange(db, network.name);
  if (range === undefined) return { blocks: [], booked: [] };
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
  return { blocks, booked };
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
