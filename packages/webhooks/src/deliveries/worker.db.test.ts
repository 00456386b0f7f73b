import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MerchantId } from "@daric/domain/ids";
import { type Sql, sql } from "@daric/postgres/sql";
import { createTestContext, type Overrides, withSettings } from "@daric/testing/context";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import {
  aBacklog,
  aMerchantId,
  anEndpointRow,
  announceDeposit,
  attemptRows,
  claimOne,
  deliver,
  deliveryRows,
  eventually,
  runMaintenance,
  settled,
} from "@daric/testing/webhook-builders";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createEndpoint } from "../endpoints/create-endpoint.ts";
import { deleteEndpoint } from "../endpoints/delete-endpoint.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import {
  expireAbandonedDeliveries,
  recoverLapsedDeliveries,
  resumeParkedDeliveries,
} from "./maintain-deliveries.ts";
import { startWebhookWorker, type WebhookWorker } from "./worker.ts";

/** The deadline of attempts that a test waits for. */
const SHORT_DEADLINE_MS = 600;
const TRIES = 3;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let receiver: Receiver;
const workers: WebhookWorker[] = [];

beforeAll(async () => {
  context = await createTestContext({
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    WEBHOOK_RETRY_SCHEDULE: "0s,60ms,60ms",
    WEBHOOK_CONCURRENCY: "64",
    WEBHOOK_ENDPOINTS_PER_MERCHANT: "40",
  });
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = await aMerchantId(context.db);
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await receiver.close();
});

function startWorker(webhooks: Overrides["webhooks"] = {}): WebhookWorker {
  const worker = startWebhookWorker(withSettings(context, { webhooks }));
  workers.push(worker);
  return worker;
}

async function anEndpoint(url = receiver.url) {
  return createEndpoint(context, { merchantId, url, description: null, eventTypes: undefined });
}

/** Claims like a worker that dies before it has a result. */
async function claimAndDie() {
  const claim = await claimOne(context);
  await context.db.query(sql`
    update webhook_deliveries set lease_until = now() - interval '1 second' where id = ${claim.deliveryId}`);
  return claim;
}

it("a due event is delivered once, with the stored bytes and headers that stock verifiers accept", async () => {
  const endpoint = await anEndpoint();
  const depositId = await announceDeposit(context, merchantId);
  startWorker();
  const delivery = await settled(context, endpoint.id, "DELIVERED");

  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  if (!request) throw new Error("nothing was received");
  const stored = await context.db.query<{ body: Buffer }>(
    sql`select body from webhook_event_bodies where event_id = ${delivery.event_id}`,
  );
  expect(request.body.equals(stored[0]?.body ?? Buffer.alloc(0))).toBe(true);
  expect(request.headers).toMatchObject({
    "content-type": "application/json",
    "accept-encoding": "identity",
    "user-agent": "Daric-Webhooks/1",
    "x-service-signature": createHmac("sha256", endpoint.secret).update(request.body).digest("hex"),
    "webhook-id": delivery.event_id,
    "x-service-event": "deposit.confirmed",
    "x-service-delivery-id": delivery.id,
    "x-service-attempt": "1",
  });
  const headers = request.headers as Record<string, string>;
  for (const Verifier of [StandardWebhook, SvixWebhook])
    expect(new Verifier(endpoint.secret).verify(request.body.toString(), headers)).toMatchObject({
      id: delivery.event_id,
      event: "deposit.confirmed",
      data: { depositId },
    });

  expect(delivery).toMatchObject({
    reference_id: depositId,
    attempt_count: 1,
    last_status_code: 200,
    last_error: null,
    next_attempt_at: null,
    lease_until: null,
  });
  expect(await attemptRows(context, delivery.id)).toMatchObject([
    { number: 1, trigger: "schedule", status_code: 200, response_snippet: "ok", error: null },
  ]);
});

