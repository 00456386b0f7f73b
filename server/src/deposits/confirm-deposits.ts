import type { Transaction } from "@daric/postgres/sql";
import { loadCharges } from "../charges/charge.ts";
import { settleOrders } from "../charges/settle-orders.ts";
import { enqueueEvents } from "../webhooks/events/enqueue-events.ts";
import type { Cursor, ReadBlock } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { depositConfirmedEvent } from "./deposit-event.ts";
import { finalizeDeposits } from "./status-store.ts";
import type { ChangedDeposit, ConfirmedDeposit, Scope } from "./store.ts";

/** Deposits that are confirmed in one transaction, so that a full block of them does not hold rows for long. */
const MAX_CONFIRMED_AT_ONCE = 200;

/**
 * Confirms what has become final: deposits with the required confirmations, at or below the proven solid block, in a
 * block of our chain. In the same transaction the events are written and the orders are settled. 200 at most.
 */
export async function confirmDeposits(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, cursor, solid }: { scope: Scope; cursor: Cursor; solid: ReadBlock },
): Promise<{ deposits: (ConfirmedDeposit & ChangedDeposit)[]; isMoreWaiting: boolean }> {
  const deposits = await finalizeDeposits(tx, scope, {
    solid,
    head: cursor.number,
    limit: MAX_CONFIRMED_AT_ONCE,
  });
  await announce(context, tx, deposits);
  return { deposits, isMoreWaiting: deposits.length === MAX_CONFIRMED_AT_ONCE };
}

async function announce(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  deposits: readonly (ConfirmedDeposit & ChangedDeposit)[],
): Promise<void> {
  const matching = deposits.filter((deposit) => !deposit.unmatched);
  const charges = await loadCharges(
    tx,
    matching.map(({ merchantId, chargeId }) => ({ merchantId, id: chargeId })),
  );
  await enqueueEvents(
    context,
    tx,
    matching.map((deposit) => depositConfirmedEvent(deposit, charges)),
  );
  await settleOrders(context, tx, [...charges.values()]);
}
