import { loadCharges } from "@daric/charges/charge";
import { lockOrdersOf, settleOrders } from "@daric/charges/close/settle-orders";
import { depositMachine } from "@daric/domain/deposit";
import { bookDeposits } from "@daric/ledger/book-deposits";
import type { Transaction } from "@daric/postgres/sql";
import { putBackRefunds } from "@daric/refunds/put-back";
import { inFairRounds, roundRobin } from "@daric/runtime/fair-rounds";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import type { Cursor, ReadBlock } from "../block-store.ts";
import { chargesOf } from "../charge-refs.ts";
import type { WatcherContext } from "../context.ts";
import { depositConfirmedEvent } from "../deposit-event.ts";
import { findOpenGroups, type OpenGroup, openGroupKey } from "../open-store.ts";
import type { ChangedDeposit, ConfirmedDeposit, Scope } from "../store.ts";
import { finalizeDeposits } from "./finality-store.ts";

/** The most deposits per transaction, so that a full block of them does not lock rows for long. */
const MAX_CONFIRMED_AT_ONCE = 200;

type Confirmed = {
  readonly deposits: (ConfirmedDeposit & ChangedDeposit)[];
  readonly events: NewWebhookEvent[];
  readonly isMoreWaiting: boolean;
};

type Final = {
  readonly scope: Scope;
  /** the newest block, from which confirmations are counted */
  readonly cursor: Pick<Cursor, "number">;
  readonly solid: Pick<ReadBlock, "number">;
  /** late deposits only, or the others only; undefined: both */
  readonly late?: boolean;
  /** these groups alone, in blocks that are known to be in the chain */
  readonly inBlocks?: { readonly groups: readonly OpenGroup[]; readonly blockIds: readonly string[] };
};

/**
 * Confirms deposits with the required confirmations, at or below the verified block, that have passed their checks. The same transaction
 * books them, settles the orders, and puts refunds of their charges back. At most 200 per call; every waiting merchant gets a share, oldest blocks first. Returns their
 * events; the caller enqueues them at the end of its transaction.
 */
export async function confirmDeposits(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, cursor, solid, late, inBlocks }: Final,
): Promise<Confirmed> {
  const { from: statuses } = depositMachine.edge("finalized");
  const waiting =
    inBlocks?.groups ?? (await findOpenGroups(tx, { network: scope.network, statuses, to: solid.number }));
  const blockIds = inBlocks?.blockIds;
  const { rows: deposits, isMoreWaiting } = await inFairRounds(
    roundRobin(waiting),
    { limit: MAX_CONFIRMED_AT_ONCE, unitOf: openGroupKey },
    (groups, limitEach) =>
      finalizeDeposits(tx, scope, { groups, limitEach, solid, head: cursor.number, late, blockIds }),
  );
  return { deposits, events: await bookAndSettle(context, tx, deposits), isMoreWaiting };
}

async function bookAndSettle(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  deposits: readonly (ConfirmedDeposit & ChangedDeposit)[],
): Promise<NewWebhookEvent[]> {
  const orders = await lockOrdersOf(tx, chargesOf(deposits.filter(({ unmatched }) => !unmatched)));
  const charges = await loadCharges(tx, chargesOf(deposits));
  await bookDeposits(tx, deposits, charges);
  const depositEvents = deposits.flatMap((deposit) => depositConfirmedEvent(deposit, charges) ?? []);
  const orderEvents = await settleOrders(tx, { orders, charges });
  const accepted = orderEvents.flatMap(({ type, merchantId, resourceId }) =>
    type === "order.accepted" ? [{ merchantId, id: resourceId }] : [],
  );
  await putBackRefunds(context, tx, [...chargesOf(deposits.filter(({ dust }) => !dust)), ...accepted]);
  return [...depositEvents, ...orderEvents];
}
