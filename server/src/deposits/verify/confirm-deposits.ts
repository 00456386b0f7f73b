import type { Transaction } from "@daric/postgres/sql";
import { loadCharges } from "../../charges/charge.ts";
import { holdOrders, settleOrders } from "../../charges/settle-orders.ts";
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

/** Deposits that are confirmed in one transaction, so that a full block of them does not hold rows for long. */
const MAX_CONFIRMED_AT_ONCE = 200;

type Final = {
  readonly scope: Scope;
  readonly cursor: Cursor;
  readonly solid: ReadBlock;
  /** of those that came late alone, or of the others alone; without it of both */
  readonly late?: boolean;
};

/**
 * Confirms what has become final: deposits with the required confirmations, at or below the verified block, in a
 * block of our chain, with every check passed that they need. In the same transaction they are booked, the events are written and the
 * orders are settled. 200 at most, of which every merchant who waits gets a share, the oldest blocks first.
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
  const orders = await holdOrders(tx, chargesOf(deposits.filter(({ unmatched }) => !unmatched)));
  const charges = await loadCharges(tx, chargesOf(deposits));
  await bookDeposits(tx, deposits, charges);
  await enqueueEvents(
    context,
    tx,
    deposits.map((deposit) => depositConfirmedEvent(deposit, charges)),
  );
  await settleOrders(context, tx, { orders, charges });
}
