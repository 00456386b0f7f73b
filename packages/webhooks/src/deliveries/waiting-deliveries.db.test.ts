import { type EndpointId, idOf, type MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { createTestContext } from "@daric/testing/context";
import {
  aBacklog,
  aMerchantId,
  anEndpointRow,
  announceDeposit,
  claimAsIdle,
  deliveryRows,
  depositData,
  runMaintenance,
} from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { deleteEndpoint } from "../endpoints/delete-endpoint.ts";
import { markEndpointDeleted, updateEndpointRow } from "../endpoints/endpoint-store.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import { enqueueEvents } from "../events/enqueue-events.ts";
import { expireAbandonedDeliveries, resumeParkedDeliveries } from "./maintain-deliveries.ts";

const BATCH = 500;
const PARKED = isNight ? 20_000 : 2_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
afterEach(async () => {
  await context.owner.query(sql`delete from webhook_deliveries`);
});

async function anEndpoint(isActive: boolean) {
  const merchantId = await aMerchantId(context.db);
  return { merchantId, id: await anEndpointRow(context.db, merchantId, { isActive }) };
}

const setActive = (endpoint: { merchantId: MerchantId; id: EndpointId }, isActive: boolean) =>
  updateEndpoint(context, { ...endpoint, isActive });

async function statusesOf(endpointId: string): Promise<Record<string, number>> {
  const rows = await context.db.query<{ status: string; count: bigint }>(
    sql`select status, count(*) from webhook_deliveries where endpoint_id = ${endpointId} group by status`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Repeats a step of three concurrent workers until none reports more work. */
async function repeat(step: () => Promise<boolean>): Promise<number> {
  for (let rounds = 1; ; rounds++) {
    const results = await Promise.all([step(), step(), step()]);
    if (!results.includes(true)) return rounds;
  }
}

it("with thousands of parked deliveries, enabling, disabling and deleting touch none and wait for none", async () => {
  const endpoint = await anEndpoint(false);
  await aBacklog(context, endpoint, PARKED);
  await context.db.transaction(async (tx) => {
    await tx.query(sql`select id from webhook_deliveries where endpoint_id = ${endpoint.id} for update`);
    await setActive(endpoint, true);
    await setActive(endpoint, false);
    await setActive(endpoint, true);
    await deleteEndpoint(context, endpoint);
  });
  const [untouched] = await context.db.query<{ count: bigint }>(sql`
    select count(*) from webhook_deliveries where endpoint_id = ${endpoint.id} and updated_at = created_at`);
  expect(untouched?.count).toBe(BigInt(PARKED));
});

it("announcing an event does not wait for a change of its merchant's endpoint", async () => {
  for (const change of [updateEndpointRow, markEndpointDeleted]) {
    const endpoint = await anEndpoint(true);
    const { merchantId } = endpoint;
    const resourceId = idOf("deposit", uuidv7());
    await context.db.transaction(async (changing) => {
      await change(changing, endpoint, { isActive: false });
      await context.db.transaction(async (tx) => {
        await tx.query(sql`set local lock_timeout = '100ms'`);
        const data = depositData(resourceId);
        await enqueueEvents(context, tx, [{ merchantId, type: "deposit.confirmed", resourceId, data }]);
      });
    });
    expect(await deliveryRows(context, endpoint.id)).toHaveLength(1);
  }
});

it("a change of an endpoint does not wait for an event that is being announced", async () => {
  const endpoint = await anEndpoint(true);
  const { merchantId } = endpoint;
  const resourceId = idOf("deposit", uuidv7());
  await context.db.transaction(async (tx) => {
    const data = depositData(resourceId);
    await enqueueEvents(context, tx, [{ merchantId, type: "deposit.confirmed", resourceId, data }]);
    await setActive(endpoint, false);
    await setActive(endpoint, true);
  });
  // It came due before the endpoint was enabled again, and was not visible then.
  expect(await claimAsIdle(context, 10)).toEqual([]);
  await runMaintenance(context, resumeParkedDeliveries);
  await context.db.query(sql`select pg_sleep(0.06)`);
  expect(await claimAsIdle(context, 10)).toHaveLength(1);
});

it("parked deliveries stay parked when their endpoint is enabled, then go out every 50 ms, oldest first", async () => {
  const endpoint = await anEndpoint(false);
  await aBacklog(context, endpoint, 3);
  const idsByAge = async () =>
    (
      await context.db.query<{ id: string }>(
        sql`select id from webhook_deliveries where endpoint_id = ${endpoint.id} order by next_attempt_at`,
      )
    ).map(({ id }) => id);
  const before = await idsByAge();
  await setActive(endpoint, true);
  expect(await claimAsIdle(context, 10)).toEqual([]);
  expect(await runMaintenance(context, resumeParkedDeliveries)).toBe(true);
  expect(await runMaintenance(context, resumeParkedDeliveries)).toBe(false);
  expect(await idsByAge()).toEqual(before);
  const rows = await deliveryRows(context, endpoint.id);
  const times = rows.map(({ next_attempt_at }) => Number(next_attempt_at)).sort();
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 50, 100]);
});

it("concurrent workers schedule each parked delivery once, 500 at a time, no further ahead than needed", async () => {
  const [endpoint, other] = [await anEndpoint(false), await anEndpoint(false)];
  await aBacklog(context, endpoint, BATCH + 100);
  await aBacklog(context, other, 10);
  for (const resumed of [endpoint, other]) await setActive(resumed, true);
  await repeat(() => runMaintenance(context, resumeParkedDeliveries));
  const parked = async ({ id }: { id: string }) =>
    Number(
      (
        await context.db.query<{ count: bigint }>(sql`
          select count(*) from webhook_deliveries join webhook_endpoints endpoint on endpoint.id = endpoint_id
          where endpoint_id = ${id} and next_attempt_at <= resumed_at`)
      )[0]?.count,
    );
  expect([await parked(endpoint), await parked(other)]).toEqual([100, 0]);
  // The schedule has run out: the others follow.
  await context.db.query(sql`
    update webhook_endpoints set lined_up_until = now() + interval '4 seconds' where id = ${endpoint.id}`);
  await repeat(() => runMaintenance(context, resumeParkedDeliveries));
  expect(await parked(endpoint)).toBe(0);
  expect(await statusesOf(endpoint.id)).toEqual({ PENDING: BATCH + 100 });
  const times = await context.db.query<{ count: bigint }>(
    sql`select count(distinct next_attempt_at) from webhook_deliveries where endpoint_id = ${endpoint.id}`,
  );
  expect(times[0]?.count).toBe(BigInt(BATCH + 100));
});

it("disabling and enabling twice keeps the schedule: no delivery is sent twice or lost", async () => {
  const endpoint = await anEndpoint(false);
  await aBacklog(context, endpoint, 20);
  await setActive(endpoint, true);
  await runMaintenance(context, resumeParkedDeliveries);
  const planned = async () =>
    (await deliveryRows(context, endpoint.id)).map(({ id, next_attempt_at }) => [id, next_attempt_at]).sort();
  const before = await planned();
  await setActive(endpoint, false);
  expect(await claimAsIdle(context, 10)).toEqual([]);
  await setActive(endpoint, true);
  expect(await planned()).toEqual(before);
  const claimed = new Set<string>();
  for (let round = 0; claimed.size < 20 && round < 200; round++) {
    await runMaintenance(context, resumeParkedDeliveries);
    for (const { deliveryId } of await claimAsIdle(context, 100)) {
      expect(claimed.has(deliveryId)).toBe(false);
      claimed.add(deliveryId);
      await context.db.query(sql`
        update webhook_deliveries set status = 'DELIVERED', lease_until = null where id = ${deliveryId}`);
    }
    await context.db.query(sql`select pg_sleep(0.02)`);
  }
  expect(claimed.size).toBe(20);
});

it("deliveries of a deleted endpoint end in batches, by concurrent workers, whenever they were enqueued", async () => {
  const [endpoint, live] = [await anEndpoint(true), await anEndpoint(true)];
  await aBacklog(context, endpoint, 2 * BATCH + 100);
  await announceDeposit(context, live.merchantId);
  await deleteEndpoint(context, endpoint);
  expect(await claimAsIdle(context, 10)).toHaveLength(1);
  expect(await runMaintenance(context, expireAbandonedDeliveries)).toBe(true);
  expect(await statusesOf(endpoint.id)).toEqual({ EXHAUSTED: BATCH, PENDING: BATCH + 100 });
  await repeat(() => runMaintenance(context, expireAbandonedDeliveries));
  expect(await statusesOf(endpoint.id)).toEqual({ EXHAUSTED: 2 * BATCH + 100 });
  await aBacklog(context, endpoint, 1);
  expect(await runMaintenance(context, expireAbandonedDeliveries)).toBe(false);
  expect(await statusesOf(endpoint.id)).toEqual({ EXHAUSTED: 2 * BATCH + 101 });
  expect(await statusesOf(live.id)).toEqual({ SENDING: 1 });
});

it("ending deliveries skips a locked row", async () => {
  const endpoint = await anEndpoint(true);
  await aBacklog(context, endpoint, 2);
  await deleteEndpoint(context, endpoint);
  await context.db.transaction(async (tx) => {
    await tx.query(sql`
      select id from webhook_deliveries where endpoint_id = ${endpoint.id} limit 1 for update`);
    await runMaintenance(context, expireAbandonedDeliveries);
  });
  expect(await statusesOf(endpoint.id)).toEqual({ EXHAUSTED: 1, PENDING: 1 });
});
