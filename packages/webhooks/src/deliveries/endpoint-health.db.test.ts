import { setTimeout as sleep } from "node:timers/promises";
import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import {
  aBacklog,
  aMerchantId,
  announceDeposit,
  claimAsIdle,
  claimOne,
  deliver,
  deliveryRows,
  eventually,
  runMaintenance,
} from "@daric/testing/webhook-builders";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createEndpoint } from "../endpoints/create-endpoint.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import { maintainDeliveries } from "./maintain-deliveries.ts";
import { saveAttempts, saveEachAttempt } from "./result-store.ts";
import { startWebhookWorker, type WebhookWorker } from "./worker.ts";

const SUSPENDED_AFTER = 5;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let id: EndpointId;
let receiver: Receiver;
const workers: WebhookWorker[] = [];
beforeAll(async () => {
  context = await createTestContext({ WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8" });
});
afterAll(() => context.close());
beforeEach(async () => {
  receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end();
  merchantId = await aMerchantId(context.db);
  const input = { merchantId, url: receiver.url, description: null, eventTypes: undefined };
  id = (await createEndpoint(context, input)).id;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await receiver.close();
  await context.owner.query(sql`update webhook_endpoints set is_active = false`);
});

function startWorker(): WebhookWorker {
  const worker = startWebhookWorker(context);
  workers.push(worker);
  return worker;
}

type Health = { failed_attempts: number; failing_since: Date | null; probe_at: Date | null };

async function health(): Promise<Health> {
  return one(await context.db.query<Health>(sql`select * from endpoint_health where endpoint_id = ${id}`));
}

/** Makes the time of the endpoint's next attempt now. */
const makeProbeDue = () =>
  context.db.query(sql`
    with health as (update endpoint_health set probe_at = now() where endpoint_id = ${id})
    update endpoint_queue set due_at = now() where endpoint_id = ${id}`);

/** Waits until the endpoint is suspended, and the attempts that were under way are recorded: one may put the next attempt off. */
async function suspended(): Promise<void> {
  await eventually(async () => (await health()).probe_at !== null);
  await eventually(async () => (await deliveryRows(context, id)).every(({ status }) => status !== "SENDING"));
}

/** So many failed attempts, one after the other. */
async function failedAttempts(count: number): Promise<void> {
  for (let made = 0; made < count; made++) await deliver(context, await claimOne(context));
}

it("after five failed attempts in a row the others wait, without an attempt, for the one of a minute", async () => {
  await aBacklog(context, { merchantId, id }, 60);
  const worker = startWorker();
  await eventually(async () => (await deliveryRows(context, id)).some((row) => row.last_error !== null));
  await suspended();
  await sleep(500);
  const made = receiver.received.length;
  // Those that were under way when it was suspended.
  expect(made).toBeLessThanOrEqual(SUSPENDED_AFTER + 8);
  const rows = await deliveryRows(context, id);
  expect(rows.reduce((sum, { attempt_count }) => sum + attempt_count, 0)).toBe(made);
  expect(rows.filter(({ status }) => status === "PENDING")).toHaveLength(60 - made);

  await makeProbeDue();
  worker.wake();
  await eventually(() => receiver.received.length === made + 1);
  await sleep(500);
  expect(receiver.received).toHaveLength(made + 1);

  receiver.answer = (response) => response.end();
  await makeProbeDue();
  worker.wake();
  await eventually(async () => {
    const now = await deliveryRows(context, id);
    return now.filter(({ status }) => status === "DELIVERED").length >= 60 - made - 1;
  });
  expect(await health()).toMatchObject({ failed_attempts: 0, failing_since: null, probe_at: null });
});

it("the others go out as soon as the one of a minute succeeds, however slow it was", async () => {
  await aBacklog(context, { merchantId, id }, 20);
  const worker = startWorker();
  await eventually(async () => (await deliveryRows(context, id)).some((row) => row.last_error !== null));
  await suspended();
  const made = receiver.received.length;
  receiver.answer = (response) => {
    receiver.answer = (next) => next.end();
    setTimeout(() => response.end(), 2_500);
  };
  await makeProbeDue();
  worker.wake();
  await eventually(async () => {
    const now = await deliveryRows(context, id);
    return now.filter(({ status }) => status === "DELIVERED").length >= 20 - made;
  });
});

it("of a suspended endpoint concurrent workers claim one delivery", async () => {
  await aBacklog(context, { merchantId, id }, 30);
  await failedAttempts(SUSPENDED_AFTER);
  expect(await claimAsIdle(context, 10)).toEqual([]);
  await makeProbeDue();
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimAsIdle(context, 10)));
  expect(claims.flat()).toHaveLength(1);
});

it("a success between failures starts the count again", async () => {
  await aBacklog(context, { merchantId, id }, 30);
  await failedAttempts(SUSPENDED_AFTER - 1);
  receiver.answer = (response) => response.end();
  await deliver(context, await claimOne(context));
  receiver.answer = (response) => response.writeHead(500).end();
  await failedAttempts(SUSPENDED_AFTER - 1);
  expect(await health()).toMatchObject({ failed_attempts: SUSPENDED_AFTER - 1, probe_at: null });
});

