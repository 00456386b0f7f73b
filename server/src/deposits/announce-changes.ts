import type { Transaction } from "@daric/postgres/sql";
import { loadCharges } from "../charges/charge.ts";
import { currentConfirmations } from "../domain/deposit.ts";
import type { MerchantId } from "../domain/ids.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";
import { enqueueEvents, findSubscribed, type NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import { chargesOf } from "./charge-refs.ts";
import type { WatcherContext } from "./context.ts";
import {
  type MovedDeposit,
  unconfirmedEvent,
  unconfirmedEventType,
  unconfirmedEventTypes,
} from "./deposit-event.ts";
import { countOccurrences } from "./store.ts";

type Announcement = {
  readonly deposits: readonly MovedDeposit[];
  readonly headNumber: number;
  /** of a transaction that announces several times; each asks for itself where it is left out */
  readonly findSubscribed?: SubscriptionFinder;
};

type IsSubscribed = (event: Pick<NewWebhookEvent, "merchantId" | "type">) => boolean;

/** Of which changes of deposits of these merchants, 200 at most, somebody is to be told. */
export type SubscriptionFinder = (merchantIds: readonly MerchantId[]) => Promise<IsSubscribed>;

/** Asks once for each merchant: for a transaction that announces block after block. */
export function createSubscriptionFinder(tx: Transaction): SubscriptionFinder {
  const known = new Map<MerchantId, IsSubscribed>();
  return async (merchantIds) => {
    const unknown = merchantIds.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      const isSubscribed = await findSubscribed(tx, unknown, unconfirmedEventTypes);
      for (const id of unknown) known.set(id, isSubscribed);
    }
    return (event) => known.get(event.merchantId)?.(event) ?? false;
  };
}

/**
 * Announces deposits that this transaction has moved and that are not final money, to the endpoints that subscribe to
 * what became of them. Unlike the others these events are written only where somebody is to be told: of a block that
 * fills with payments most merchants ask for the end alone. Where nobody asks it is one question for 200 merchants, and none
 * where nothing but dust and the other currency moved. To be called once all rows of the transaction are taken. A deposit that
 * it moved twice is told of twice, in the order given. Answers whether anybody is told.
 */
export async function announceChanges(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { deposits, headNumber, findSubscribed = createSubscriptionFinder(tx) }: Announcement,
): Promise<boolean> {
  let hasEvents = false;
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
    const events = subscribed.map(({ deposit, type }, index) => {
      const confirmations = currentConfirmations({ ...deposit, headNumber });
      return unconfirmedEvent(deposit, {
        type,
        charges,
        confirmations,
        occurrence: deposit.occurrence ?? occurrences[index] ?? 1,
      });
    });
    await enqueueEvents(context, tx, events);
    hasEvents = true;
  }
  return hasEvents;
}
