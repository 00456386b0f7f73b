import type { Transaction } from "@daric/postgres/sql";
import { loadCharges } from "../../charges/charge.ts";
import { lockOrdersOf, settleOrders } from "../../charges/settle-orders.ts";
import { depositMachine } from "../../domain/deposit.ts";
import { bookDeposits } from "../../ledger/book-deposits.ts";
import { inFairRounds, takingTurns } from "../../runtime/fair-rounds.ts";
import { enqueueEvents } from "../../webhooks/events/enqueue-events.ts";
import type { Cursor, ReadBlock } from "../block-store.ts";
import { chargesOf } from "../charge-refs.ts";
import type { WatcherContext } from "../context.ts";
import { depositConfirmedEvent } from "../deposit-event.ts";
import { findOpenGroups, openGroupKey } from "../open-store.ts";
import type { ChangedDeposit, ConfirmedDeposit, Scope } from "../store.ts";
import { finalizeDeposits } from "./finality-store.ts";

/** The most deposits per transaction, so that a full block of them does not lock rows for long. */
const MAX_CONFIRMED_AT_ONCE = 200;

type Final = {
  readonly scope: Scope;
  readonly cursor: Cursor;
  readonly solid: ReadBlock;
  /** late deposits only, or the others only; undefined: both */
  readonly late?: boolean;
};

/**
 * Confirms deposits with the required confirmations, at or below the verified block, that have passed their checks. The same transaction
 * books them, writes the events and settles the orders. At most 200 per call; every waiting merchant gets a share, oldest blocks first.
 */
export async function confirmDeposits(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, cursor, solid, late }: Final,
): Promise<{ deposits: (ConfirmedDeposit & ChangedDeposit)[]; isMoreWaiting: boolean }> {
  const { from: statuses } = depositMachine.edge("finalized");
  const waiting = await findOpenGroups(tx, { network: scope.network, statuses, to: solid.number });
  const { rows: deposits, isMoreWaiting } = await inFairRounds(
    takingTurns(waiting),
    { limit: MAX_CONFIRMED_AT_ONCE, unitOf: openGroupKey },
    (groups, limitEach) =>
      finalizeDeposits(tx, scope, { groups, limitEach, solid, head: cursor.number, late }),
  );
  await announce(context, tx, deposits);
  return { deposits, isMoreWaiting };
}

async function announce(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  deposits: readonly (ConfirmedDeposit & ChangedDeposit)[],
): Promise<void> {
  const orders = await lockOrdersOf(tx, chargesOf(deposits.filter(({ unmatched }) => !unmatched)));
  const charges = await loadCharges(tx, chargesOf(deposits));
  await bookDeposits(tx, deposits, charges);
  await enqueueEvents(
    context,
    tx,
    deposits.map((deposit) => depositConfirmedEvent(deposit, charges)),
  );
  await settleOrders(context, tx, { orders, charges });
}