it("a suspended endpoint is due at its next attempt", async () => {
  await aBacklog(context, { merchantId, id }, 30);
  await failedAttempts(SUSPENDED_AFTER);
  await runMaintenance(context, maintainDeliveries);
  const { seconds } = one(
    await context.db.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::float8 as seconds from endpoint_queue where endpoint_id = ${id}`),
  );
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThanOrEqual(60);
});

it.each([
  ["enabled again", { isActive: true }],
  ["given a URL", { url: "http://127.0.0.1:9/" }],
])("a suspended endpoint that is %s is not suspended any more", async (_what, changes) => {
  await aBacklog(context, { merchantId, id }, 30);
  await failedAttempts(SUSPENDED_AFTER);
  await updateEndpoint(context, { merchantId, id, ...changes });
  expect(await health()).toMatchObject({ failed_attempts: 0, probe_at: null });
  expect(await claimAsIdle(context, 1)).toHaveLength(1);
});

it("after five days and ten attempts without a success an endpoint is disabled, and not before", async () => {
  for (const [age, attempts, isActive] of [
    ["4 days 23 hours", 20, true],
    ["5 days 1 minute", 8, true],
    ["5 days 1 minute", 9, false],
  ] as const) {
    await aBacklog(context, { merchantId, id }, 1);
    await context.db.query(sql`
      insert into endpoint_health (merchant_id, endpoint_id, failing_since, failed_attempts)
      values (${merchantId}, ${id}, now() - ${age}::interval, ${attempts})
      on conflict (merchant_id, endpoint_id) do update set failing_since = excluded.failing_since,
        failed_attempts = excluded.failed_attempts, probe_at = null`);
    const worker = startWorker();
    const before = receiver.received.length;
    await eventually(() => receiver.received.length > before);
    await worker.stop();
    const { is_active: isStill } = one(
      await context.db.query<{ is_active: boolean }>(
        sql`select is_active from webhook_endpoints where id = ${id}`,
      ),
    );
    expect([age, attempts, isStill]).toEqual([age, attempts, isActive]);
    await context.owner.query(sql`delete from webhook_attempts where merchant_id = ${merchantId}`);
    await context.owner.query(sql`delete from webhook_deliveries where merchant_id = ${merchantId}`);
  }
});

it("a new delivery has exactly four days from its creation", async () => {
  await announceDeposit(context, merchantId);
  const lasts = await context.db.query(sql`
    select (expires_at - created_at)::text as lasts from webhook_deliveries where endpoint_id = ${id}`);
  expect(lasts).toEqual([{ lasts: "4 days" }]);
});

it("a delivery whose time is over ends, without another attempt", async () => {
  await aBacklog(context, { merchantId, id }, 2);
  const [old, young] = await deliveryRows(context, id);
  await context.owner.query(sql`
    update webhook_deliveries set expires_at = now() - interval '1 second' where id = ${old?.id ?? ""}`);
  expect((await claimAsIdle(context, 10)).map(({ deliveryId }) => deliveryId)).toEqual([young?.id]);
  await runMaintenance(context, maintainDeliveries);
  const ended = (await deliveryRows(context, id)).find((row) => row.id === old?.id);
  expect(ended).toMatchObject({ status: "EXHAUSTED", last_error: "expired", attempt_count: 0 });
});

it("a failed attempt is the last one if the next would come after the end", async () => {
  await aBacklog(context, { merchantId, id }, 1);
  await context.owner.query(sql`
    update webhook_deliveries set expires_at = now() + interval '2 seconds' where endpoint_id = ${id}`);
  expect(await deliver(context, await claimOne(context))).toBe("EXHAUSTED");
  expect((await deliveryRows(context, id))[0]).toMatchObject({
    last_error: "http_status",
    next_attempt_at: null,
  });
});

it("results of many deliveries are recorded in one statement, and a lost lease costs its own only", async () => {
  await aBacklog(context, { merchantId, id }, 8);
  const claims = await claimAsIdle(context, 20);
  await context.db.query(sql`
    update webhook_deliveries set lease_number = lease_number + 1 where id = ${claims[3]?.deliveryId ?? ""}`);
  const attempt = { statusCode: 200, snippet: null, error: null, durationMs: 1, attemptedAt: new Date() };
  const verdict = { event: "accepted", delayMs: null } as const;
  const recorded = await saveEachAttempt(
    context.db,
    claims.map((claim) => ({ claim, attempt, verdict })),
  );
  expect(recorded.map(({ status }) => status)).toEqual(Array(7).fill("DELIVERED"));
  expect(recorded.map(({ deliveryId }) => deliveryId)).not.toContain(claims[3]?.deliveryId);
});

it("recording returns an endpoint once it is suspended, and only once", async () => {
  await aBacklog(context, { merchantId, id }, 8);
  const claims = await claimAsIdle(context, 20);
  const attempt = { statusCode: 500, snippet: null, durationMs: 1, attemptedAt: new Date() };
  const save = (some: typeof claims) =>
    saveAttempts(
      context.db,
      some.map((claim) => ({
        claim,
        attempt: { ...attempt, error: "http_status" },
        verdict: { event: "rejected", delayMs: 5_000 },
      })),
    );
  expect(await save(claims.slice(0, 4))).toEqual([]);
  expect(await save(claims.slice(4))).toEqual([
    { merchantId, endpointId: id, mustWait: true, isHopeless: false },
  ]);
  expect(await save(claims)).toEqual([]);
});
