import { dropPartitions } from "@daric/postgres/partitions";
import type { Database } from "@daric/postgres/sql";
import { ApiError } from "../domain/errors.ts";
import type { MerchantId } from "../domain/ids.ts";
import {
  deleteFinalDeliveries,
  deleteFinalHistory,
  deleteUnusedBodies,
  forgetPreviousSecrets,
  type HeldMonth,
  listHeldMonths,
  listMerchantIds,
  monthlyTables,
} from "./retention-store.ts";

/** A month is ten times the longest schedule of tries, and questions about older deliveries are rare. */
const LEAST_DAYS = 30;
const DAY_MS = 86_400_000;
const MERCHANTS_AT_ONCE = 200;
const ROWS_AT_ONCE = 1_000;

/** What was done. */
export type Retained = {
  /** final deliveries that were made before this time are gone */
  readonly before: Date;
  /** what is kept by month is gone where it is of before this time */
  readonly monthsBefore: Date;
  readonly droppedPartitions: readonly string[];
  readonly deliveries: number;
  /** rows of months that could not go whole */
  readonly bodies: number;
  readonly history: number;
  /** secrets of endpoints whose overlap is over, however short a time ago */
  readonly previousSecrets: number;
};

/**
 * Makes an end of what is older: final deliveries with their attempts; bodies of events and the history of deposits in
 * whole months. With them go the secrets before a rotation that sign no more. What is open stays whole, with its bodies, attempts and history; so do deposits and events themselves,
 * for on them rests that nothing is credited or said twice. The totals of lists stay exact. Can be broken off and
 * repeated at any time. `ownerUrl` and `db` are of the role that owns the tables.
 *
 * @throws VALIDATION_ERROR for less than 30 days.
 */
export async function retain(
  { db, ownerUrl }: { db: Database; ownerUrl: string },
  { olderThanMs, now }: { olderThanMs: number; now: Date },
): Promise<Retained> {
  if (olderThanMs < LEAST_DAYS * DAY_MS) {
    const details = [{ path: "olderThan", message: `must be ${LEAST_DAYS}d or more` }];
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
    const keep = held.filter((one) => one.table === table).map(({ month }) => month);
    droppedPartitions.push(...(await dropPartitions(ownerUrl, table, { before: monthsBefore, keep })));
  }
  const rows = { deliveries: 0, bodies: 0, history: 0, previousSecrets: 0 };
  await forAllMerchants(db, async (merchantIds) => {
    rows.deliveries += await untilDone((limit) => deleteFinalDeliveries(db, merchantIds, { before, limit }));
    const ofMonths = { before: monthsBefore };
    rows.bodies += await untilDone((limit) => deleteUnusedBodies(db, merchantIds, { ...ofMonths, limit }));
    rows.history += await untilDone((limit) => deleteFinalHistory(db, merchantIds, { ...ofMonths, limit }));
    rows.previousSecrets += await forgetPreviousSecrets(db, merchantIds);
  });
  return { before, monthsBefore, droppedPartitions, ...rows };
}

async function forAllMerchants(
  db: Database,
  work: (merchantIds: readonly MerchantId[]) => Promise<void>,
): Promise<void> {
  let after: MerchantId | undefined;
  for (;;) {
    const merchantIds = await listMerchantIds(db, { after, limit: MERCHANTS_AT_ONCE });
    if (merchantIds.length === 0) return;
    await work(merchantIds);
    after = merchantIds.at(-1);
  }
}

/** Repeats a deletion of a batch until it finds no whole one; answers how many rows it was in all. */
async function untilDone(deleteBatch: (limit: number) => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const deleted = await deleteBatch(ROWS_AT_ONCE);
    sum += deleted;
    if (deleted < ROWS_AT_ONCE) return sum;
  }
}
