import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { type ChargeId, type DepositId, idOf, type MerchantId } from "../../domain/ids.ts";
import { retryDelayMs } from "../../domain/webhook-delivery.ts";
import {
  type DepositEventFacts,
  isAtMostOnce,
  type OrderEventFacts,
  type WebhookEventType,
  webhookEventBody,
} from "../../domain/webhook-event.ts";
import type { WatcherContext } from "./context.ts";
import {
  type EventHistory,
  type EventRow,
  insertEvents,
  insertPendingDeliveries,
  listSubscribers,
  loadEventHistories,
  type Subscriber,
} from "./event-store.ts";

/** Something that happened to `resourceId`: the deposit, or for order events the deposit address. */
export type NewWebhookEvent = { readonly merchantId: MerchantId } & (
  | (DepositEventFacts & { readonly resourceId: DepositId })
  | (OrderEventFacts & { readonly resourceId: ChargeId })
);

/**
 * Writes events, in the order given, and one delivery for every endpoint that subscribes, in the transaction of the
 * change they announce: either both happen or neither. A disabled endpoint gets its row too and is served when it
 * is enabled again. The event row is written even where nobody subscribes. A type that a resource has once at most
 * (`isAtMostOnce`) is left out where it was announced before.
 *
 * The caller holds the row of each resource, having just changed it. Where it does not, the unique keys of the
 * table refuse the second of two concurrent events and the transaction fails.
 */
export async function enqueueEvents(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  events: readonly NewWebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const histories = await loadEventHistories(tx, unique(events.map((event) => event.resourceId)));
  const rows = numberEvents(events, histories).map(({ event, sequence, createdAt }) =>
    eventRow(event, { sequence, createdAt, environment: context.config.environment }),
  );
  if (rows.length === 0) return;
  const merchantIds = unique(rows.map((row) => row.merchantId));
  const subscribers = await listSubscribers(tx, merchantIds, unique(rows.map((row) => row.type)));
  await insertEvents(tx, rows);
  const deliveries = rows.flatMap((row) => fanOut(row, subscribers));
  if (deliveries.length === 0) return;
  await insertPendingDeliveries(
    tx,
    deliveries,
    retryDelayMs(context.config.webhooks.retryScheduleMs, 0, 0.5) ?? 0,
  );
}

/** Gives each event the next number of its resource and drops what must not be said twice. */
function numberEvents(events: readonly NewWebhookEvent[], histories: readonly EventHistory[]) {
  const resources = new Map(
    histories.map(({ resourceId, ...history }) => [
      resourceId,
      { ...history, types: new Set<WebhookEventType>(history.types) },
    ]),
  );
  return events.flatMap((event) => {
    const resource = resources.get(event.resourceId);
    if (resource === undefined) throw new Error(`no history was loaded of resource ${event.resourceId}`);
    if (isAtMostOnce(event.type) && resource.types.has(event.type)) return [];
    resource.types.add(event.type);
    resource.lastSequence += 1;
    return [{ event, sequence: resource.lastSequence, createdAt: resource.now }];
  });
}

function eventRow(
  event: NewWebhookEvent,
  facts: { sequence: number; createdAt: Date; environment: WatcherContext["config"]["environment"] },
): EventRow {
  const id = idOf("event", uuidv7());
  const body = Buffer.from(webhookEventBody({ id, event: event.type, data: event.data, ...facts }));
  const { merchantId, type, resourceId } = event;
  return { id, merchantId, type, resourceId, sequence: facts.sequence, body };
}

function fanOut(event: EventRow, subscribers: readonly Subscriber[]) {
  return subscribers
    .filter(
      ({ merchantId, eventTypes }) => merchantId === event.merchantId && eventTypes.includes(event.type),
    )
    .map((endpoint) => ({ id: idOf("delivery", uuidv7()), eventId: event.id, endpointId: endpoint.id }));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
