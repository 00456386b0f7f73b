import { type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import type { Context } from "../context.ts";
import type { FailureReason } from "../domain/deposit.ts";
import type { ReadBlock } from "./block-store.ts";
import { type ChangedDeposit, type Scope, transitionDeposits } from "./store.ts";

/** Deposits that fail in one transaction for one reason. There are none on most days. */
const MAX_FAILED_AT_ONCE = 200;

/** What is asked of a deposit whose block left the chain, `lost`, before it fails. */
type Grounds = { readonly reason: FailureReason; readonly where: Sql };

/**
 * Fails deposits for good whose block left the chain, by our own blocks only, every one of which was read up to the
 * proven solid block: either a solid block has their transaction and it did not pay us there, or their transaction
 * expired before the solid block was made and can enter no later one. Everything else waits.
 */
export async function failDeposits(
  context: Pick<Context, "config">,
  tx: Transaction,
  { scope, solid }: { scope: Scope; solid: ReadBlock },
): Promise<{ deposits: ChangedDeposit[]; isMoreWaiting: boolean }> {
  const unpaid = await fail(tx, scope, unpaidUpTo(solid));
  const dropped = await fail(tx, scope, droppedBy(solid, context.config.DROPPED_AFTER));
  return {
    deposits: [...unpaid, ...dropped],
    isMoreWaiting: unpaid.length === MAX_FAILED_AT_ONCE || dropped.length === MAX_FAILED_AT_ONCE,
  };
}

/** Whether any deposit would fail if this block of ours were solid. */
export async function hasDepositsToFail(
  context: Pick<Context, "config">,
  db: Queryable,
  { network, solid }: { network: string; solid: ReadBlock },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from deposits lost
    where network = ${network} and status = 'REORG_PENDING'
      and (${unpaidUpTo(solid).where} or ${droppedBy(solid, context.config.DROPPED_AFTER).where}) limit 1`);
  return rows.length > 0;
}

function unpaidUpTo(solid: ReadBlock): Grounds {
  const where = sql`exists (
    select from blocks b
    where b.id = lost.unpaid_block_id and b.orphaned_at is null and b.number <= ${solid.number})`;
  return { reason: "failed_on_chain", where };
}

/**
 * The expiration is what a node said, and no hash covers what we read of it: it counts only as far as consensus lets a
 * transaction live (24 h: java-tron MAXIMUM_TIME_UNTIL_EXPIRATION).
 */
function droppedBy(solid: ReadBlock, droppedAfterMs: number): Grounds {
  const where = sql`least(lost.tx_expires_at,
    lost.block_time + ${droppedAfterMs}::float8 * interval '1 millisecond') < ${solid.time}`;
  return { reason: "dropped", where };
}

async function fail(tx: Transaction, scope: Scope, { reason, where }: Grounds): Promise<ChangedDeposit[]> {
  return await transitionDeposits(tx, scope, {
    event: "failed",
    where: sql`d.id = any(array(
      select lost.id from deposits lost
      where lost.network = ${scope.network} and lost.status = 'REORG_PENDING' and ${where}
      order by lost.block_number, lost.id limit ${MAX_FAILED_AT_ONCE}))`,
    set: sql`, failed_at = now(), failure_reason = ${reason}`,
  });
}