it("500 and then 200: the retry has the same id and bytes, and a new signature", async () => {
  receiver.answer = (response, _, index) =>
    response.writeHead(index === 0 ? 500 : 200).end(`answer ${index}`);
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  startWorker();
  const delivery = await settled(context, endpoint.id, "DELIVERED");
  const [first, second] = receiver.received;
  expect(first?.body.equals(second?.body ?? Buffer.alloc(0))).toBe(true);
  expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
  expect(second?.headers["x-service-attempt"]).toBe("2");
  expect(delivery).toMatchObject({ attempt_count: 2, last_status_code: 200, last_error: null });
  expect(await attemptRows(context, delivery.id)).toMatchObject([
    { number: 1, status_code: 500, error: "http_status", response_snippet: "answer 0" },
    { number: 2, status_code: 200, error: null, response_snippet: "answer 1" },
  ]);
});

it("between two tries a delivery is FAILED and has the time of the next one", async () => {
  receiver.answer = (response) => response.writeHead(503).end();
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const claim = await claimOne(context);
  expect((await deliveryRows(context, endpoint.id))[0]).toMatchObject({
    status: "SENDING",
    attempt_count: 1,
  });
  expect(await deliver(context, claim)).toBe("FAILED");
  const [delivery] = await deliveryRows(context, endpoint.id);
  expect(delivery).toMatchObject({ status: "FAILED", last_status_code: 503, last_error: "http_status" });
  expect(delivery?.next_attempt_at).toBeInstanceOf(Date);
});

it("after the last try of the schedule a delivery is EXHAUSTED and not tried again", async () => {
  receiver.answer = (response) => response.writeHead(500).end();
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  startWorker();
  const delivery = await settled(context, endpoint.id, "EXHAUSTED");
  expect(delivery).toMatchObject({ attempt_count: TRIES, last_error: "http_status", next_attempt_at: null });
  expect(await attemptRows(context, delivery.id)).toHaveLength(TRIES);
  await sleep(300);
  expect(receiver.received).toHaveLength(TRIES);
});

it("a redirect is a failed attempt, and its target gets no request", async () => {
  const second = await startReceiver();
  receiver.answer = (response) => response.writeHead(307, { location: second.url }).end();
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  startWorker();
  expect(await settled(context, endpoint.id, "EXHAUSTED")).toMatchObject({ last_status_code: 307 });
  expect(second.received).toEqual([]);
  await second.close();
});

it("a 200 whose body does not end in time delivers, with the start of the body", async () => {
  receiver.answer = (response) => response.writeHead(200).write("never");
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  startWorker({ timeoutMs: SHORT_DEADLINE_MS });
  const delivery = await settled(context, endpoint.id, "DELIVERED");
  expect(delivery).toMatchObject({ attempt_count: 1, last_status_code: 200, last_error: null });
  expect(await attemptRows(context, delivery.id)).toMatchObject([
    { error: null, status_code: 200, response_snippet: "never" },
  ]);
  expect(receiver.received).toHaveLength(1);
});

it("a reset connection is tried again", async () => {
  receiver.answer = (response, _, index) => {
    if (index > 0) response.end();
    else response.socket?.resetAndDestroy();
  };
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  startWorker();
  const delivery = await settled(context, endpoint.id, "DELIVERED");
  expect((await attemptRows(context, delivery.id)).map(({ error }) => error)).toEqual(["reset", null]);
});

it("a receiver that was down gets the event when it is up again", async () => {
  const { port, url } = receiver;
  await receiver.close();
  const endpoint = await anEndpoint(url);
  await announceDeposit(context, merchantId);
  startWorker({ retryScheduleMs: [0, ...Array(50).fill(400)] });
  await eventually(
    async () => (await deliveryRows(context, endpoint.id))[0]?.last_error === "connect_refused",
  );
  receiver = await startReceiver({ port });
  const delivery = await settled(context, endpoint.id, "DELIVERED");
  expect(delivery.attempt_count).toBeGreaterThan(1);
  expect(receiver.received).toHaveLength(1);
});

