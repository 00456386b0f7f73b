import { createHash } from "node:crypto";
import type { Network } from "@daric/chain/nodes/networks";
import { loadOverrides } from "@daric/deposits/accept-block";
import { readSample } from "@daric/deposits/rescan/read-sample";
import { createAnswerCache } from "@daric/deposits/verify/answer-cache";
import type { ReadingContext } from "@daric/deposits/verify/fetch-answers";
import type { Reader } from "@daric/deposits/verify/verifier";
import type { Database } from "@daric/postgres/sql";
import { listScopes, rangesOf } from "./audit.ts";
import { listBlockRanges } from "./chain-check-store.ts";
import { compareBalances } from "./compare-balances.ts";
import { compareBlocks } from "./compare-blocks.ts";
import {
  findFinalRange,
  listFinalBlocks,
  listStoredTransfers,
  type PaidCharge,
  samplePaidCharges,
  samplePaidHeights,
} from "./deep-store.ts";
import type { Violation } from "./invariant.ts";
import { listChargeRanges } from "./list-charge-ranges.ts";
import { type PartListener, type PartWalk, partByPart } from "./part-by-part.ts";

/**
 * The numbers of sampled blocks and addresses, and the seed. The same seed gives the same sample of the same
 * database.
 */
export type Depth = { readonly blocks: number; readonly addresses: number; readonly seed: number };

/** The result of the comparison with the nodes. */
export type DeepReport = {
  readonly blocks: number;
  readonly addresses: number;
  readonly violations: readonly Violation[];
  /** differences between the nodes, which say nothing about the database */
  readonly differences: readonly string[];
  readonly unanswered: readonly string[];
};

/**
 * Compares the nodes with the database. Random final blocks, half of them with payments, are read as a rescan
 * reads them, from every node, and `needed` equal answers prove a transfer. Random paid addresses are compared
 * by balance. Reads only, beside a running service.
 */
export async function auditDeeply(
  context: ReadingContext,
  chain: Reader & { readonly needed: number; readonly listen?: PartListener },
  depth: Depth,
): Promise<DeepReport> {
  const { db } = context;
  const { network, needed, listen = () => {} } = chain;
  const { nodes } = chain.client;
  const walk = partByPart(listen);
  const { blocks, storedTransfers } = await sampleBlocks(db, { network, walk }, depth);
  await loadOverrides(db, chain);
  const answers = createAnswerCache();
  const sampled = await walk("blocks of the nodes", blocks, async (stored) => [
    { stored, sample: await readSample(context, chain, { number: stored.number, answers }) },
  ]);
  const blockFaults = compareBlocks({ sampled, storedTransfers, needed });
  const charges = await sampleCharges(db, { network, walk }, depth);
  const addressFaults = await walk("balances of the nodes", [charges], async (list) => [
    await compareBalances(db, { nodes, network }, list),
  ]);
  const all = [blockFaults, ...addressFaults];
  return {
    blocks: blockFaults.compared,
    addresses: addressFaults.reduce((sum, { compared }) => sum + compared, 0),
    violations: all.flatMap(({ violations }) => violations),
    differences: all.flatMap(({ differences }) => differences),
    unanswered: all.flatMap(({ unanswered }) => unanswered),
  };
}

/** The context of the sampling. */
type SamplingContext = { readonly network: Network; readonly walk: PartWalk };

async function sampleBlocks(
  db: Database,
  { network, walk }: SamplingContext,
  { blocks: count, seed }: Depth,
) {
  const range = await findFinalRange(db, network.name);
  if (range === undefined) return { blocks: [], storedTransfers: [] };
  const { first, solid } = range;
  const paid = Math.ceil(count / 2);
  const numbers = sampleNumbers(seed, { from: first, to: solid, count: count - paid });
  const sampled = firstOf(
    paid,
    await walk("blocks to sample", await listBlockRanges(db, network.name), (blocks) =>
      samplePaidHeights(db, { ...blocks, to: lower(blocks.to, BigInt(solid)) }, { seed, limit: paid }),
    ),
  );
  numbers.push(...sampled.map(({ number }) => number));
  const blocks = await listFinalBlocks(db, { network: network.name, solid, numbers });
  const blockIds = blocks.map(({ id }) => id);
  const parts = (await listScopes(db, network.name)).flatMap(rangesOf);
  const storedTransfers = await walk("deposits in the sampled blocks", parts, (part) =>
    listStoredTransfers(db, { ...part, blockIds }),
  );
  return { blocks, storedTransfers };
}

async function sampleCharges(
  db: Database,
  { network, walk }: SamplingContext,
  { addresses: limit, seed }: Depth,
) {
  const scopes = await listScopes(db, network.name);
  const sampled = await walk("addresses to sample", scopes, async (scope) => {
    const sampledHere: PaidCharge[] = [];
    for (const range of await listChargeRanges(db, scope))
      sampledHere.push(...(await samplePaidCharges(db, { ...scope, ...range }, { seed, limit })));
    return sampledHere;
  });
  return firstOf(limit, sampled);
}

function firstOf<Sampled extends { readonly rank: bigint }>(
  limit: number,
  sampled: readonly Sampled[],
): Sampled[] {
  return sampled.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, limit);
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Heights of a range, both ends included, derived from the seed alone; some may be equal. */
function sampleNumbers(
  seed: number,
  { from, to, count }: { from: number; to: number; count: number },
): number[] {
  return Array.from({ length: count }, (_, index) => {
    const hash = createHash("sha256").update(`${seed}/${index}`).digest();
    return from + Number(hash.readBigUInt64BE() % BigInt(to - from + 1));
  });
}
