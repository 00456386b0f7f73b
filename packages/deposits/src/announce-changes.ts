import { loadCharges } from "@daric/charges/charge";
import { currentConfirmations } from "@daric/domain/deposit";
import type { MerchantId } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { inMerchantLists } from "@daric/runtime/fair-rounds";
import { enqueueEvents, findSubscribed, type NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import { chargesOf } from "./charge-refs.ts";
import type { WatcherContext } from "./context.ts";
import {
  type MovedDeposit,
  unconfirmedEvent,
  unconfirmedEventType,
  unconfirmedEventTypes,
} from "./deposit-event.ts";
import { countOccurrences } from "./status-store.ts";

type Announcement = {
  readonly deposits: readonly MovedDeposit[];
  readonly headNumber: number;
  /** shared by the calls of one transaction */
  readonly findSubscribed?: SubscriptionFinder;
};

type IsSubscribed = (event: Pick<NewWebhookEvent, "merchantId" | "type">) => boolean;

/** Returns which unconfirmed events these merchants (at most 200) want, for their endpoints or members. */
export type SubscriptionFinder = (merchantIds: readonly MerchantId[]) => Promise<IsSubscribed>;

export function createSubscriptionFinder(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  types: readonly NewWebhookEvent["type"][] = unconfirmedEventTypes,
): SubscriptionFinder {
  const known = new Map<MerchantId, IsSubscribed>();
  return async (merchantIds) => {
    const unknown = merchantIds.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      const isSubscribed = await findSubscribed(context, tx, {
        merchantIds: unknown,
        types,
      });
      for (const id of unknown) known.set(id, isSubscribed);
    }
    return (event) => known.get(event.merchantId)?.(event) ?? false;
  };
}

/**
 * Writes the events of unconfirmed deposits that this transaction has moved ({@link findChangeEvents}). It must be called after all rows
 * of the transaction are locked. Returns whether it wrote an event.
 */
export async function announceChanges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  announcement: Announcement,
): Promise<boolean> {
  const events = await findChangeEvents(context, tx, announcement);
  await enqueueEvents(context, tx, events);
  return events.length > 0;
}

/**
 * The events of unconfirmed deposits that this transaction has moved. Unlike other events they exist only if an endpoint or a member wants them,
 * because most merchants want the final event alone.
 */
export async function findChangeEvents(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { deposits, headNumber, findSubscribed = createSubscriptionFinder(context, tx) }: Announcement,
): Promise<NewWebhookEvent[]> {
  const events: NewWebhookEvent[] = [];
  const typed = deposits.flatMap((deposit) => {
    const type = unconfirmedEventType(deposit);
    return type === undefined ? [] : [{ merchantId: deposit.merchantId, deposit, type }];
  });
  for (const list of inMerchantLists(typed)) {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const isSubscribed = await findSubscribed([...new Set(merchantIds)]);
    const subscribed = list.filter(isSubscribed);
    if (subscribed.length === 0) continue;
    const moved = subscribed.map(({ deposit }) => deposit);
    const charges = await loadCharges(tx, chargesOf(moved));
    const occurrences = await countOccurrences(tx, moved);
    for (const [index, { deposit, type }] of subscribed.entries()) {
      const confirmations = currentConfirmations({ ...deposit, headNumber });
      const occurrence = occurrences[index] ?? 1;
      events.push(unconfirmedEvent(deposit, { type, charges, confirmations, occurrence }));
    }
  }
  return events;
}