it("a worker that dies between claim and result costs a lease: the same bytes go out again", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const lost = await claimAndDie();
  startWorker();
  const delivery = await settled(context, endpoint.id, "DELIVERED");
  expect(delivery).toMatchObject({ attempt_count: 2, lease_number: 2n });
  expect(await attemptRows(context, delivery.id)).toMatchObject([
    { number: 1, error: "lease_expired", status_code: null, response_snippet: null },
    { number: 2, error: null, status_code: 200 },
  ]);
  expect(receiver.received.map(({ body }) => lost.body && body.equals(lost.body))).toEqual([true]);
});

it("a delivery without a body ends at once with its error, and holds no slot", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const [waiting] = await deliveryRows(context, endpoint.id);
  await context.owner.query(sql`
    delete from webhook_event_bodies where merchant_id = ${merchantId} and event_id = ${waiting?.event_id ?? ""}`);
  startWorker();
  const delivery = await settled(context, endpoint.id, "EXHAUSTED");
  expect(delivery).toMatchObject({ attempt_count: 1, last_error: "body_missing" });
  expect(await attemptRows(context, delivery.id)).toMatchObject([
    { number: 1, error: "body_missing", status_code: null, response_snippet: null },
  ]);
  expect(receiver.received).toEqual([]);
});

it("a worker that lost its lease writes nothing", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const stale = await claimAndDie();
  await runMaintenance(context, recoverLapsedDeliveries);
  const fresh = await claimOne(context);
  receiver.answer = (response) => response.writeHead(500).end();
  expect(await deliver(context, stale)).toBeUndefined();
  receiver.answer = (response) => response.end();
  expect(await deliver(context, fresh)).toBe("DELIVERED");
  expect(await deliver(context, fresh)).toBeUndefined();
  const [delivery] = await deliveryRows(context, endpoint.id);
  expect(delivery).toMatchObject({ status: "DELIVERED", attempt_count: 2, last_status_code: 200 });
  expect((await attemptRows(context, delivery?.id ?? "")).map(({ error }) => error)).toEqual([
    "lease_expired",
    null,
  ]);
});

it("a delivery whose worker dies at the last try is EXHAUSTED as lease_expired", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    await claimAndDie();
    await runMaintenance(context, recoverLapsedDeliveries);
  }
  const [delivery] = await deliveryRows(context, endpoint.id);
  expect(delivery).toMatchObject({
    status: "EXHAUSTED",
    attempt_count: TRIES,
    last_error: "lease_expired",
  });
  expect(await attemptRows(context, delivery?.id ?? "")).toHaveLength(TRIES);
});

it("a claim from a backup of a month ago lapses like any other", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const { deliveryId } = await claimAndDie();
  await context.owner.query(sql`
    update webhook_deliveries set updated_at = now() - interval '30 days' where id = ${deliveryId}`);
  await runMaintenance(context, recoverLapsedDeliveries);
  expect(await deliveryRows(context, endpoint.id)).toMatchObject([{ status: "FAILED" }]);
  expect(await attemptRows(context, deliveryId)).toMatchObject([
    { error: "lease_expired", duration_ms: 2 ** 31 - 1 },
  ]);
});

it("two workers and one row make exactly one request", async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await anEndpoint();
    workers.push(startWebhookWorker(context), startWebhookWorker(context));
    await announceDeposit(context, merchantId);
    for (const worker of workers) worker.wake();
    await settled(context, id, "DELIVERED");
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(receiver.received.splice(0)).toHaveLength(1);
    await deleteEndpoint(context, { merchantId, id });
  }
});

