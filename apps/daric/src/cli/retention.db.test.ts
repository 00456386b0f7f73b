import type { DeliveryId, MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import {
  aMerchantId,
  anEndpointRow,
  announceDeposit,
  claimAsIdle,
  deliveryRows,
} from "@daric/testing/webhook-builders";
import { countListed } from "@daric/totals/list-store";
import { findDelivery, listAttempts } from "@daric/webhooks/deliveries/delivery-log-store";
import { saveAttempts } from "@daric/webhooks/deliveries/result-store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { retain } from "./retention.ts";
import { type MonthlyTable, monthlyTables } from "./retention-store.ts";

const DAY_MS = 86_400_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
  for (const table of monthlyTables) {
    await asOwner(
      `create table ${table}_a partition of ${table} for values from ('2024-01-01Z') to ('2024-02-01Z')`,
    );
    await asOwner(
      `create table ${table}_b partition of ${table} for values from ('2024-02-01Z') to ('2024-03-01Z')`,
    );
  }
});
afterAll(() => context.close());

const asOwner = (statement: string) => executeAsAdmin(context.ownerUrl, statement);
const retainAll = (olderThanMs = 400 * DAY_MS) =>
  retain({ db: context.owner, ownerUrl: context.ownerUrl }, { olderThanMs, now: new Date() });

/** A delivery with one attempt, both made at this time; open ones are FAILED and waiting. */
async function aDelivery(merchantId: MerchantId, at: string, isOpen: boolean): Promise<DeliveryId> {
  await announceDeposit(context, merchantId);
  const [claim] = await claimAsIdle(context, 1);
  if (!claim) throw new Error("there was nothing to claim");
  const attempt = {
    statusCode: isOpen ? 500 : 200,
    snippet: null,
    error: isOpen ? ("http_status" as const) : null,
    durationMs: 1,
    attemptedAt: new Date(at),
  };
  const verdict = isOpen
    ? ({ event: "rejected", delayMs: 60_000 } as const)
    : ({ event: "accepted", delayMs: null } as const);
  await saveAttempts(context.db, [{ claim, attempt, verdict }]);
  const { deliveryId, eventId } = claim;
  await context.owner.query(sql`update webhook_events set created_at = ${at} where id = ${eventId}`);
  await context.owner.query(
    sql`update webhook_event_bodies set created_at = ${at} where event_id = ${eventId}`,
  );
  await context.owner.query(sql`
    update webhook_deliveries set created_at = ${at}, updated_at = ${at} where id = ${deliveryId}`);
  return deliveryId;
}

async function count(table: MonthlyTable, merchantId: MerchantId): Promise<number> {
  const rows = await context.db.query<{ table: string; merchant_id: string }>(sql`
    select 'webhook_event_bodies' as table, merchant_id from webhook_event_bodies
    union all select 'webhook_attempts', merchant_id from webhook_attempts
    union all select 'deposit_events', merchant_id from deposit_events`);
  return rows.filter((row) => row.table === table && row.merchant_id === merchantId).length;
}

async function totals(merchantId: MerchantId) {
  const counted = await countListed(context.db, "webhook_deliveries", { merchantId, facets: [undefined] });
  const { rows } = one(
    await context.db.query<{ rows: bigint }>(
      sql`select count(*) as rows from webhook_deliveries where merchant_id = ${merchantId}`,
    ),
  );
  return [counted, Number(rows)];
}

it("deletes whole months of final data; open data keeps its bodies and attempts, and totals stay exact", async () => {
  const merchantId = await aMerchantId(context.db);
  const endpointId = await anEndpointRow(context.db, merchantId);
  const gone = await aDelivery(merchantId, "2024-01-10T00:00:00Z", false);
  await aDelivery(merchantId, "2024-02-10T00:00:00Z", false);
  const open = await aDelivery(merchantId, "2024-02-11T00:00:00Z", true);
  const young = await aDelivery(merchantId, new Date(Date.now() - 10 * DAY_MS).toISOString(), false);
  const done = await retainAll();
  expect(done).toMatchObject({ deliveries: 2, bodies: 1 });
  expect(done.droppedPartitions).toEqual(
    expect.arrayContaining(["webhook_event_bodies_a", "webhook_attempts_a"]),
  );
  expect(done.droppedPartitions).not.toEqual(expect.arrayContaining(["webhook_event_bodies_b"]));
  expect((await deliveryRows(context, endpointId)).map(({ id }) => id)).toEqual([open, young]);
  expect(await count("webhook_event_bodies", merchantId)).toBe(2);
  expect(await totals(merchantId)).toEqual([2, 2]);
  expect(await findDelivery(context.db, { merchantId, id: gone })).toBeUndefined();
  const kept = await findDelivery(context.db, { merchantId, id: open });
  if (!kept) throw new Error("the open delivery is gone");
  expect(await listAttempts(context.db, { merchantId, ...kept })).toMatchObject([{ number: 1 }]);
  await context.owner.query(sql`update webhook_deliveries set next_attempt_at = now() where id = ${open}`);
  await context.db.query(sql`update endpoint_queue set due_at = now() where endpoint_id = ${endpointId}`);
  expect((await claimAsIdle(context, 1)).map(({ deliveryId }) => deliveryId)).toEqual([open]);
});

