import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import { dropPartitions } from "@daric/postgres/partitions";
import type { Database } from "@daric/postgres/sql";
import { maxTenants } from "@daric/postgres/tenants";
import {
  deleteFinalDeliveries,
  deleteFinalHistory,
  deleteOldCounts,
  deleteUnusedBodies,
  forgetPreviousSecrets,
  type HeldMonth,
  listHeldMonths,
  listMerchantIds,
  monthlyTables,
} from "./retention-store.ts";

/** A month is ten times the longest schedule of attempts, and questions about older deliveries are rare. */
const MIN_DAYS = 30;
const DAY_MS = 86_400_000;
const ROWS_AT_ONCE = 1_000;

/** The result of a run. */
export type Retained = {
  /** final deliveries created before this time are deleted */
  readonly before: Date;
  /** in tables partitioned by month, unneeded rows from before this time are deleted */
  readonly monthsBefore: Date;
  readonly droppedPartitions: readonly string[];
  readonly deliveries: number;
  /** rows deleted from months whose partition had to stay */
  readonly bodies: number;
  readonly history: number;
  /** previous secrets of endpoints whose overlap has ended, whatever their age */
  readonly previousSecrets: number;
  /** counts of attempts by hour, of which the health of an endpoint is computed for a day */
  readonly attemptCounts: number;
};

/**
 * Deletes old data: final deliveries with their attempts, and whole months of event bodies and of the history of deposits.
 * It also deletes previous webhook secrets after their overlap. Open deliveries and deposits keep their bodies, attempts and
 * history. Deposits and events stay, because their ids prevent a second credit or announcement. The totals of lists stay
 * exact. A run can be interrupted and repeated at any time. `ownerUrl` and `db` log in as the role that owns the tables.
 *
 * @throws VALIDATION_ERROR for less than 30 days.
 */
export async function retain(
  { db, ownerUrl }: { db: Database; ownerUrl: string },
  { olderThanMs, now }: { olderThanMs: number; now: Date },
): Promise<Retained> {
  if (olderThanMs < MIN_DAYS * DAY_MS) {
    const details = [{ path: "olderThan", message: `must be ${MIN_DAYS}d or more` }];
    throw new ApiError("VALIDATION_ERROR", { details });
  }
  const before = new Date(now.getTime() - olderThanMs);
  const monthsBefore = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1));
  const held: HeldMonth[] = [];
  await forAllMerchants(db, async (merchantIds) => {
    held.push(...(await listHeldMonths(db, merchantIds, monthsBefore)));
  });
  const droppedPartitions: string[] = [];
  for (const table of monthlyTables) {
    const keep = held.filter((partition) => partition.table === table).map(({ month }) => month);
    droppedPartitions.push(...(await dropPartitions(ownerUrl, table, { before: monthsBefore, keep })));
  }
  const rows = { deliveries: 0, bodies: 0, history: 0, previousSecrets: 0, attemptCounts: 0 };
  await forAllMerchants(db, async (merchantIds) => {
    rows.deliveries += await untilDone((limit) => deleteFinalDeliveries(db, merchantIds, { before, limit }));
    const range = { before: monthsBefore };
    rows.bodies += await untilDone((limit) => deleteUnusedBodies(db, merchantIds, { ...range, limit }));
    rows.history += await untilDone((limit) => deleteFinalHistory(db, merchantIds, { ...range, limit }));
    rows.previousSecrets += await forgetPreviousSecrets(db, merchantIds);
    rows.attemptCounts += await deleteOldCounts(db, merchantIds);
  });
  return { before, monthsBefore, droppedPartitions, ...rows };
}

async function forAllMerchants(
  db: Database,
  work: (merchantIds: readonly MerchantId[]) => Promise<void>,
): Promise<void> {
  let after: MerchantId | undefined;
  for (;;) {
    const merchantIds = await listMerchantIds(db, { after, limit: maxTenants() });
    if (merchantIds.length === 0) return;
    await work(merchantIds);
    after = merchantIds.at(-1);
  }
}

/** Repeats a deletion until a batch is not full. Returns the number of all rows. */
async function untilDone(deleteBatch: (limit: number) => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const deleted = await deleteBatch(ROWS_AT_ONCE);
    sum += deleted;
    if (deleted < ROWS_AT_ONCE) return sum;
  }
}
