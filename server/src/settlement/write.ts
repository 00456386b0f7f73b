import type { Transaction } from "@daric/postgres/sql";
import { assertLease } from "../runtime/lease.ts";
import type { SettlementContext, Settling } from "./context.ts";

/** Writes in one transaction, and only while this process is the one that settles. @throws LeaseLostError where it is not. */
export async function write(
  { db }: Pick<SettlementContext, "db">,
  { lease }: Pick<Settling, "lease">,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await work(tx);
  });
}
