import {
  type ChargeId,
  type DepositId,
  type EventId,
  idOf,
  type MerchantId,
  type RefundId,
  type SettlementId,
} from "@daric/domain/ids";
import { messageKindOf } from "@daric/domain/message";
import { retryDelayMs } from "@daric/domain/webhook-delivery";
import {
  type DepositEventFacts,
  isAtMostOnce,
  type OrderEventFacts,
  type RefundEventFacts,
  type SettlementEventFacts,
  type WebhookEventType,
  webhookEventBody,
} from "@daric/domain/webhook-event";
import { announceEvents, type ToldCharge } from "@daric/messages/announce";
import { audienceOf } from "@daric/messages/audience";
import type { Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { inMerchantLists } from "@daric/runtime/fair-rounds";
import { uuidv7 } from "uuidv7";
import type { ApiContext, SettlementEventContext, WatcherContext } from "./context.ts";
import { eventMac } from "./event-mac.ts";
import {
  type EventHistory,
  type EventRow,
  findSubscribers,
  insertEvents,
  loadEventHistories,
  type NewDelivery,
  type Resource,
  type Subscriber,
} from "./event-store.ts";

/**
 * A change of `resourceId`: the deposit, for order events the charge, for settlement and refund events the settlement and the refund. `idempotencyKey`
 * distinguishes repetitions; by default the block of a deposit does.
 */
export type NewWebhookEvent = {
  readonly merchantId: MerchantId;
  /** what messages need to know of the charge of a deposit or an order */
  readonly told?: ToldCharge;
} & (
  | (DepositEventFacts & { readonly resourceId: DepositId; readonly idempotencyKey?: string })
  | (OrderEventFacts & { readonly resourceId: ChargeId })
  | (SettlementEventFacts & { readonly resourceId: SettlementId })
  | (RefundEventFacts & { readonly resourceId: RefundId; readonly idempotencyKey?: string })
);

/**
 * Writes events in order, with one delivery per subscribed endpoint and the messages to people, in the transaction of the change that they
 * announce. Disabled endpoints get deliveries too. An event that was announced before is skipped: its id derives
 * from its content.
 * Call it last in the transaction, because others wait for the merchant's place among events while they hold rows.
 * The caller holds the row of each resource. Otherwise the tables' keys refuse the second of two concurrent events
 * and the transaction fails.
 */
export async function enqueueEvents(
  context: Pick<ApiContext | WatcherContext | SettlementEventContext, "config">,
  tx: Transaction,
  events: readonly NewWebhookEvent[],
): Promise<void> {
  for (const part of inMerchantLists(events)) await enqueuePart(context, tx, part.map(withId));
}

async function enqueuePart(
  context: Pick<ApiContext | WatcherContext | SettlementEventContext, "config">,
  tx: Transaction,
  events: readonly IdentifiedEvent[],
): Promise<void> {
  const ids = events.map(({ id }) => id);
  const { now, histories } = await loadEventHistories(tx, resourcesOf(events), ids);
  const fresh = numberEvents(events, histories);
  if (fresh.length === 0) return;
  const rows = fresh.map(({ event, sequence }) =>
    eventRow(context, event, { sequence, createdAt: now, environment: context.config.environment }),
  );
  await announceEvents(context, tx, { events: fresh.map(({ event }) => event), now });
  const merchantIds = unique(rows.map((row) => row.merchantId));
  const subscribers = await findSubscribers(tx, merchantIds, unique(rows.map((row) => row.type)));
  await insertEvents(tx, rows, {
    deliveries: rows.flatMap((row) => fanOut(row, subscribers)),
    firstDelayMs: retryDelayMs(context.config.webhooks.retryScheduleMs, 0, 0.5) ?? 0,
  });
}

/**
 * Returns the types of which each merchant has a subscribed endpoint, disabled ones included, or a member who wants them; at most 200
 * merchants. It saves building rare events without a subscriber.
 */
export async function findSubscribed(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { merchantIds, types }: { merchantIds: readonly MerchantId[]; types: readonly WebhookEventType[] },
): Promise<(event: Pick<NewWebhookEvent, "merchantId" | "type">) => boolean> {
  const subscribers = await findSubscribers(tx, merchantIds, types);
  const awaited = new Set(
    subscribers.flatMap(({ merchantId, eventTypes }) => eventTypes.map((type) => `${merchantId} ${type}`)),
  );
  const mayTell = types.some((type) => messageKindOf(type) !== undefined);
  const audience = mayTell ? await audienceOf(context, tx, merchantIds) : undefined;
  const isTold = (merchantId: MerchantId, type: WebhookEventType) => {
    const kind = messageKindOf(type);
    return kind !== undefined && (audience?.receivers(merchantId, kind, true) ?? []).length > 0;
  };
  return ({ merchantId, type }) => awaited.has(`${merchantId} ${type}`) || isTold(merchantId, type);
}

type IdentifiedEvent = NewWebhookEvent & { readonly id: EventId };

function withId(event: NewWebhookEvent): IdentifiedEvent {
  return { ...event, id: eventId(event) };
}

/**
 * Derives an event's id from its resource and type; for repeatable types also from the block or idempotency key. A
 * rescan or a restored database so gives the same event the same id.
 */
export function eventId(event: NewWebhookEvent): EventId {
  const { resourceId, type } = event;
  if (isAtMostOnce(type)) return idOf("event", derivedId("event", resourceId, type));
  const repetition =
    ("idempotencyKey" in event ? event.idempotencyKey : undefined) ??
    (isDepositEvent(event) ? event.data.blockHash : "");
  return idOf("event", derivedId("event", resourceId, type, repetition));
}

/** The id of an event that an order has at most once. */
export function orderEventId(orderId: ChargeId, type: "order.paid" | "order.accepted"): EventId {
  return idOf("event", derivedId("event", orderId, type));
}

function isDepositEvent(event: NewWebhookEvent): event is NewWebhookEvent & DepositEventFacts {
  return event.type.startsWith("deposit.");
}

function resourcesOf(events: readonly NewWebhookEvent[]): Resource[] {
  const byKey = new Map(
    events.map((event): [string, Resource] => [
      resourceKey(event),
      { merchantId: event.merchantId, id: event.resourceId },
    ]),
  );
  return [...byKey.values()];
}

function resourceKey({ merchantId, resourceId }: Pick<EventHistory, "merchantId" | "resourceId">): string {
  return `${merchantId} ${resourceId}`;
}

/** Gives each event the next number of its resource, and drops announced ones. */
function numberEvents(events: readonly IdentifiedEvent[], histories: readonly EventHistory[]) {
  const sequences = new Map(histories.map((history) => [resourceKey(history), history.lastSequence]));
  const announced = new Set(histories.flatMap(({ ids }) => ids));
  return events.flatMap((event) => {
    if (announced.has(event.id)) return [];
    announced.add(event.id);
    const key = resourceKey(event);
    const sequence = (sequences.get(key) ?? 0) + 1;
    sequences.set(key, sequence);
    return [{ event, sequence }];
  });
}

function eventRow(
  context: Pick<ApiContext | WatcherContext | SettlementEventContext, "config">,
  event: IdentifiedEvent,
  facts: { sequence: number; createdAt: Date; environment: WatcherContext["config"]["environment"] },
): EventRow {
  const { id, merchantId, type, resourceId } = event;
  const body = Buffer.from(webhookEventBody({ id, event: type, data: event.data, ...facts }));
  const mac = eventMac(context, { merchantId, id, body });
  return { id, merchantId, type, resourceId, sequence: facts.sequence, body, mac };
}

function fanOut(event: EventRow, subscribers: readonly Subscriber[]): NewDelivery[] {
  return subscribers
    .filter(
      ({ merchantId, eventTypes }) => merchantId === event.merchantId && eventTypes.includes(event.type),
    )
    .map((endpoint) => ({ id: idOf("delivery", uuidv7()), eventId: event.id, endpoint }));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
