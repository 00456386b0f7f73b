import { setTimeout as sleep } from "node:timers/promises";
import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import {
  aBacklog,
  aMerchantId,
  attemptRows,
  claimAsIdle,
  claimOne,
  deliver,
  deliveryRows,
  dueMerchants,
  eventually,
} from "@daric/testing/webhook-builders";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createEndpoint } from "../endpoints/create-endpoint.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import { rescheduleLater } from "../queue/queue-store.ts";
import { startWebhookWorker, type WebhookWorker } from "./worker.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let id: EndpointId;
let receiver: Receiver;
let worker: WebhookWorker | undefined;
beforeAll(async () => {
  context = await createTestContext({ WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8" });
});
afterAll(() => context.close());
beforeEach(async () => {
  receiver = await startReceiver();
  merchantId = await aMerchantId(context.db);
  const input = { merchantId, url: receiver.url, description: null, eventTypes: undefined };
  id = (await createEndpoint(context, input)).id;
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await receiver.close();
  await context.owner.query(sql`update webhook_endpoints set is_active = false`);
});

function answerWith(status: number, retryAfter?: string): void {
  receiver.answer = (response) =>
    response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
}

const health = async () =>
  one(
    await context.db.query<{ failed_attempts: number; probe_at: Date | null; paused: number | null }>(sql`
      select *, extract(epoch from paused_until - now())::float8 as paused
      from endpoint_health where endpoint_id = ${id}`),
  );
/** Ends the pause of the endpoint; the first one began so long ago. */
const endPause = (since = "1 minute") =>
  context.db.query(sql`
    with health as (
      update endpoint_health set paused_until = now() - interval '1 second', paused_since = now() - ${since}::interval
      where endpoint_id = ${id}),
    delivery as (
      update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${id} and status = 'FAILED')
    update endpoint_queue set due_at = now() where endpoint_id = ${id}`);
const isActive = async () =>
  (await context.db.query(sql`select from webhook_endpoints where id = ${id} and is_active`)).length === 1;

it("a receiver that asks for a pause gets nothing before its end, and loses no event", async () => {
  await aBacklog(context, { merchantId, id }, 60);
  answerWith(429, "3");
  worker = startWebhookWorker(context);
  const startMs = performance.now();
  await eventually(() => receiver.received.length > 0);
  await sleep(1_500);
  // Those that were under way when the first one was answered.
  const before = receiver.received.length;
  expect(before).toBeLessThanOrEqual(8);
  answerWith(200);
  await eventually(async () =>
    (await deliveryRows(context, id)).every(({ status }) => status === "DELIVERED"),
  );
  const [first = 0] = receiver.received.slice(before).map(({ atMs }) => atMs);
  expect(first - startMs).toBeGreaterThan(2_900);
  expect(await health()).toMatchObject({ failed_attempts: 0, probe_at: null });
});

it.each([
  ["seconds", "120", 120],
  ["a date", new Date(Date.now() + 600_000).toUTCString(), 600],
  ["more than an hour", "999999", 3_600],
])("a pause in %s is kept, for an hour at most", async (_what, text, seconds) => {
  await aBacklog(context, { merchantId, id }, 3);
  answerWith(503, text);
  expect(await deliver(context, await claimOne(context))).toBe("FAILED");
  expect(await claimAsIdle(context, 10)).toEqual([]);
  const { paused } = await health();
  expect(paused).toBeGreaterThan(seconds - 60);
  expect(paused).toBeLessThanOrEqual(seconds);
  expect(await rescheduleLater(context.db, [merchantId], { parkedForMs: 1_000 })).toBe(1);
  expect(await dueMerchants(context)).not.toContain(merchantId);
});

it("tries that ask for a pause are logged, and count neither against health nor among the twelve", async () => {
  await aBacklog(context, { merchantId, id }, 1);
  answerWith(429, "60");
  for (let made = 0; made < 15; made++) {
    expect(await deliver(context, await claimOne(context))).toBe("FAILED");
    await endPause();
  }
  expect(await health()).toMatchObject({ failed_attempts: 0, probe_at: null });
  const [row] = await deliveryRows(context, id);
  expect(row).toMatchObject({ attempt_count: 15, pauses: 15 });
  const attempts = await attemptRows(context, row?.id ?? "");
  expect(attempts.map(({ number, status_code }) => [number, status_code])).toEqual(
    Array.from({ length: 15 }, (_, index) => [index + 1, 429]),
  );
});

it("after a day of pauses without a success such tries count, and the pause is still kept", async () => {
  await aBacklog(context, { merchantId, id }, 2);
  answerWith(429, "60");
  await deliver(context, await claimOne(context));
  await endPause("24 hours 1 second");
  await deliver(context, await claimOne(context));
  expect(await health()).toMatchObject({ failed_attempts: 1, probe_at: null });
  expect(await claimAsIdle(context, 10)).toEqual([]);
  // A success ends the day.
  await endPause("24 hours 1 second");
  answerWith(200);
  await deliver(context, await claimOne(context));
  await endPause();
  answerWith(429, "60");
  await aBacklog(context, { merchantId, id }, 1);
  await deliver(context, await claimOne(context));
  expect(await health()).toMatchObject({ failed_attempts: 0 });
});

it.each(["0", "-1", "soon", "1e9"])("Retry-After %s asks for no pause: the try counts", async (text) => {
  await aBacklog(context, { merchantId, id }, 2);
  answerWith(429, text);
  await deliver(context, await claimOne(context));
  expect(await health()).toMatchObject({ failed_attempts: 1, paused: null });
  expect(await claimAsIdle(context, 10)).toHaveLength(1);
});

it("an endpoint that is given another URL has no pause", async () => {
  await aBacklog(context, { merchantId, id }, 2);
  answerWith(429, "60");
  await deliver(context, await claimOne(context));
  await updateEndpoint(context, { merchantId, id, url: "http://127.0.0.1:9/" });
  expect(await claimAsIdle(context, 10)).toHaveLength(1);
});

it("an endpoint that answers nothing but 410 for a day is disabled, counted for the alert, and its deliveries are kept", async () => {
  const disabled = async () => (await context.metrics.endpointsDisabled.get()).values[0]?.value ?? 0;
  const before = await disabled();
  await aBacklog(context, { merchantId, id }, 30);
  const attempts = async (status: number) => {
    answerWith(status);
    const known = receiver.received.length;
    await context.db.query(sql`
      with health as (update endpoint_health set probe_at = case when probe_at is not null then now() end where endpoint_id = ${id})
      update endpoint_queue set due_at = now() where endpoint_id = ${id}`);
    worker = startWebhookWorker(context);
    await eventually(() => receiver.received.length > known);
    await worker.stop();
  };
  const ageBy = (age: string) =>
    context.db.query(
      sql`update endpoint_health set gone_since = gone_since - ${age}::interval where endpoint_id = ${id}`,
    );
  await attempts(410);
  await ageBy("23 hours");
  await attempts(410);
  expect(await isActive()).toBe(true);
  // Another answer begins the day anew.
  await attempts(500);
  await attempts(410);
  await ageBy("23 hours");
  await attempts(410);
  expect(await isActive()).toBe(true);
  await ageBy("2 hours");
  await attempts(410);
  expect(await isActive()).toBe(false);
  expect(await disabled()).toBe(before + 1);
  expect(
    (await deliveryRows(context, id)).every(({ status }) => ["PENDING", "FAILED"].includes(status)),
  ).toBe(true);
});
