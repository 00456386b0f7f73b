import { sql, type Transaction } from "@daric/postgres/sql";
import { loadCharges } from "../charges/charge.ts";
import { settleOrders } from "../charges/settle-orders.ts";
import type { Context } from "../context.ts";
import { enqueueEvents } from "../webhooks/events/enqueue-events.ts";
import type { Cursor, ReadBlock } from "./block-store.ts";
import { depositConfirmedEvent } from "./deposit-event.ts";
import { type ChangedDeposit, type Scope, transitionDeposits } from "./store.ts";

/** Deposits that are confirmed in one transaction, so that a full block of them does not hold rows for long. */
const MAX_CONFIRMED_AT_ONCE = 200;

/**
 * Confirms what has become final: deposits with the required confirmations, at or below the proven solid block, in a
 * block of our chain. In the same transaction the events are written and the orders are settled. 200 at most.
 */
export async function confirmDeposits(
  context: Pick<Context, "config">,
  tx: Transaction,
  { scope, cursor, solid }: { scope: Scope; cursor: Cursor; solid: ReadBlock },
): Promise<{ deposits: ChangedDeposit[]; isMoreWaiting: boolean }> {
  const deposits = await transitionDeposits(tx, scope, {
    event: "finalized",
    where: sql`d.id = any(array(
      select final.id from deposits final
      join blocks b on b.id = final.block_id and b.orphaned_at is null
      where final.network = ${scope.network} and final.status in ('CONFIRMING', 'STUCK')
        and final.block_number <= ${solid.number}
        and final.block_number + final.required_confirmations - 1 <= ${cursor.number}
      order by final.block_number, final.id limit ${MAX_CONFIRMED_AT_ONCE}))`,
    set: sql`, confirmed_at = now(), final_confirmations = ${cursor.number} - changed.block_number + 1`,
  });
  await announce(context, tx, deposits);
  return { deposits, isMoreWaiting: deposits.length === MAX_CONFIRMED_AT_ONCE };
}

/** Says of deposits that are not final STUCK_AFTER their block that solidity keeps them waiting. */
export async function stallDeposits(
  context: Pick<Context, "config">,
  tx: Transaction,
  { scope, cursor, solid }: { scope: Scope; cursor: Cursor; solid: ReadBlock },
): Promise<ChangedDeposit[]> {
  return await transitionDeposits(tx, scope, {
    event: "stalled",
    where: sql`d.block_time < ${new Date(cursor.time.getTime() - context.config.STUCK_AFTER)}
      and d.block_number > ${solid.number}`,
    stuckReason: "solidity",
  });
}

async function announce(
  context: Pick<Context, "config">,
  tx: Transaction,
  deposits: readonly ChangedDeposit[],
): Promise<void> {
  const matching = deposits.filter((deposit) => !deposit.unmatched);
  const charges = await loadCharges(tx, [...new Set(matching.map((deposit) => deposit.chargeId))]);
  await enqueueEvents(
    context,
    tx,
    matching.map((deposit) => depositConfirmedEvent(deposit, charges)),
  );
  await settleOrders(context, tx, [...charges.keys()]);
}
