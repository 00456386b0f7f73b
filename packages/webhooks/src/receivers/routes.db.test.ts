import { idOf, type MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import type { Receiver } from "@daric/testing/receiver";
import { announceDeposit, deliveryRows, endInADay, hoursLeft } from "@daric/testing/webhook-builders";
import { startWebhookApi, type WebhookShop } from "@daric/testing/webhook-shop";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resendDeliveries } from "../deliveries/resend-deliveries.ts";
import { recoverEndpoint } from "./recover-endpoint.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let api: Awaited<ReturnType<typeof startWebhookApi>>;
let context: typeof api.context;
let merchantId: MerchantId;
let receiver: Receiver;
let call: WebhookShop["call"];
let deliverAll: typeof api.deliverAll;

beforeAll(async () => {
  api = await startWebhookApi();
  ({ context, deliverAll } = api);
});
afterAll(() => api.close());
beforeEach(async () => {
  ({ merchantId, receiver, call } = await api.aShop());
});
afterEach(() => receiver.close());

async function anEndpoint(body: object = {}): Promise<string> {
  return (await call("POST", "/endpoints", { url: receiver.url, ...body })).data.id;
}

/** Moves everything of the merchant's due times by this into the past. */
async function wait(ms: number): Promise<void> {
  await context.db.query(sql`
    update webhook_deliveries set next_attempt_at = next_attempt_at - ${ms}::integer * interval '1 millisecond'
    where merchant_id = ${merchantId} and next_attempt_at is not null`);
  await context.db.query(
    sql`update endpoint_queue set due_at = '-infinity' where merchant_id = ${merchantId}`,
  );
}

const fail = () => {
  receiver.answer = (response) => response.writeHead(500).end("broken");
};
const accept = () => {
  receiver.answer = (response) => response.writeHead(204).end();
};
const exhaust = () =>
  context.owner.query(sql`
    with delivery as (
      update webhook_deliveries set status = 'EXHAUSTED', next_attempt_at = null
      where merchant_id = ${merchantId} and status = 'FAILED' returning merchant_id),
    counts as (
      select count(*) as moved from delivery),
    less as (
      update list_counts set rows = rows - (select moved from counts)
      where merchant_id = ${merchantId} and list = 'webhook_deliveries' and facets = '{FAILED}'
        and slot = (select min(slot) from list_counts where merchant_id = ${merchantId}
          and list = 'webhook_deliveries' and facets = '{FAILED}'))
    insert into list_counts (merchant_id, list, facets, slot, rows)
    select ${merchantId}, 'webhook_deliveries', '{EXHAUSTED}', 0, moved from counts
    on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + excluded.rows`);
/** Has one delivery that is EXHAUSTED, and then one that is FAILED. */
const failTwo = async () => {
  fail();
  for (const isEnded of [true, false]) {
    await announceDeposit(context, merchantId);
    await deliverAll();
    if (isEnded) await exhaust();
  }
};
const deliveredIds = () =>
  receiver.received.map(
    ({ body }) => (JSON.parse(body.toString()) as { data: { depositId: string } }).data.depositId,
  );
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** 100,001 ids in order, which is fast, and times: the first two hours ago, the others a minute ago. */
const overTheLimit = sql`
  (select lpad(to_hex(number), 32, '0')::uuid as id,
    now() - case when number = 0 then interval '2 hours' else interval '1 minute' end as created_at
  from generate_series(0, 100000) as number)`;

/** Expects that a call refuses all of {@link overTheLimit} with the rule, and accepts all but the first. */
async function expectLimit(path: string, rule: string): Promise<void> {
  const { status, error } = await call("POST", path, { from: ago(DAY_MS) });
  const details = [{ path: "from", message: expect.stringContaining(rule) }];
  expect([status, error]).toMatchObject([422, { code: "VALIDATION_ERROR", details }]);
  const accepted = await call("POST", path, { from: ago(60 * MINUTE_MS) });
  expect([accepted.status, accepted.data]).toEqual([200, { deliveries: 0 }]);
}