it("deletes rows written late into old months too, and keeps open or recent ones", async () => {
  const merchantId = await aMerchantId(context.db);
  const endpointId = await anEndpointRow(context.db, merchantId);
  for (let copy = 0; copy < 3; copy++) await aDelivery(merchantId, "2023-05-10T00:00:00Z", false);
  const open = await aDelivery(merchantId, "2023-06-10T00:00:00Z", true);
  const before = await partitionOf(open);
  const done = await retainAll();
  expect(done.droppedPartitions).toEqual(
    expect.arrayContaining(["webhook_attempts_default", "webhook_event_bodies_default"]),
  );
  expect(done).toMatchObject({ deliveries: 3, bodies: 0 });
  expect((await deliveryRows(context, endpointId)).map(({ id }) => id)).toEqual([open]);
  expect(await count("webhook_event_bodies", merchantId)).toBe(1);
  const after = await partitionOf(open);
  expect(after.name).toBe("webhook_attempts_default");
  expect(after.oid).not.toBe(before.oid);
  expect((await retainAll()).droppedPartitions).not.toContain("webhook_attempts_default");
  await aDelivery(merchantId, "2023-07-10T00:00:00Z", false);
});

/** The partition that holds the attempts of a delivery. */
async function partitionOf(id: DeliveryId): Promise<{ oid: number; name: string }> {
  return one(
    await context.owner.query<{ oid: number; name: string }>(sql`
      select tableoid::bigint as oid, tableoid::regclass::text as name from webhook_attempts where delivery_id = ${id}`),
  );
}

it("event ids stay, so that no event is announced twice", async () => {
  const merchantId = await aMerchantId(context.db);
  await anEndpointRow(context.db, merchantId);
  await aDelivery(merchantId, "2024-03-10T00:00:00Z", false);
  await retainAll();
  expect(await totals(merchantId)).toEqual([0, 0]);
  expect(await count("webhook_event_bodies", merchantId)).toBe(0);
  const events = await context.db.query(sql`select id from webhook_events where merchant_id = ${merchantId}`);
  expect(events).toHaveLength(1);
});

it("the history of an old final deposit is deleted, and that of an open one stays", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  const charge = await aCharge(context.db, { merchantId });
  const final = await aDeposit(context.db, { chargeId: charge.id, status: "CONFIRMED" });
  const open = await aDeposit(context.db, { chargeId: charge.id, status: "CONFIRMING" });
  for (const { id } of [final, open])
    for (const at of ["2024-02-10T00:00:00Z", "2024-04-10T00:00:00Z"])
      await context.owner.query(sql`
        insert into deposit_events (merchant_id, deposit_id, event, to_status, block_number, block_id, units, leader_epoch,
          created_at)
        values (${merchantId}, ${id}, 'detected', 'DETECTED', 1, '', 1, 1, ${at})`);
  await retainAll();
  const left = await context.db.query(
    sql`select deposit_id as id from deposit_events where merchant_id = ${merchantId}`,
  );
  expect(left).toEqual([{ id: open.id }, { id: open.id }]);
});

it("the secret before a rotation is deleted after its overlap, and stays while it signs", async () => {
  const merchantId = await aMerchantId(context.db);
  const over = await anEndpointRow(context.db, merchantId);
  const overlaps = await anEndpointRow(context.db, merchantId);
  for (const [id, endsIn] of [
    [over, "-1 second"],
    [overlaps, "1 hour"],
  ])
    await context.db.query(sql`
      update webhook_endpoints set previous_secret_ciphertext = 'sealed',
        previous_secret_expires_at = now() + ${endsIn}::interval where id = ${id}`);
  expect((await retainAll()).previousSecrets).toBe(1);
  const rows = await context.db.query(sql`
    select id, secret_ciphertext is not null as "hasSecret", previous_secret_ciphertext is not null as "hasPrevious",
      previous_secret_expires_at is not null as "hasEnd"
    from webhook_endpoints where merchant_id = ${merchantId}`);
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: over, hasSecret: true, hasPrevious: false, hasEnd: false },
      { id: overlaps, hasSecret: true, hasPrevious: true, hasEnd: true },
    ]),
  );
});

it("less than 30 days is refused, and a second run finds nothing to do", async () => {
  await expect(retainAll(29 * DAY_MS)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await retainAll();
  expect(await retainAll()).toMatchObject({
    droppedPartitions: [],
    deliveries: 0,
    bodies: 0,
    history: 0,
    previousSecrets: 0,
    attemptCounts: 0,
  });
});
