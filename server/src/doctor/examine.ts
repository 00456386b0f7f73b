import type { Database, Queryable, Transaction } from "@daric/postgres/sql";
import type { MerchantId } from "../domain/ids.ts";
import {
  countChargesOf,
  countOwnedAddresses,
  findDirectoryBreakages,
  findUnwatched,
  listChargedMerchants,
} from "./address-check-store.ts";
import { openSnapshot } from "./breakage-store.ts";
import { type BucketCount, unequalBuckets } from "./bucket.ts";
import { countTransfersOfBlocks, findChainBreakages, listTransfersOfBlocks } from "./chain-check-store.ts";
import {
  type CheckScope,
  countDeposits,
  countTransfersOfDeposits,
  type DepositScope,
  findDepositBreakages,
  listTransfersOfDeposits,
} from "./deposit-check-store.ts";
import { findHistoryBreakages } from "./history-check-store.ts";
import { DEPOSITS_AT_ONCE, idRangesFor } from "./id-range.ts";
import { type Breakage, type Diagnosis, diagnosesOf, MAX_SAMPLES } from "./invariant.ts";
import { findMiscounted, listChargeRanges } from "./sum-check-store.ts";

const MERCHANTS_AT_ONCE = 200;

/**
 * Holds the books of a network against all invariants, in one read-only snapshot beside a service that runs: nothing is
 * locked and nothing written. Merchant by merchant, 200 at a time, and of many deposits by ranges of their ids, so that each
 * statement takes seconds; each reads its tables once, in the order of their keys where it can.
 */
export async function examineBooks(db: Database, network: string): Promise<Diagnosis[]> {
  return db.transaction(async (tx) => {
    await openSnapshot(tx);
    const lists = await listScopes(tx, network);
    const ranges = await listRanges(tx, lists);
    return diagnosesOf([
      ...(await findChainBreakages(tx, network)),
      ...(await findDirectoryBreakages(tx, network)),
      ...(await findInEach(tx, ranges, findBookBreakages)),
      ...(await findInEach(tx, lists, findSumBreakages)),
      ...(await compareTransfers(tx, network, { lists, ranges })),
      ...(await compareAddresses(tx, lists)),
    ]);
  });
}

/** Everybody who ever had a charge, in lists that one statement can be about. */
export async function listScopes(db: Queryable, network: string): Promise<CheckScope[]> {
  const scopes: CheckScope[] = [];
  let after: MerchantId | undefined;
  for (;;) {
    const merchantIds = await listChargedMerchants(db, { after, limit: MERCHANTS_AT_ONCE });
    if (merchantIds.length === 0) return scopes;
    scopes.push({ network, merchantIds });
    after = merchantIds.at(-1);
  }
}

/** The ranges of some merchants' deposits that a statement can be about. */
async function listRanges(tx: Transaction, scopes: readonly CheckScope[]): Promise<DepositScope[]> {
  return findInEach(tx, scopes, async (_, scope) =>
    idRangesFor(await countDeposits(tx, scope)).map((ids) => ({ ...scope, ids })),
  );
}

/** What is wrong with a range of some merchants' deposits. */
async function findBookBreakages(tx: Transaction, scope: DepositScope): Promise<Breakage[]> {
  return [...(await findDepositBreakages(tx, scope)), ...(await findHistoryBreakages(tx, scope))];
}

/** What is wrong with the sums that are kept of some merchants' charges, by ranges of these. */
async function findSumBreakages(tx: Transaction, scope: CheckScope): Promise<Breakage[]> {
  const found: Breakage[] = [];
  for (const range of await listChargeRanges(tx, scope, DEPOSITS_AT_ONCE))
    found.push(...(await findMiscounted(tx, scope, range)));
  return found;
}

async function findInEach<Scope, Found>(
  tx: Transaction,
  scopes: readonly Scope[],
  find: (tx: Transaction, scope: Scope) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const scope of scopes) found.push(...(await find(tx, scope)));
  return found;
}

/** Whether our blocks hold as many transfers to us as there are deposits in them. Only where not, block by block. */
async function compareTransfers(
  tx: Transaction,
  network: string,
  { lists, ranges }: { lists: readonly CheckScope[]; ranges: readonly DepositScope[] },
): Promise<Breakage[]> {
  const credited: BucketCount[] = await findInEach(tx, ranges, countTransfersOfDeposits);
  const buckets = unequalBuckets(await countTransfersOfBlocks(tx, network), credited);
  if (buckets.length === 0) return [];
  const left = new Map<string, { number: bigint; transfers: bigint; deposits: bigint }>();
  for (const { id, number, transfers } of await listTransfersOfBlocks(tx, { network, buckets })) {
    left.set(id, { number, transfers, deposits: 0n });
  }
  const list = (_: Transaction, scope: CheckScope) => listTransfersOfDeposits(tx, { ...scope, buckets });
  for (const { id, number, transfers: deposits } of await findInEach(tx, lists, list)) {
    const known = left.get(id) ?? { number, transfers: 0n, deposits: 0n };
    left.set(id, { ...known, deposits: known.deposits + deposits });
  }
  const unequal = [...left.values()].filter(({ transfers, deposits }) => transfers !== deposits);
  const samples = unequal
    .slice(0, MAX_SAMPLES)
    .map(({ number, transfers, deposits }) => `${number} (${transfers} read, ${deposits} credited)`);
  return [
    {
      invariant: "I1",
      what: "block whose transfers to us are not the deposits in it",
      count: unequal.length,
      samples,
    },
  ];
}

/** Whether every charge has its address in the directory. Only where not, charge by charge. */
async function compareAddresses(tx: Transaction, scopes: readonly CheckScope[]): Promise<Breakage[]> {
  const counts = await findInEach(tx, scopes, async (_, scope) => [await countChargesOf(tx, scope)]);
  const charges = counts.reduce((sum, count) => sum + count, 0n);
  return charges === (await countOwnedAddresses(tx)) ? [] : findInEach(tx, scopes, findUnwatched);
}