describe("resending by filter", () => {
  it("sends what was not delivered once more, oldest first and 50 ms apart", async () => {
    const endpointId = await anEndpoint();
    const deposits = [await announceDeposit(context, merchantId), await announceDeposit(context, merchantId)];
    fail();
    await deliverAll();
    await exhaust();
    deposits.push(await announceDeposit(context, merchantId));
    await deliverAll();
    const before = await deliveryRows(context, endpointId);
    expect(before.map(({ status }) => status)).toEqual(["EXHAUSTED", "EXHAUSTED", "FAILED"]);
    const { status, data } = await call("POST", "/deliveries/resend", {});
    expect([status, data]).toEqual([200, { deliveries: 3 }]);
    const rows = await deliveryRows(context, endpointId);
    expect(rows.map((row) => row.status)).toEqual(["PENDING", "PENDING", "FAILED"]);
    const [first = 0, second = 0] = rows.map((row) => row.next_attempt_at?.getTime());
    expect(second - first).toBe(50);
    receiver.received.length = 0;
    accept();
    await wait(MINUTE_MS);
    await deliverAll();
    expect(deliveredIds().toSorted()).toEqual(deposits.toSorted());
    expect((await deliveryRows(context, endpointId)).map((row) => row.status)).toEqual([
      "DELIVERED",
      "DELIVERED",
      "DELIVERED",
    ]);
    expect((await call("POST", "/deliveries/resend", {})).data).toEqual({ deliveries: 0 });
  });

  it("takes only what matches: status, endpoint, reference, types and time", async () => {
    const one = await anEndpoint();
    const other = await anEndpoint();
    const deposits = [await announceDeposit(context, merchantId), await announceDeposit(context, merchantId)];
    await deliverAll();
    const count = async (body: object) => (await call("POST", "/deliveries/resend", body)).data?.deliveries;
    expect(await count({ status: "EXHAUSTED" })).toBe(0);
    expect(await count({ status: "DELIVERED", eventTypes: ["order.paid"] })).toBe(0);
    expect(await count({ status: "DELIVERED", to: ago(MINUTE_MS) })).toBe(0);
    expect(await count({ status: "DELIVERED", endpointId: one, referenceId: deposits[0] })).toBe(1);
    expect(await count({ status: "DELIVERED", endpointId: one, from: ago(MINUTE_MS) })).toBe(1);
    expect((await deliveryRows(context, other)).map(({ status }) => status)).toEqual([
      "DELIVERED",
      "DELIVERED",
    ]);
    expect(await count({ status: "DELIVERED", eventTypes: ["deposit.confirmed"] })).toBe(2);
  });

  it("leaves out tests, disabled endpoints and lost bodies", async () => {
    const endpointId = await anEndpoint();
    await announceDeposit(context, merchantId);
    await announceDeposit(context, merchantId);
    await call("POST", `/endpoints/${endpointId}/test`);
    await deliverAll();
    const [lost] = await deliveryRows(context, endpointId);
    await context.owner.query(sql`delete from webhook_event_bodies where event_id = ${lost?.event_id}`);
    const body = { status: "DELIVERED" };
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: false });
    expect((await call("POST", "/deliveries/resend", body)).data).toEqual({ deliveries: 0 });
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: true });
    expect((await call("POST", "/deliveries/resend", body)).data).toEqual({ deliveries: 1 });
  });

  it("gives what it sends four days again, and leaves the rest", async () => {
    const endpointId = await anEndpoint();
    await failTwo();
    accept();
    await announceDeposit(context, merchantId);
    await deliverAll();
    await endInADay(context, endpointId);
    expect((await call("POST", "/deliveries/resend", {})).data).toEqual({ deliveries: 2 });
    expect(await hoursLeft(context, endpointId)).toEqual([96, 96, 24]);
  });

  it("refuses more matches than one call may send, and changes none of them", async () => {
    const endpointId = await anEndpoint();
    for (let count = 0; count < 3; count++) await announceDeposit(context, merchantId);
    await deliverAll();
    const filter = {
      merchantId,
      from: new Date(0),
      to: new Date(),
      statuses: ["DELIVERED"] as const,
      endpointId: undefined,
      referenceId: undefined,
      eventTypes: undefined,
    };
    await expect(resendDeliveries(context, filter, 2)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "from", message: expect.stringContaining("at most 2 matching deliveries") }],
    });
    expect((await deliveryRows(context, endpointId)).map(({ status }) => status)).not.toContain("PENDING");
    expect(await resendDeliveries(context, filter, 3)).toBe(3);
  });

  it("matches at most 100,000 deliveries in one call", async () => {
    const endpointId = await anEndpoint();
    // Without their events nothing is sent.
    await context.owner.query(sql`
      insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, event_type, status, created_at)
      select ${merchantId}, id, id, ${endpointId}, 'deposit.confirmed', 'EXHAUSTED', created_at from ${overTheLimit} made`);
    await expectLimit("/deliveries/resend", "must leave at most 100,000 matching deliveries up to `to`");
  });

  it.each([
    [{ from: "yesterday" }, "VALIDATION_ERROR", "from", "must be an ISO 8601 time with an offset"],
    [
      { from: ago(31 * DAY_MS) },
      "VALIDATION_ERROR",
      "from",
      expect.stringContaining("at most 30 days before"),
    ],
    [{ from: ago(-DAY_MS) }, "VALIDATION_ERROR", "from", expect.stringContaining("must be before")],
    [{ status: "SENDING" }, "VALIDATION_ERROR", "status", expect.stringContaining("FAILED")],
    [{ endpointId: "7" }, "VALIDATION_ERROR", "endpointId", "must be a UUID"],
    [
      { eventTypes: ["deposit.confirmd"] },
      "INVALID_EVENT_TYPE",
      "eventTypes.0",
      expect.stringContaining("did you mean deposit.confirmed?"),
    ],
  ])("refuses %o with the field and its rule", async (body, code, path, message) => {
    const { status, error } = await call("POST", "/deliveries/resend", body);
    expect([status, error.code, error.details]).toEqual([422, code, [{ path, message }]]);
  });
});

