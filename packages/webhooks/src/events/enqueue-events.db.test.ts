import { type DepositId, idOf, type MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import {
  aMerchantId,
  anEndpointRow,
  announceDeposit,
  deliveryRows,
  depositData,
  orderData,
} from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enqueueEvents, type NewWebhookEvent } from "./enqueue-events.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

async function eventsOf(resourceId: string) {
  return context.db.query<{
    id: string;
    type: string;
    sequence: number;
    body: Buffer;
    created_at: Date;
  }>(sql`
    select event.*, body.body from webhook_events event
    join webhook_event_bodies body on body.event_id = event.id and body.created_at = event.created_at
    where resource_id = ${resourceId} order by sequence`);
}

it("an event gets one delivery for each subscribed endpoint, disabled ones included, and only of its merchant", async () => {
  const merchantId = await aMerchantId(context.db);
  const outsider = await aMerchantId(context.db);
  const active = await anEndpointRow(context.db, merchantId);
  const disabled = await anEndpointRow(context.db, merchantId, { isActive: false });
  const deleted = await anEndpointRow(context.db, merchantId, { isDeleted: true });
  const other = await anEndpointRow(context.db, merchantId, { eventTypes: ["order.paid"] });
  const foreign = await anEndpointRow(context.db, outsider);

  const resourceId = await announceDeposit(context, merchantId);

  const [event] = await eventsOf(resourceId);
  for (const endpointId of [active, disabled]) {
    const [delivery, ...rest] = await deliveryRows(context, endpointId);
    expect(rest).toEqual([]);
    expect(delivery).toMatchObject({
      event_id: event?.id,
      event_type: "deposit.confirmed",
      reference_id: resourceId,
      status: "PENDING",
      attempt_count: 0,
      next_attempt_at: event?.created_at,
    });
  }
  for (const endpointId of [deleted, other, foreign])
    expect(await deliveryRows(context, endpointId)).toEqual([]);
});

it("the body is the contract's envelope, frozen with the event's own id and time", async () => {
  const merchantId = await aMerchantId(context.db);
  const resourceId = await announceDeposit(context, merchantId);
  const [event] = await eventsOf(resourceId);
  expect(JSON.parse(event?.body.toString() ?? "")).toEqual({
    id: event?.id,
    event: "deposit.confirmed",
    apiVersion: "v1",
    environment: "test",
    createdAt: event?.created_at.toISOString(),
    sequence: 1,
    data: depositData(resourceId),
  });
  expect(event?.body.length).toBeLessThan(2_000);
});

it("events of one resource are numbered in order; another resource starts at 1", async () => {
  const merchantId = await aMerchantId(context.db);
  const [first, second] = [idOf("deposit", uuidv7()), idOf("deposit", uuidv7())];
  const deposit = (resourceId: DepositId) => ({ merchantId, resourceId, data: depositData(resourceId) });
  await context.db.transaction((tx) =>
    enqueueEvents(context, tx, [
      { ...deposit(first), type: "deposit.detected" },
      { ...deposit(second), type: "deposit.detected" },
      { ...deposit(first), type: "deposit.reorged" },
    ]),
  );
  await context.db.transaction((tx) =>
    enqueueEvents(context, tx, [
      { ...deposit(first), type: "deposit.detected", idempotencyKey: "seen again" },
    ]),
  );
  expect((await eventsOf(first)).map(({ type, sequence }) => [type, sequence])).toEqual([
    ["deposit.detected", 1],
    ["deposit.reorged", 2],
    ["deposit.detected", 3],
  ]);
  expect((await eventsOf(second)).map(({ sequence }) => sequence)).toEqual([1]);
});

it("deposit.confirmed and every order event are announced once, also within one call", async () => {
  const merchantId = await aMerchantId(context.db);
  const endpointId = await anEndpointRow(context.db, merchantId, {
    eventTypes: ["deposit.confirmed", "order.paid"],
  });
  const [depositId, orderId] = [idOf("deposit", uuidv7()), idOf("charge", uuidv7())];
  const confirmed = {
    merchantId,
    type: "deposit.confirmed",
    resourceId: depositId,
    data: depositData(depositId),
  } as const;
  const paid = { merchantId, type: "order.paid", resourceId: orderId, data: orderData(orderId) } as const;
  await context.db.transaction((tx) => enqueueEvents(context, tx, [confirmed, paid, confirmed]));
  await context.db.transaction((tx) => enqueueEvents(context, tx, [paid, confirmed]));
  expect(await eventsOf(depositId)).toHaveLength(1);
  expect(await eventsOf(orderId)).toHaveLength(1);
  expect(await deliveryRows(context, endpointId)).toHaveLength(2);
});

it("an event of a rolled-back transaction was never announced", async () => {
  const merchantId = await aMerchantId(context.db);
  const endpointId = await anEndpointRow(context.db, merchantId);
  const resourceId = idOf("deposit", uuidv7());
  const transaction = context.db.transaction(async (tx) => {
    await enqueueEvents(context, tx, [
      {
        merchantId,
        type: "deposit.confirmed",
        resourceId,
        data: depositData(resourceId),
      },
    ]);
    throw new Error("the change failed");
  });
  await expect(transaction).rejects.toThrow("the change failed");
  expect(await eventsOf(resourceId)).toEqual([]);
  expect(await deliveryRows(context, endpointId)).toEqual([]);
});

