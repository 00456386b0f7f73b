import { setTimeout as sleep } from "node:timers/promises";
import {
  type ChargeId,
  type DeliveryId,
  type DepositId,
  type EndpointId,
  idOf,
  type MerchantId,
} from "@daric/domain/ids";
import type { WebhookDeliveryStatus } from "@daric/domain/webhook-delivery";
import type { OrderEventData } from "@daric/domain/webhook-event";
import { type Queryable, sql } from "@daric/postgres/sql";
import { counted } from "@daric/totals/list-store";
import { deliverWebhook } from "@daric/webhooks/deliveries/deliver-webhook";
import type { ClaimedDelivery } from "@daric/webhooks/deliveries/delivery-store";
import { recordAttempt } from "@daric/webhooks/deliveries/record-results";
import { claimDeliveries } from "@daric/webhooks/deliveries/worker";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { eventMac } from "@daric/webhooks/events/event-mac";
import { findDueWork, rescheduleChanged } from "@daric/webhooks/queue/queue-store";
import { createSender } from "@daric/webhooks/sending/sender";
import { uuidv7 } from "uuidv7";
import { TEST_MACS, type TestContext } from "./context.ts";
import { ownersDatabase } from "./owners-database.ts";

/** A merchant with defaults; returns its id. */
export async function aMerchantId(db: Queryable): Promise<MerchantId> {
  const id = idOf("merchant", uuidv7());
  await ownersDatabase(db).query(sql`insert into merchants (id, name) values (${id}, 'Webhook Shop')`);
  return id;
}

/** An endpoint's row with an arbitrary secret, for tests that do not sign. */
export async function anEndpointRow(
  db: Queryable,
  merchantId: string,
  overrides: { url?: string; eventTypes?: string[]; isActive?: boolean; isDeleted?: boolean } = {},
): Promise<EndpointId> {
  const id = idOf("endpoint", uuidv7());
  const isDeleted = overrides.isDeleted ?? false;
  await db.query(sql`
    with endpoint as (
      insert into webhook_endpoints (id, merchant_id, url, event_types, is_active, secret_ciphertext, deleted_at)
      values (${id}, ${merchantId}, ${overrides.url ?? "http://127.0.0.1:9/"},
        ${overrides.eventTypes ?? ["deposit.confirmed"]}, ${(overrides.isActive ?? true) && !isDeleted},
        ${isDeleted ? null : Buffer.from("sealed")}, ${isDeleted ? new Date() : null}) returning *)
    insert into endpoint_queue (merchant_id, endpoint_id) select merchant_id, id from endpoint`);
  return id;
}

/** Complete sample data of a charge in events. */
const CHARGE_DATA = {
  depositAddressId: idOf("charge", "0193a1b2-0000-7000-8000-000000000001"),
  address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  orderRef: "order-1",
  label: null,
  chain: "tron",
  currency: "USDT",
  orderAmount: "25",
  payAmount: null,
  amountReceived: "25",
  difference: "0",
  paymentState: "exact",
  feeMode: "merchant",
  metadata: null,
  fiatCurrency: null,
  fiatAmount: null,
  quoteRate: null,
  paymentLinkId: null,
  payerRef: null,
} as const;

export function depositData(depositId: DepositId) {
  return {
    ...CHARGE_DATA,
    depositId,
    amount: "25",
    txHash: "ab".repeat(32),
    eventIndex: 0,
    blockNumber: 100,
    blockHash: "cd".repeat(32),
    confirmations: 19,
    requiredConfirmations: 19,
    status: "CONFIRMED",
    previousStatus: "CONFIRMING",
    late: false,
    unmatched: false,
    detectedAt: "2026-01-01T00:00:00.000Z",
    confirmedAt: "2026-01-01T00:01:00.000Z",
  } as const;
}

export function orderData(depositAddressId: ChargeId) {
  return {
    ...CHARGE_DATA,
    depositAddressId,
    paidLate: false,
    orderRefPaid: false,
    restOf: null,
    restCompletes: false,
    expiresAt: "2026-01-01T01:00:00.000Z",
    paidAt: "2026-01-01T00:01:00.000Z",
    deposits: [],
  } satisfies OrderEventData;
}

export type DeliveryRow = {
  id: DeliveryId;
  event_id: string;
  endpoint_id: string;
  event_type: string;
  reference_id: string | null;
  status: string;
  attempt_count: number;
  pauses: number;
  last_status_code: number | null;
  last_error: string | null;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  lease_number: bigint;
};

/** Every delivery of an endpoint, oldest first. */
export async function deliveryRows(context: TestContext, endpointId: string): Promise<DeliveryRow[]> {
  return context.db.query<DeliveryRow>(
    sql`select * from webhook_deliveries where endpoint_id = ${endpointId} order by created_at, id`,
  );
}

/** The hours until each delivery of an endpoint ends, rounded, oldest first. */
export async function hoursLeft(context: TestContext, endpointId: string): Promise<number[]> {
  const rows = await context.db.query<{ hours: number }>(sql`
    select round(extract(epoch from expires_at - now()) / 3600)::integer as hours
    from webhook_deliveries where endpoint_id = ${endpointId} order by created_at, id`);
  return rows.map(({ hours }) => hours);
}