describe("recovering an endpoint", () => {
  it("sends what the endpoint did not accept, also from before it was created", async () => {
    const early = await announceDeposit(context, merchantId);
    const endpointId = await anEndpoint();
    const accepted = await announceDeposit(context, merchantId);
    await deliverAll();
    fail();
    const failed = await announceDeposit(context, merchantId);
    await deliverAll();
    await exhaust();
    const waiting = await announceDeposit(context, merchantId);
    await deliverAll();
    accept();
    receiver.received.length = 0;
    const { status, data } = await call("POST", `/endpoints/${endpointId}/recover`, { from: ago(DAY_MS) });
    expect([status, data]).toEqual([200, { deliveries: 3 }]);
    await wait(MINUTE_MS);
    await deliverAll();
    expect(deliveredIds().toSorted()).toEqual([early, failed, waiting].toSorted());
    expect(deliveredIds()).not.toContain(accepted);
    const { data: again } = await call("POST", `/endpoints/${endpointId}/recover`, { from: ago(DAY_MS) });
    expect(again).toEqual({ deliveries: 0 });
    expect((await call("GET", "/deliveries?status=DELIVERED")).data).toHaveLength(4);
  });

  it("gives what it sends four days from now, also of an event of a week ago", async () => {
    await announceDeposit(context, merchantId);
    await context.owner.query(sql`
      with body as (
        update webhook_event_bodies set created_at = created_at - interval '7 days' where merchant_id = ${merchantId})
      update webhook_events set created_at = created_at - interval '7 days' where merchant_id = ${merchantId}`);
    const endpointId = await anEndpoint();
    await failTwo();
    await endInADay(context, endpointId);
    const { data } = await call("POST", `/endpoints/${endpointId}/recover`, { from: ago(8 * DAY_MS) });
    expect(data).toEqual({ deliveries: 3 });
    expect(await hoursLeft(context, endpointId)).toEqual([96, 96, 96]);
  });

  it("goes by the types and the range, and passes over what lost its body", async () => {
    await announceDeposit(context, merchantId);
    const orders = await anEndpoint({ eventTypes: ["order.paid"] });
    const all = { from: ago(DAY_MS) };
    expect((await call("POST", `/endpoints/${orders}/recover`, all)).data).toEqual({ deliveries: 0 });
    const deposits = await anEndpoint();
    const early = { from: ago(DAY_MS), to: ago(MINUTE_MS) };
    expect((await call("POST", `/endpoints/${deposits}/recover`, early)).data).toEqual({ deliveries: 0 });
    await context.owner.query(sql`delete from webhook_event_bodies where merchant_id = ${merchantId}`);
    expect((await call("POST", `/endpoints/${deposits}/recover`, all)).data).toEqual({ deliveries: 0 });
  });

  it("refuses more events than one call may read", async () => {
    const id = idOf("endpoint", await anEndpoint());
    for (let count = 0; count < 3; count++) await announceDeposit(context, merchantId);
    const endpoint = { merchantId, id, isActive: true, eventTypes: ["deposit.confirmed"] as const };
    const range = { from: new Date(0), to: new Date(Date.now() + MINUTE_MS) };
    await expect(recoverEndpoint(context, endpoint, { ...range, max: 2 })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "from", message: expect.stringContaining("at most 2 events") }],
    });
    expect(await recoverEndpoint(context, endpoint, { ...range, max: 3 })).toBe(0);
  });

  it("reads at most 100,000 events in one call", async () => {
    const endpointId = await anEndpoint();
    // Without their bodies nothing is sent.
    await context.owner.query(sql`
      insert into webhook_events (merchant_id, id, type, sequence, mac, created_at)
      select ${merchantId}, id, 'deposit.confirmed', 1, decode(repeat('00', 32), 'hex'), created_at from ${overTheLimit} made`);
    await expectLimit(`/endpoints/${endpointId}/recover`, "must leave at most 100,000 events up to `to`");
  });

  it("takes a range of exactly 30 days, and refuses one that is a millisecond longer", async () => {
    const path = `/endpoints/${await anEndpoint()}/recover`;
    const to = new Date();
    const before = (ms: number) => ({ from: new Date(to.getTime() - ms), to });
    expect((await call("POST", path, before(30 * DAY_MS))).data).toEqual({ deliveries: 0 });
    expect((await call("POST", path, before(30 * DAY_MS + 1))).error.code).toBe("VALIDATION_ERROR");
  });

  it.each([
    [{}, "from", "must be an ISO 8601 time with an offset"],
    [{ from: ago(31 * DAY_MS) }, "from", expect.stringContaining("must be at most 30 days before `to`")],
    [{ from: ago(MINUTE_MS), to: ago(DAY_MS) }, "from", expect.stringContaining("must be before `to`")],
  ])("refuses %o with the field and its rule", async (body, path, message) => {
    const { status, error } = await call("POST", `/endpoints/${await anEndpoint()}/recover`, body);
    expect([status, error.code, error.details]).toEqual([422, "VALIDATION_ERROR", [{ path, message }]]);
  });

  it("is refused for a disabled endpoint, unknown to another merchant, and limited with tests and resends", async () => {
    const endpointId = await anEndpoint();
    const body = { from: ago(DAY_MS) };
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: false });
    expect((await call("POST", `/endpoints/${endpointId}/recover`, body)).error.code).toBe("NOT_RESENDABLE");
    expect((await call("POST", `/endpoints/${uuidv7()}/recover`, body)).status).toBe(404);
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: true });
    const statuses = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push((await call("POST", `/endpoints/${endpointId}/recover`, body)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe("the health of an endpoint", () => {
  const healthOf = async (endpointId: string) => (await call("GET", `/endpoints/${endpointId}/health`)).data;

  it("says what the last day was like, since when it fails and what waits", async () => {
    const endpointId = await anEndpoint();
    const health = () => healthOf(endpointId);
    expect(await health()).toEqual({
      last_success_at: null,
      failing_since: null,
      failed_attempts: 0,
      is_suspended: false,
      oldest_due_at: null,
      attempts: 0,
      success_rate: null,
      p95_ms: null,
    });
    const startMs = Date.now();
    for (let count = 0; count < 3; count++) await announceDeposit(context, merchantId);
    await deliverAll();
    await call("POST", `/endpoints/${endpointId}/test`);
    const good = await health();
    expect(good).toMatchObject({ failing_since: null, oldest_due_at: null, attempts: 3, success_rate: 1 });
    expect(Date.parse(good.last_success_at)).toBeGreaterThanOrEqual(startMs - 1_000);
    expect(good.p95_ms).toBeGreaterThan(0);
    fail();
    await announceDeposit(context, merchantId);
    await deliverAll();
    await wait(MINUTE_MS);
    const bad = await health();
    expect(bad).toMatchObject({
      last_success_at: good.last_success_at,
      failed_attempts: 1,
      is_suspended: false,
      attempts: 4,
      success_rate: 0.75,
    });
    expect(Date.parse(bad.failing_since)).toBeGreaterThanOrEqual(startMs);
    expect(Date.parse(bad.oldest_due_at)).toBeLessThan(Date.now());
    accept();
    await deliverAll();
    expect(await health()).toMatchObject({
      failing_since: null,
      oldest_due_at: null,
      attempts: 5,
      success_rate: 0.8,
    });
  });

  type Counted = { hoursAgo: number; durationClass: number; attempts: number; accepted: number };
  /** Counts attempts; the durations of a class are at most 2^(class/4) ms. */
  const count = (endpointId: string, { hoursAgo, durationClass, attempts, accepted }: Counted) =>
    context.db.query(sql`
      insert into endpoint_attempt_counts (merchant_id, endpoint_id, hour, duration_class, attempts, accepted)
      values (${merchantId}, ${endpointId}, date_trunc('hour', now() - ${hoursAgo}::integer * interval '1 hour', 'UTC'),
        ${durationClass}::smallint, ${attempts}::integer, ${accepted}::integer)`);

  it("goes by the attempts of 24 hours: the share of successes, and the duration that 95 of 100 kept", async () => {
    const endpointId = await anEndpoint();
    const health = () => healthOf(endpointId);
    await count(endpointId, { hoursAgo: 25, durationClass: 60, attempts: 1_000, accepted: 0 });
    expect(await health()).toMatchObject({ attempts: 0, success_rate: null, p95_ms: null });
    await count(endpointId, { hoursAgo: 1, durationClass: 13, attempts: 95, accepted: 95 });
    await count(endpointId, { hoursAgo: 22, durationClass: 40, attempts: 5, accepted: 2 });
    expect(await health()).toMatchObject({ attempts: 100, success_rate: 0.97, p95_ms: 10 });
    await count(endpointId, { hoursAgo: 1, durationClass: 44, attempts: 1, accepted: 0 });
    expect(await health()).toMatchObject({ attempts: 101, success_rate: 0.9603, p95_ms: 1_024 });
  });

  it("says that an endpoint is suspended from its fifth failure in a row until it is enabled again", async () => {
    const endpointId = await anEndpoint();
    const health = () => healthOf(endpointId);
    fail();
    for (let failures = 1; failures <= 5; failures++) {
      await announceDeposit(context, merchantId);
      await deliverAll();
      expect(await health()).toMatchObject({ failed_attempts: failures, is_suspended: failures === 5 });
    }
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: true });
    expect(await health()).toMatchObject({ failed_attempts: 0, is_suspended: false });
  });
});
