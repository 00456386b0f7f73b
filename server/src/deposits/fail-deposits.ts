import type { Context } from "../context.ts";
import { sql } from "../db/sql.ts";
import type { FailureReason } from "../domain/deposit.ts";
import { assertLease } from "../runtime/lease.ts";
import { type Cursor, loadCursor } from "./block-store.ts";
import { reportDeposits } from "./report-deposits.ts";
import type { Scanner } from "./scanner.ts";
import { type Deposit, findOrphanedDeposits, transitionDeposits } from "./store.ts";

/** Orphaned deposits looked at in one step. There are none on most days. */
const MAX_CHECKED_AT_ONCE = 50;

/**
 * Fails orphaned deposits for good, by solid time only: either their transaction is in a solid block that we have
 * read and in which it did not pay us, or its expiration lies behind the solid block and no solid block has it.
 * Everything else waits.
 */
export async function failDeposits(context: Context, scanner: Scanner, cursor: Cursor): Promise<void> {
  const orphaned = await findOrphanedDeposits(context.db, {
    network: scanner.network.name,
    limit: MAX_CHECKED_AT_ONCE,
  });
  if (orphaned.length === 0) return;
  const solid = await provenSolid(context, scanner);
  for (const deposit of orphaned) {
    const reason = await findFailure(context, scanner, { deposit, cursor, solid });
    if (reason !== undefined) await fail(context, scanner, deposit, reason);
  }
}

type Solid = { readonly number: number; readonly timeMs: number };

/** What the cursor has proven to be solid, with its time. */
async function provenSolid(context: Context, { client, network }: Scanner): Promise<Solid | undefined> {
  const cursor = await loadCursor(context.db, network.name);
  return cursor && client.getSolidBlockByNumber(cursor.solidNumber);
}

async function findFailure(
  context: Context,
  { client }: Scanner,
  { deposit, cursor, solid }: { deposit: Deposit; cursor: Cursor; solid: Solid | undefined },
): Promise<FailureReason | undefined> {
  if (solid === undefined) return undefined;
  const info = await client.getTransactionInfo(deposit.txId, { solid: true });
  // Read by us and still orphaned: that inclusion did not pay us.
  if (info !== undefined && info.blockNumber <= Math.min(solid.number, cursor.number))
    return "failed_on_chain";
  if (info !== undefined) return undefined;
  const expiresMs =
    deposit.txExpiresAt?.getTime() ?? deposit.blockTime.getTime() + context.config.DROPPED_AFTER;
  return expiresMs < solid.timeMs ? "dropped" : undefined;
}

async function fail(
  context: Context,
  { network, lease }: Scanner,
  deposit: Deposit,
  reason: FailureReason,
): Promise<void> {
  const failed = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    return transitionDeposits(
      tx,
      { network: network.name, epoch: lease.epoch },
      {
        event: "failed",
        where: sql`d.id = ${deposit.id}`,
        set: sql`, failed_at = now(), failure_reason = ${reason}`,
      },
    );
  });
  reportDeposits(context, failed);
}