it("many deliveries and two workers: each is made once; requests, rows and attempts agree", async () => {
  const COUNT = 120;
  const endpoints = [await anEndpoint(), await anEndpoint(), await anEndpoint()];
  workers.push(startWebhookWorker(context), startWebhookWorker(context));
  await Promise.all(Array.from({ length: COUNT / 3 }, () => announceDeposit(context, merchantId)));
  const rows = await eventually(async () => {
    const all = (await Promise.all(endpoints.map(({ id }) => deliveryRows(context, id)))).flat();
    return all.length === COUNT && all.every(({ status }) => status === "DELIVERED") && all;
  });
  expect(receiver.received).toHaveLength(COUNT);
  expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery-id"])).size).toBe(COUNT);
  for (const row of rows) expect(row.attempt_count).toBe((await attemptRows(context, row.id)).length);
});

/** The milliseconds from an empty claim to the next one. During the empty one all earlier claims are answered and recorded. */
async function pauseAfterEmptyClaim(): Promise<number> {
  const { id } = await anEndpoint();
  await aBacklog(context, { merchantId, id }, 20);
  const { answer } = receiver;
  const unanswered: (() => void)[] = [];
  receiver.answer = (...request) => unanswered.push(() => answer(...request));
  const areRecorded = async () =>
    (await deliveryRows(context, id)).filter(({ status }) => status === "DELIVERED").length === 8;
  let [claims, emptyMs, nextMs] = [0, 0, 0];
  const query = async <Row>(statement: Sql): Promise<Row[]> => {
    if (!statement.text.includes("probed as (")) return context.db.query<Row>(statement);
    claims += 1;
    if (claims === 3) nextMs = performance.now();
    const rows = await context.db.query<Row>(statement);
    if (claims !== 2) return rows;
    await eventually(() => unanswered.length === 4);
    receiver.answer = answer;
    for (const answerNow of unanswered) answerNow();
    await eventually(areRecorded);
    emptyMs = performance.now();
    return rows;
  };
  const worker = startWebhookWorker({ ...context, db: { ...context.db, query } });
  workers.push(worker);
  await eventually(() => nextMs > 0);
  await worker.stop();
  await deleteEndpoint(context, { merchantId, id });
  return nextMs - emptyMs;
}

it("a claim that finds nothing while results come in is followed by the next one before a poll", async () => {
  const pauses = [await pauseAfterEmptyClaim(), await pauseAfterEmptyClaim(), await pauseAfterEmptyClaim()];
  // The least pause of a poll is 120 ms.
  expect(pauses.filter((ms) => ms < 100).length).toBeGreaterThanOrEqual(2);
});

