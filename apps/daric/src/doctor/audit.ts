import { findJournalFaults } from "@daric/books/journal/check-journal";
import type { MerchantId } from "@daric/domain/ids";
import type { Database, Queryable, Transaction } from "@daric/postgres/sql";
import { maxTenants } from "@daric/postgres/tenants";
import { findDepositBookViolations } from "./audit-deposits.ts";
import { findDirectoryViolations } from "./audit-directory.ts";
import { findRefundViolations } from "./audit-refunds.ts";
import { BucketBalance } from "./bucket.ts";
import {
  type BlockRange,
  countTransfersOfBlocks,
  findChainViolations,
  findCursorViolations,
  listBlockRanges,
  listTransfersOfBlocks,
} from "./chain-check-store.ts";
import { listChargedMerchants, sizeLists } from "./charge-check-store.ts";
import {
  type CheckScope,
  countTransfersOfDeposits,
  type DepositScope,
  listTransfersOfDeposits,
} from "./deposit-check-store.ts";
import { cutBehind, DEPOSITS_AT_ONCE, idRangesFor } from "./id-range.ts";
import { type Diagnosis, diagnosesOf, MAX_SAMPLES, type Violation, violationOf } from "./invariant.ts";
import { addEntries, findLedgerViolations, findWrongTotals, type TotalSums } from "./ledger-check-store.ts";
import { listChargeRanges, type SizedScope } from "./list-charge-ranges.ts";
import { type PartListener, type PartWalk, partByPart } from "./part-by-part.ts";
import { findMiscounted } from "./sum-check-store.ts";
import { findRepeatedOfDeployment, findRepeatedOfMerchants } from "./unique-check-store.ts";
import { openSnapshot } from "./violation-store.ts";

type AuditOptions = {
  readonly listen?: PartListener;
  /** without it, codes of refunds are not compared */
  readonly integrityKey?: Buffer | undefined;
};

/**
 * Checks a network's database against all invariants, in one read-only snapshot beside a running service,
 * without locks. Merchants are read in lists with 50,000 deposits together, a larger one by ranges of ids,
 * and the rest part by part. So no statement and no list in memory grows with the deployment. `listen` is
 * called for each part.
 */
export async function auditDatabase(
  db: Database,
  network: string,
  { listen = () => {}, integrityKey }: AuditOptions = {},
): Promise<Diagnosis[]> {
  return db.transaction(async (tx) => {
    await openSnapshot(tx);
    const lists = await listScopes(tx, network);
    const walk = partByPart(listen);
    const ranges = await walk("charges", lists, (list) => listRanges(tx, list));
    const blocks = await listBlockRanges(tx, network);
    return diagnosesOf([
      ...(await walk("blocks", blocks, (range) => findChainViolations(tx, range))),
      ...(await findCursorViolations(tx, network)),
      ...(await findDirectoryViolations(tx, { network, lists }, walk)),
      ...(await walk("deposits", ranges, (scope) => findDepositBookViolations(tx, scope))),
      ...(await walk("sums of charges", lists, (scope) => findSumViolations(tx, scope))),
      ...(await walk("ledger", lists, (scope) => auditLedger(tx, scope))),
      ...(await walk("journal", lists, (scope) => auditJournals(tx, scope))),
      ...(await walk("refunds", lists, (scope) => auditRefunds(tx, scope, integrityKey))),
      ...(await walk("uniqueness", lists, ({ merchantIds }) => findRepeatedOfMerchants(tx, merchantIds))),
      ...(await findRepeatedOfDeployment(tx)),
      ...(await compareTransfers(tx, { network, lists, ranges, blocks }, walk)),
    ]);
  });
}

/** All merchants with charges, in lists for one statement each. */
export async function listScopes(db: Queryable, network: string): Promise<SizedScope[]> {
  const scopes: SizedScope[] = [];
  let after: MerchantId | undefined;
  for (;;) {
    const merchants = await listChargedMerchants(db, { after, limit: maxTenants() });
    if (merchants.length === 0) return scopes;
    const sizes = await sizeLists(db, merchants);
    let open: { merchantIds: MerchantId[]; size: bigint } = { merchantIds: [], size: 0n };
    for (const id of merchants) {
      const size = sizes.get(id) ?? 0n;
      if (open.merchantIds.length > 0 && open.size + size > DEPOSITS_AT_ONCE) {
        scopes.push({ network, ...open });
        open = { merchantIds: [], size: 0n };
      }
      open = { merchantIds: [...open.merchantIds, id], size: open.size + size };
    }
    scopes.push({ network, ...open });
    after = merchants.at(-1);
  }
}

