import type { Transaction } from "@daric/postgres/sql";
import { assertLease } from "@daric/runtime/lease";
import type { SettlementContext, Settling } from "./context.ts";

/**
 * Runs one transaction under the lease of settlement.
 *
 * @throws LeaseLostError if another process has it.
 */
export async function writeUnderLease(
  { db }: Pick<SettlementContext, "db">,
  { lease }: Pick<Settling, "lease">,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await work(tx);
  });
}