it("of two concurrent announcements of one order only one succeeds, with any locks of the callers", async () => {
  const merchantId = await aMerchantId(context.db);
  const endpointId = await anEndpointRow(context.db, merchantId, { eventTypes: ["order.paid"] });
  const resourceId = idOf("charge", uuidv7());
  const announce = () =>
    context.db.transaction((tx) =>
      enqueueEvents(context, tx, [
        { merchantId, type: "order.paid", resourceId, data: orderData(resourceId) },
      ]),
    );
  await Promise.allSettled([announce(), announce(), announce(), announce()]);
  expect(await eventsOf(resourceId)).toHaveLength(1);
  expect(await deliveryRows(context, endpointId)).toHaveLength(1);
});

it("two databases give one event the same id, and a repeated announcement is skipped", async () => {
  const restored = await createTestContext();
  const merchantId = idOf("merchant", uuidv7());
  const [depositId, orderId] = [idOf("deposit", uuidv7()), idOf("charge", uuidv7())];
  const data = depositData(depositId);
  const written: NewWebhookEvent[] = [
    { merchantId, resourceId: depositId, type: "deposit.detected", data },
    {
      merchantId,
      resourceId: depositId,
      type: "deposit.detected",
      data: { ...data, blockHash: "ef".repeat(32) },
    },
    { merchantId, resourceId: depositId, type: "deposit.stuck", data, idempotencyKey: "solidity" },
    { merchantId, resourceId: depositId, type: "deposit.confirmed", data },
    { merchantId, resourceId: depositId, type: "deposit.unmatched", data },
    { merchantId, resourceId: orderId, type: "order.paid", data: orderData(orderId) },
  ];
  const idsIn = async (at: typeof context, events: readonly NewWebhookEvent[]) => {
    for (let time = 0; time < 2; time++) await at.db.transaction((tx) => enqueueEvents(at, tx, events));
    const rows = await at.db.query<{ id: string }>(sql`
      select id from webhook_events where merchant_id = ${merchantId} order by id`);
    return rows.map(({ id }) => id);
  };
  for (const at of [context, restored])
    await at.owner.query(sql`insert into merchants (id, name) values (${merchantId}, 'Shop')`);
  const [first, second] = [await idsIn(context, written), await idsIn(restored, written.toReversed())];
  expect(new Set(first).size).toBe(written.length);
  expect(second).toEqual(first);
  await restored.close();
});

it("deposit.unmatched is announced once, for any block", async () => {
  const merchantId = await aMerchantId(context.db);
  const resourceId = idOf("deposit", uuidv7());
  for (const blockHash of ["ab".repeat(32), "cd".repeat(32)])
    await context.db.transaction((tx) =>
      enqueueEvents(context, tx, [
        {
          merchantId,
          resourceId,
          type: "deposit.unmatched",
          data: { ...depositData(resourceId), blockHash },
        },
      ]),
    );
  expect(await eventsOf(resourceId)).toHaveLength(1);
});

it("events of more merchants than one statement may name are all announced", async () => {
  const merchants = await context.owner.query<{ id: MerchantId }>(sql`
    insert into merchants (id, name) select gen_random_uuid(), 'Shop' from generate_series(1, 450) returning id`);
  const events = merchants.map(({ id }) => aConfirmation(id));
  await context.db.transaction((tx) => enqueueEvents(context, tx, events));
  const rows = await context.db.query(sql`
    select id from webhook_events where merchant_id = any(${merchants.map(({ id }) => id)}::uuid[])`);
  expect(rows).toHaveLength(450);
});

it("an uncommitted event holds no other merchant and locks no table", async () => {
  const merchants = [await aMerchantId(context.db), await aMerchantId(context.db)] as const;
  for (const merchantId of merchants) await anEndpointRow(context.db, merchantId);
  await context.db.transaction(async (tx) => {
    const [own, other] = merchants;
    await enqueueEvents(context, tx, [aConfirmation(own)]);
    const [{ pid = 0 } = {}] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const locks = await context.owner.query<{ locktype: string; mode: string }>(sql`
      select distinct locktype, mode from pg_locks
      where pid = ${pid} and locktype not in ('virtualxid', 'transactionid')`);
    expect(new Set(locks.map(({ locktype }) => locktype))).toEqual(new Set(["relation"]));
    const shared = ["AccessShareLock", "RowShareLock", "RowExclusiveLock"];
    expect(locks.filter(({ mode }) => !shared.includes(mode))).toEqual([]);

    // Longer than this statement takes, and less than the wait for a held row.
    await context.db
      .answeringWithin(2_000)
      .transaction((beside) => enqueueEvents(context, beside, [aConfirmation(other)]));
    const waits = context.db
      .answeringWithin(1_000)
      .transaction((beside) => enqueueEvents(context, beside, [aConfirmation(own)]));
    await expect(waits).rejects.toThrow();
  });
});

function aConfirmation(merchantId: MerchantId): NewWebhookEvent {
  const resourceId = idOf("deposit", uuidv7());
  return { merchantId, resourceId, type: "deposit.confirmed", data: depositData(resourceId) };
}