/** Lets every delivery of an endpoint end in a day. */
export async function endInADay(context: TestContext, endpointId: string): Promise<void> {
  await context.db.query(sql`
    update webhook_deliveries set expires_at = now() + interval '1 day' where endpoint_id = ${endpointId}`);
}

/** Announces a confirmed deposit as the watcher does; returns the deposit's id. */
export async function announceDeposit(
  context: TestContext,
  merchantId: MerchantId,
  resourceId: DepositId = idOf("deposit", uuidv7()),
): Promise<DepositId> {
  await context.db.transaction((tx) =>
    enqueueEvents(context, tx, [
      {
        merchantId,
        type: "deposit.confirmed",
        resourceId,
        data: depositData(resourceId),
      },
    ]),
  );
  return resourceId;
}

/** Announces a paid order as the watcher does. */
export async function announceOrder(
  context: TestContext,
  merchantId: MerchantId,
  resourceId: ChargeId = idOf("charge", uuidv7()),
): Promise<void> {
  await context.db.transaction((tx) =>
    enqueueEvents(context, tx, [{ merchantId, type: "order.paid", resourceId, data: orderData(resourceId) }]),
  );
}

/** Inserts `count` deliveries, which became due one after the other until now. */
export async function aBacklog(
  context: Pick<TestContext, "db">,
  endpoint: { merchantId: string; id: string },
  count: number,
): Promise<void> {
  const merchantId = idOf("merchant", endpoint.merchantId);
  const ids = Array.from({ length: count }, () => idOf("event", uuidv7()));
  const macs = ids.map((id) => eventMac(TEST_MACS, { merchantId, id, body: Buffer.from("{}") }));
  await context.db.query(sql`
    with event as (
      insert into webhook_events (id, merchant_id, type, resource_id, sequence, mac)
      select id, ${merchantId}, 'deposit.confirmed', gen_random_uuid(), 1, mac
      from unnest(${ids}::uuid[], ${macs}::bytea[]) as event (id, mac) returning *),
    bodies as (
      insert into webhook_event_bodies (merchant_id, event_id, body) select merchant_id, id, '{}' from event),
    delivery as (
      insert into webhook_deliveries (id, merchant_id, event_id, endpoint_id, event_type, reference_id, next_attempt_at)
      select gen_random_uuid(), merchant_id, id, ${endpoint.id}, type, resource_id,
        now() - row_number() over () * interval '1 millisecond'
      from event returning *),
    counts as (${counted("webhook_deliveries", sql`select merchant_id, array[status] as facets, 1 as delta from delivery`)})
    update endpoint_queue set due_at = least(due_at, now() - ${count}::integer * interval '1 millisecond')
    where merchant_id = ${endpoint.merchantId} and endpoint_id = ${endpoint.id}`);
}

/** Claims deliveries like a worker with this many free slots. */
export async function claimAsIdle(context: TestContext, slots: number): Promise<ClaimedDelivery[]> {
  const { claims } = await claimDeliveries(context, { free: slots, held: new Map(), rooms: new Map() });
  return claims;
}

/** Runs a step of maintenance like a worker; false if nothing is due. */
export async function runMaintenance<C extends TestContext>(
  context: C,
  part: (context: C, merchantIds: readonly MerchantId[]) => Promise<boolean>,
): Promise<boolean> {
  const merchantIds = await dueMerchants(context);
  if (merchantIds.length === 0) return false;
  await rescheduleChanged(context.db, merchantIds);
  return part(context, merchantIds);
}

export async function dueMerchants(context: TestContext): Promise<readonly MerchantId[]> {
  return (await findDueWork(context.db, { after: undefined })).merchantIds;
}

export async function claimOne(context: TestContext): Promise<ClaimedDelivery> {
  const [claim] = await claimAsIdle(context, 1);
  if (!claim) throw new Error("there was nothing to claim");
  return claim;
}

/** Makes the attempt of a claim and records it; returns the new status, or undefined if the lease was lost. */
export async function deliver(
  context: TestContext,
  claim: ClaimedDelivery,
): Promise<WebhookDeliveryStatus | undefined> {
  const sender = createSender(context);
  const attempt = await deliverWebhook(context, claim, sender);
  sender.post.close();
  return attempt && recordAttempt(context, claim, attempt);
}

export type AttemptRow = {
  number: number;
  trigger: string;
  status_code: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number;
  attempted_at: Date;
};

/** The attempts of a delivery, first to last. */
export async function attemptRows(context: TestContext, deliveryId: string): Promise<AttemptRow[]> {
  return context.db.query<AttemptRow>(
    sql`select * from webhook_attempts where delivery_id = ${deliveryId} order by number`,
  );
}

/** Polls until there is a result, for twenty seconds at most. */
export async function eventually<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const endMs = performance.now() + 20_000;
  while (performance.now() < endMs) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(10);
  }
  throw new Error("it did not happen within 20 s");
}

/** The only delivery of an endpoint once it has one of these statuses. */
export async function settled(
  context: TestContext,
  endpointId: string,
  ...statuses: string[]
): Promise<DeliveryRow> {
  return eventually(async () => {
    const [row] = await deliveryRows(context, endpointId);
    return row && statuses.includes(row.status) && row;
  });
}