it("an endpoint that never responds holds four slots and delays no other", async () => {
  const stuck = await startReceiver();
  stuck.answer = () => {};
  const slow = await anEndpoint(stuck.url);
  for (let count = 0; count < 40; count++) await announceDeposit(context, merchantId);
  const healthy = await anEndpoint();
  await context.db.query(sql`update webhook_endpoints set is_active = false where id = ${slow.id}`);
  await announceDeposit(context, merchantId);
  await context.db.query(sql`update webhook_endpoints set is_active = true where id = ${slow.id}`);
  startWorker();
  await settled(context, healthy.id, "DELIVERED");
  // None of the slow endpoint's attempts had ended by then.
  const before = await deliveryRows(context, slow.id);
  expect(before.filter(({ status }) => !["PENDING", "SENDING"].includes(status))).toEqual([]);
  await eventually(() => stuck.received.length >= 4);
  const sending = (await deliveryRows(context, slow.id)).filter(({ status }) => status === "SENDING");
  expect(sending.length).toBeLessThanOrEqual(8);
  expect(stuck.received).toHaveLength(4);
  await deleteEndpoint(context, { merchantId, id: slow.id });
  await stuck.close();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

it("forty silent endpoints of one merchant hold three quarters of the slots, and another merchant's event goes out", async () => {
  const blackHole = await startReceiver();
  blackHole.answer = () => {};
  const attacker = await aMerchantId(context.db);
  for (let count = 0; count < 40; count++) {
    const input = { merchantId: attacker, url: blackHole.url, description: null, eventTypes: undefined };
    await createEndpoint(context, input);
  }
  for (let count = 0; count < 2; count++) await announceDeposit(context, attacker);
  startWorker({ concurrency: 16 });
  await eventually(() => blackHole.received.length >= 12);
  const honest = await anEndpoint();
  await announceDeposit(context, merchantId);
  await settled(context, honest.id, "DELIVERED");
  // None of the attacker's attempts had ended, so the delivery did not wait for one of its slots.
  const [attempts] = await context.db.query<{ count: bigint }>(
    sql`select count(*) from webhook_attempts where merchant_id = ${attacker}`,
  );
  expect([attempts?.count, blackHole.received.length]).toEqual([0n, 12]);
  await context.db.query(sql`update webhook_endpoints set is_active = false where merchant_id = ${attacker}`);
  await blackHole.close();
});

it("a disabled endpoint parks its deliveries without attempts and gets them when it is enabled", async () => {
  const endpoint = await anEndpoint();
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: false });
  for (let count = 0; count < 3; count++) await announceDeposit(context, merchantId);
  startWorker();
  await sleep(300);
  expect(receiver.received).toEqual([]);
  for (const delivery of await deliveryRows(context, endpoint.id))
    expect(delivery).toMatchObject({ status: "PENDING", attempt_count: 0 });
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: true });
  await eventually(async () =>
    (await deliveryRows(context, endpoint.id)).every(({ status }) => status === "DELIVERED"),
  );
  expect(receiver.received).toHaveLength(3);
});

it("deliveries parked too long end as parked_too_long; the others go out one after the other", async () => {
  const endpoint = await anEndpoint();
  for (let count = 0; count < 3; count++) await announceDeposit(context, merchantId);
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: false });
  const [old] = await deliveryRows(context, endpoint.id);
  await context.owner.query(sql`
    update webhook_deliveries set created_at = now() - interval '3 days 1 minute' where id = ${old?.id}`);
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: true });
  expect(await runMaintenance(context, resumeParkedDeliveries)).toBe(true);
  const [ended, first, second] = await deliveryRows(context, endpoint.id);
  expect(ended).toMatchObject({
    status: "EXHAUSTED",
    last_error: "parked_too_long",
    attempt_count: 0,
    next_attempt_at: null,
  });
  expect([first?.status, second?.status]).toEqual(["PENDING", "PENDING"]);
  expect(Number(second?.next_attempt_at) - Number(first?.next_attempt_at)).toBe(50);
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: true });
  expect((await deliveryRows(context, endpoint.id)).map(({ status }) => status)).toEqual([
    "EXHAUSTED",
    "PENDING",
    "PENDING",
  ]);
  await deleteEndpoint(context, { merchantId, id: endpoint.id });
});

it("deliveries that waited too long for a disabled endpoint end while it is disabled, and no others", async () => {
  const [disabled, active] = [await anEndpoint(), await anEndpoint()];
  for (let count = 0; count < 2; count++) await announceDeposit(context, merchantId);
  await updateEndpoint(context, { merchantId, id: disabled.id, isActive: false });
  const [old] = await deliveryRows(context, disabled.id);
  await context.db.query(sql`
    update webhook_deliveries set next_attempt_at = now() - interval '3 days 1 second'
    where id = ${old?.id} or endpoint_id = ${active.id}`);
  expect(await runMaintenance(context, expireAbandonedDeliveries)).toBe(false);
  expect(await deliveryRows(context, disabled.id)).toMatchObject([
    { status: "EXHAUSTED", last_error: "parked_too_long", attempt_count: 0 },
    { status: "PENDING", last_error: null },
  ]);
  expect((await deliveryRows(context, active.id)).map(({ status }) => status)).toEqual([
    "PENDING",
    "PENDING",
  ]);
  for (const { id } of [disabled, active]) await deleteEndpoint(context, { merchantId, id });
});