/** The ranges of deposits of such a list for one statement each. */
export function rangesOf({ size, ...scope }: SizedScope): DepositScope[] {
  return idRangesFor(size).map((ids) => ({ ...scope, ids }));
}

/**
 * Ranges with few deposits and few charges for one statement. Ids of charges begin with a time and cluster,
 * so many charges have ranges of their own.
 */
async function listRanges(tx: Transaction, { size, ...scope }: SizedScope): Promise<DepositScope[]> {
  const charges = await listChargeRanges(tx, { ...scope, size });
  const ends = charges.map(({ upTo }) => upTo);
  return cutBehind(ends, idRangesFor(size)).map((ids) => ({ ...scope, ids }));
}

/** Violations in the stored sums of charges, by ranges. */
async function findSumViolations(tx: Transaction, scope: SizedScope): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const range of await listChargeRanges(tx, scope))
    found.push(...(await findMiscounted(tx, scope, range)));
  return found;
}

/** Violations in the refunds of some merchants, by ranges of charges. */
async function auditRefunds(
  tx: Transaction,
  scope: SizedScope,
  integrityKey: Buffer | undefined,
): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const range of await listChargeRanges(tx, scope))
    found.push(...(await findRefundViolations(tx, { ...scope, ...range }, integrityKey)));
  return found;
}

/** The parts of an audit. */
type Parts = {
  readonly network: string;
  readonly lists: readonly CheckScope[];
  readonly ranges: readonly DepositScope[];
  readonly blocks: readonly BlockRange[];
};

/**
 * Compares the number of transfers to us in our blocks with the number of deposits. Single blocks are compared only
 * if these differ.
 */
async function compareTransfers(
  tx: Transaction,
  { network, lists, ranges, blocks }: Parts,
  walk: PartWalk,
): Promise<Violation[]> {
  const balance = new BucketBalance();
  await walk("transfers credited", ranges, async (scope) => {
    balance.add(await countTransfersOfDeposits(tx, scope), 1n);
    return [];
  });
  await walk("transfers read", blocks, async (range) => {
    balance.add(await countTransfersOfBlocks(tx, range), -1n);
    return [];
  });
  const buckets = balance.unequal();
  if (buckets.length === 0) return [];
  const left = new Map<string, { number: bigint; transfers: bigint; deposits: bigint }>();
  for (const { id, number, transfers } of await listTransfersOfBlocks(tx, { network, buckets })) {
    left.set(id, { number, transfers, deposits: 0n });
  }
  const list = (scope: CheckScope) => listTransfersOfDeposits(tx, { ...scope, buckets });
  for (const { id, number, transfers: deposits } of await walk("transfers, block by block", lists, list)) {
    const known = left.get(id) ?? { number, transfers: 0n, deposits: 0n };
    left.set(id, { ...known, deposits: known.deposits + deposits });
  }
  const unequal = [...left.values()]
    .filter(({ transfers, deposits }) => transfers !== deposits)
    .sort((left, right) => Number(left.number - right.number));
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

/** Violations in the journals of some merchants. */
async function auditJournals(tx: Transaction, { merchantIds }: SizedScope): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const id of merchantIds)
    for (const { what, of } of await findJournalFaults(tx, id)) found.push(violationOf("I28", what, of));
  return found;
}

/** Compares the balances of some merchants with their entries and deposits, by ranges of charges. */
async function auditLedger(tx: Transaction, scope: SizedScope): Promise<Violation[]> {
  const found: Violation[] = [];
  const sums: TotalSums = new Map();
  for (const range of await listChargeRanges(tx, scope)) {
    found.push(...(await findLedgerViolations(tx, scope, range)));
    await addEntries(tx, sums, { ...scope, ...range });
  }
  return [...found, ...(await findWrongTotals(tx, scope, sums))];
}