it("a retry that is not due yet is not parked: enabling keeps its time and its age", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const due = new Date(Date.now() + 3_600_000);
  await context.owner.query(sql`
    update webhook_deliveries set created_at = now() - interval '4 days', next_attempt_at = ${due}
    where endpoint_id = ${endpoint.id}`);
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: false });
  await updateEndpoint(context, { merchantId, id: endpoint.id, isActive: true });
  expect((await deliveryRows(context, endpoint.id))[0]).toMatchObject({
    status: "PENDING",
    next_attempt_at: due,
  });
});

it("deliveries of a deleted endpoint end as endpoint_deleted without an attempt", async () => {
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  await deleteEndpoint(context, { merchantId, id: endpoint.id });
  startWorker();
  expect(await settled(context, endpoint.id, "EXHAUSTED")).toMatchObject({
    last_error: "endpoint_deleted",
    attempt_count: 0,
    next_attempt_at: null,
  });
  expect(receiver.received).toEqual([]);
});

it("an endpoint is deleted during an attempt: success counts, and failure is final", async () => {
  for (const [statusCode, recorded, status, lastError] of [
    [200, "DELIVERED", "DELIVERED", null],
    [500, "FAILED", "EXHAUSTED", "endpoint_deleted"],
  ] as const) {
    const endpoint = await anEndpoint();
    await announceDeposit(context, merchantId);
    const claim = await claimOne(context);
    receiver.answer = async (response) => {
      await deleteEndpoint(context, { merchantId, id: endpoint.id });
      response.writeHead(statusCode).end();
    };
    expect(await deliver(context, claim)).toBe(recorded);
    await runMaintenance(context, expireAbandonedDeliveries);
    const [delivery] = await deliveryRows(context, endpoint.id);
    expect(delivery).toMatchObject({ status, last_error: lastError, last_status_code: statusCode });
    expect(await attemptRows(context, delivery?.id ?? "")).toHaveLength(1);
  }
});

it("retries go to the current URL", async () => {
  const next = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end();
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const claim = await claimOne(context);
  await deliver(context, claim);
  await updateEndpoint(context, { merchantId, id: endpoint.id, url: next.url });
  startWorker();
  await settled(context, endpoint.id, "DELIVERED");
  expect([receiver.received.length, next.received.length]).toEqual([1, 1]);
  await next.close();
});

it("stopping waits for running attempts and starts no new ones", async () => {
  let finish = () => {};
  receiver.answer = (response) => {
    finish = () => response.end("late");
  };
  const endpoint = await anEndpoint();
  await announceDeposit(context, merchantId);
  const worker = startWebhookWorker(context);
  await eventually(() => receiver.received.length === 1);
  const stopped = worker.stop();
  await announceDeposit(context, merchantId);
  worker.wake();
  await sleep(150);
  finish();
  await stopped;
  expect((await deliveryRows(context, endpoint.id)).map(({ status }) => status)).toEqual([
    "DELIVERED",
    "PENDING",
  ]);
  expect(receiver.received).toHaveLength(1);
  await deleteEndpoint(context, { merchantId, id: endpoint.id });
});

it("a secret that cannot be decrypted is a fault of ours: the delivery waits uncounted, and others go on", async () => {
  const broken = await anEndpointRow(context.db, merchantId, { url: receiver.url });
  const healthy = await anEndpoint();
  await announceDeposit(context, merchantId);
  startWorker();
  await settled(context, healthy.id, "DELIVERED");
  const delivery = await settled(context, broken, "PENDING");
  expect(delivery.attempt_count).toBe(0);
  const waiting = await eventually(async () => {
    const [row] = await deliveryRows(context, broken);
    return row?.next_attempt_at && Number(row.next_attempt_at) > Date.now() + 30_000 && row;
  });
  expect(waiting).toMatchObject({ status: "PENDING", attempt_count: 0 });
  expect(receiver.received).toHaveLength(1);
});
