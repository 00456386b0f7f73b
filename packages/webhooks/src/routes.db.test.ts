import type { MerchantId } from "@daric/domain/ids";
import { webhookDeliveryStatuses } from "@daric/domain/webhook-delivery";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import {
  announceDeposit,
  announceOrder,
  attemptRows,
  claimAsIdle,
  deliver,
  deliveryRows,
  eventually,
  runMaintenance,
} from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expireAbandonedDeliveries } from "./deliveries/maintain-deliveries.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let apiKey: string;
let receiver: Receiver;

beforeAll(async () => {
  context = await createTestContext({
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    WEBHOOK_TIMEOUT: "3s",
    RATE_LIMIT_KEY_BURST: "10000",
  });
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  apiKey = (await anApiKey(context, merchantId)).key;
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type Answer = {
  success: boolean;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: these tests are about the content of responses
  data: any;
  meta?: { page: number; limit: number; total: number };
  error?: { code: string; details?: { path: string; message: string }[] };
};

async function call(method: Method, path: string, payload?: object, key = apiKey) {
  const response = await app.inject({
    method,
    url: `/v1/webhooks${path}`,
    headers: { "x-api-key": key },
    ...(payload === undefined ? {} : { payload }),
  });
  const { statusCode: status, body: text, headers } = response;
  return { status, text, headers, ...(response.json() as Answer) };
}

async function anEndpoint(body: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await call("POST", "/endpoints", { url: receiver.url, ...body });
  expect(answer.status).toBe(201);
  return answer.data;
}

describe("creating an endpoint", () => {
  it("answers 201 with the contract's row and the secret, which no other answer contains", async () => {
    const answer = await call("POST", "/endpoints", {
      url: "http://127.0.0.1:4000/hook",
      description: "orders",
      unknown: true,
    });
    expect(answer).toMatchObject({ status: 201, success: true, message: "Created" });
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: "http://127.0.0.1:4000/hook",
      description: "orders",
      event_types: ["deposit.confirmed"],
      status: "active",
      is_active: true,
      secret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updated_at: answer.data.created_at,
    });
    const { id, secret } = answer.data;
    const { secret: _secret, ...row } = answer.data;
    const others = [
      await call("GET", `/endpoints/${id}`),
      await call("GET", "/endpoints"),
      await call("PATCH", `/endpoints/${id}`, { isActive: true }),
    ];
    expect(others[0]?.data).toEqual(row);
    expect(others[1]?.data).toEqual([row]);
    for (const { text } of others) expect(text).not.toContain("secret");
    const stored = await context.db.query<{ text: string }>(
      sql`select e::text || encode(secret_ciphertext, 'escape') as text from webhook_endpoints e where id = ${id}`,
    );
    expect(stored[0]?.text).not.toContain(secret.slice(6, 20));
  });

  it("accepts every event type, each once, and a missing or null description", async () => {
    const eventTypes = [...webhookEventTypes, "order.paid", "deposit.confirmed"];
    const answer = await call("POST", "/endpoints", { url: receiver.url, description: null, eventTypes });
    expect(answer.data).toMatchObject({ description: null, event_types: webhookEventTypes });
  });

  it.each<[string, object, string[]]>([
    ["no url", {}, ["url"]],
    ["a url that is none", { url: "not a url" }, ["url"]],
    ["another scheme", { url: "ftp://127.0.0.1/" }, ["url"]],
    ["a number for a url", { url: 5 }, ["url"]],
    ["a url of 2,049 characters", { url: `http://127.0.0.1/${"a".repeat(2_032)}` }, ["url"]],
    [
      "everything wrong at once",
      { url: null, description: "x".repeat(256), eventTypes: [] },
      ["description", "eventTypes", "url"],
    ],
    [
      "event types that are no list",
      { url: "http://127.0.0.1/", eventTypes: "deposit.confirmed" },
      ["eventTypes"],
    ],
    ["an event type that is no text", { url: "http://127.0.0.1/", eventTypes: [1] }, ["eventTypes.0"]],
  ])("refuses %s as VALIDATION_ERROR that names the fields", async (_, body, paths) => {
    const answer = await call("POST", "/endpoints", body);
    expect(answer).toMatchObject({ status: 422, error: { code: "VALIDATION_ERROR" } });
    expect(answer.error?.details?.map(({ path }) => path).sort()).toEqual(paths);
  });

  it.each([
    [" http://127.0.0.1:4000/x", /blanks/],
    ["http://127.0.0.1:4000/x\n", /blanks/],
    ["ht\ttp://127.0.0.1:4000/", /blanks/],
    ["http:\\\\127.0.0.1:4000/", /backslashes/],
    ["http://127.0.0.1:0/", /port other than 0/],
    ["http://127.0.0.1:4000/x#top", /fragment/],
    ["http://user:pw@127.0.0.1:4000/", /user name or a password/],
  ])("refuses the url %j with the reason, at update too", async (url, why) => {
    const { id } = await anEndpoint();
    for (const answer of [
      await call("POST", "/endpoints", { url }),
      await call("PATCH", `/endpoints/${id}`, { url }),
    ]) {
      expect(answer).toMatchObject({ status: 422, error: { code: "VALIDATION_ERROR" } });
      expect(answer.error?.details?.every(({ path }) => path === "url")).toBe(true);
      expect(answer.error?.details?.map(({ message }) => message).join()).toMatch(why);
    }
  });

  it("accepts a url of exactly 2,048 characters and a description of 255", async () => {
    const url = `http://127.0.0.1/${"a".repeat(2_031)}`;
    const answer = await call("POST", "/endpoints", { url, description: "é".repeat(255) });
    expect(answer).toMatchObject({ status: 201, data: { url } });
  });

  it.each([
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://0xa9fea9fe/",
    "http://localhost/",
    "http://intranet/",
    "http://db.internal/",
  ])("refuses %s as INVALID_WEBHOOK_URL, at update too", async (url) => {
    const { id } = await anEndpoint();
    for (const answer of [
      await call("POST", "/endpoints", { url }),
      await call("PATCH", `/endpoints/${id}`, { url }),
    ])
      expect(answer).toMatchObject({
        status: 422,
        error: { code: "INVALID_WEBHOOK_URL", details: [{ path: "url" }] },
      });
    expect((await call("GET", `/endpoints/${id}`)).data.url).toBe(receiver.url);
  });

  it("refuses an unknown event type as INVALID_EVENT_TYPE, at update too; a bad url is reported first", async () => {
    const { id } = await anEndpoint();
    const eventTypes = ["deposit.confirmed", "deposit.exploded", "*"];
    for (const answer of [
      await call("POST", "/endpoints", { url: receiver.url, eventTypes }),
      await call("PATCH", `/endpoints/${id}`, { eventTypes }),
    ]) {
      expect(answer).toMatchObject({ status: 422, error: { code: "INVALID_EVENT_TYPE" } });
      expect(answer.error?.details?.map(({ path }) => path)).toEqual(["eventTypes.1", "eventTypes.2"]);
    }
    const both = await call("POST", "/endpoints", { url: "http://10.0.0.1/", eventTypes });
    expect(both.error?.code).toBe("INVALID_WEBHOOK_URL");
  });
});

describe("a merchant has at most WEBHOOK_ENDPOINTS_PER_MERCHANT endpoints", () => {
  const CAP = 20;

  it("exactly, also for concurrent requests; a deleted one frees a place and a disabled one does not", async () => {
    const create = () => call("POST", "/endpoints", { url: receiver.url });
    // A busy machine may answer 503 to some of them.
    const patiently = async (): ReturnType<typeof create> => {
      const answer = await create();
      return answer.status === 503 ? patiently() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, patiently));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(CAP);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, error }) => `${status} ${error?.code}`))).toEqual(
      new Set(["422 TOO_MANY_ENDPOINTS"]),
    );
    expect((await call("GET", "/endpoints")).meta?.total).toBe(CAP);
    const [first, second] = answers.filter(({ status }) => status === 201);
    await call("PATCH", `/endpoints/${first?.data.id}`, { isActive: false });
    expect((await create()).status).toBe(422);
    await call("DELETE", `/endpoints/${second?.data.id}`);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(422);
  });

  it("other merchants' endpoints do not count, and faults of the request are reported first", async () => {
    for (let count = 0; count < CAP; count++) await anEndpoint();
    expect((await call("POST", "/endpoints", { url: "http://10.0.0.1/" })).error?.code).toBe(
      "INVALID_WEBHOOK_URL",
    );
    const other = await anApiKey(context, (await aMerchant(context.db)).id);
    expect((await call("POST", "/endpoints", { url: receiver.url }, other.key)).status).toBe(201);
  });
});

describe("listing endpoints", () => {
  it("returns the newest first, page by page, and by status", async () => {
    const ids = [(await anEndpoint()).id, (await anEndpoint()).id, (await anEndpoint()).id].reverse();
    await call("PATCH", `/endpoints/${ids[1]}`, { isActive: false });
    const all = await call("GET", "/endpoints");
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.meta).toEqual({ page: 1, limit: 20, total: 3 });
    const second = await call("GET", "/endpoints?page=2&limit=2");
    expect(second.data).toMatchObject([{ id: ids[2] }]);
    expect(second.meta).toEqual({ page: 2, limit: 2, total: 3 });
    const disabled = await call("GET", "/endpoints?status=disabled");
    expect(disabled.data).toMatchObject([{ id: ids[1], status: "disabled", is_active: false }]);
    expect(disabled.meta?.total).toBe(1);
    expect((await call("GET", "/endpoints?status=active")).meta?.total).toBe(2);
    expect((await call("GET", "/endpoints?page=9")).data).toEqual([]);
    const rest = await call("GET", `/endpoints?after=${ids[0]}`);
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
  });

  it.each(["status=gone", "limit=0", "limit=101", "page=0", "page=x", "page=1&page=2"])(
    "refuses %s",
    async (query) => {
      expect(await call("GET", `/endpoints?${query}`)).toMatchObject({
        status: 422,
        error: { code: "VALIDATION_ERROR" },
      });
    },
  );
});

describe("updating an endpoint", () => {
  it("changes only the given fields, and never the secret", async () => {
    const { id } = await anEndpoint({ description: "old", eventTypes: ["order.paid"] });
    const secretOf = async () =>
      (
        await context.db.query<{ sealed: Buffer }>(
          sql`select secret_ciphertext as sealed from webhook_endpoints where id = ${id}`,
        )
      )[0]?.sealed.toString("hex");
    const before = await secretOf();
    const patch = async (body: object) => (await call("PATCH", `/endpoints/${id}`, body)).data;
    expect(await patch({ description: "new" })).toMatchObject({
      description: "new",
      event_types: ["order.paid"],
      url: receiver.url,
      is_active: true,
    });
    expect(await patch({ description: null })).toMatchObject({ description: null });
    expect(await patch({ eventTypes: ["deposit.confirmed", "deposit.confirmed"] })).toMatchObject({
      event_types: ["deposit.confirmed"],
    });
    expect(await patch({ isActive: false })).toMatchObject({ status: "disabled", is_active: false });
    expect(await patch({ isActive: true, url: "http://127.0.0.2/" })).toMatchObject({
      status: "active",
      url: "http://127.0.0.2/",
    });
    expect(await patch({ description: "last", secret: "whsec_mine" })).not.toHaveProperty("secret");
    expect(await secretOf()).toBe(before);
  });

  it.each<[string, object]>([
    ["nothing", {}],
    ["only fields it does not know", { secret: "whsec_x" }],
    ["an empty list of event types", { eventTypes: [] }],
    ["isActive that is no boolean", { isActive: "false" }],
    ["isActive null", { isActive: null }],
    ["a null url", { url: null }],
  ])("refuses %s as VALIDATION_ERROR", async (_, body) => {
    const { id } = await anEndpoint();
    expect(await call("PATCH", `/endpoints/${id}`, body)).toMatchObject({
      status: 422,
      error: { code: "VALIDATION_ERROR" },
    });
  });

  it("reports 404 of the path before 422 of the body", async () => {
    expect(await call("PATCH", `/endpoints/${uuidv7()}`, {})).toMatchObject({ status: 404 });
  });
});

it("deleting an endpoint erases its secret; afterwards every path of it is 404 and its log stays", async () => {
  const { id } = await anEndpoint();
  await announceDeposit(context, merchantId);
  expect(await call("DELETE", `/endpoints/${id}`)).toMatchObject({
    status: 200,
    success: true,
    message: "Success",
    data: { id, deleted: true },
  });
  for (const answer of [
    await call("GET", `/endpoints/${id}`),
    await call("PATCH", `/endpoints/${id}`, { isActive: true }),
    await call("POST", `/endpoints/${id}/test`),
    await call("DELETE", `/endpoints/${id}`),
  ])
    expect(answer).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
  expect((await call("GET", "/endpoints")).meta?.total).toBe(0);
  await runMaintenance(context, expireAbandonedDeliveries);
  expect((await call("GET", "/deliveries")).data).toMatchObject([
    { endpoint_id: id, status: "EXHAUSTED", last_error: "endpoint_deleted", attempts: 0 },
  ]);
  const secrets = await context.db.query<{ sealed: Buffer | null }>(
    sql`select secret_ciphertext as sealed from webhook_endpoints where id = ${id}`,
  );
  expect(secrets).toEqual([{ sealed: null }]);
  expect(receiver.received).toEqual([]);
});

describe("sending a test event", () => {
  it("delivers a signed webhook.test once and logs it without a reference", async () => {
    const { id } = await anEndpoint();
    const answer = await call("POST", `/endpoints/${id}/test`);
    expect(answer).toMatchObject({ status: 200, message: "Success" });
    expect(answer.data).toEqual({ ok: true, statusCode: 200, durationMs: expect.any(Number) });
    const [request] = receiver.received;
    expect(JSON.parse(request?.body.toString() ?? "")).toMatchObject({
      event: "webhook.test",
      apiVersion: "v1",
      environment: "test",
      sequence: 1,
      data: { endpointId: id },
    });
    expect(request?.headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
    const log = await call("GET", "/deliveries");
    expect(log.data).toMatchObject([
      { event_type: "webhook.test", reference_id: id, status: "DELIVERED", attempts: 1 },
    ]);
    expect((await call("GET", `/deliveries?referenceId=${id}`)).data).toEqual(log.data);
    const detail = await call("GET", `/deliveries/${log.data[0].id}`);
    expect(detail.data.attempts).toMatchObject([{ number: 1, trigger: "test", status_code: 200 }]);
  });

  it("works on a disabled endpoint, and returns its status", async () => {
    const { id } = await anEndpoint();
    await call("PATCH", `/endpoints/${id}`, { isActive: false });
    expect((await call("POST", `/endpoints/${id}/test`)).data).toMatchObject({
      ok: true,
      endpointStatus: "disabled",
    });
    expect(receiver.received).toHaveLength(1);
  });

  it("describes its failure in a sentence, and does not retry", async () => {
    const { id } = await anEndpoint();
    receiver.answer = (response) => response.writeHead(418).end("teapot");
    expect((await call("POST", `/endpoints/${id}/test`)).data).toEqual({
      ok: false,
      statusCode: 418,
      durationMs: expect.any(Number),
      error: "The receiver answered, but not with a 2xx status (http_status).",
    });
    receiver.answer = () => {};
    expect((await call("POST", `/endpoints/${id}/test`)).data).toEqual({
      ok: false,
      durationMs: expect.any(Number),
      error: expect.stringMatching(/^The receiver did not answer in time: .* \(timeout\)\.$/),
    });
    await receiver.close();
    expect((await call("POST", `/endpoints/${id}/test`)).data).toMatchObject({
      ok: false,
      error: expect.stringMatching(/is the receiver running, .* \(connect_refused\)\.$/),
    });
    receiver = await startReceiver();
    const rows = await deliveryRows(context, id);
    expect(rows.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual(
      Array(3).fill(["EXHAUSTED", null]),
    );
    expect(await claimAsIdle(context, 10)).toEqual([]);
  });

  it("is refused beyond six a minute to one endpoint, with the time to wait; another merchant's key uses none", async () => {
    const eventTypes = ["deposit.confirmed", "order.paid"];
    const [first, second] = [await anEndpoint({ eventTypes }), await anEndpoint({ eventTypes })];
    const outsider = await anApiKey(context, (await aMerchant(context.db)).id);
    for (let count = 0; count < 10; count++)
      expect((await call("POST", `/endpoints/${first.id}/test`, undefined, outsider.key)).status).toBe(404);
    for (let count = 0; count < 6; count++)
      expect((await call("POST", `/endpoints/${first.id}/test`)).status).toBe(200);
    const refused = await call("POST", `/endpoints/${first.id}/test`);
    expect(refused).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(5);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(10);
    expect((await call("POST", `/endpoints/${second.id}/test`)).status).toBe(200);
    expect(receiver.received).toHaveLength(7);
    expect(await deliveryRows(context, first.id)).toHaveLength(6);
  });

  it("is refused while another test of the same endpoint is in progress", async () => {
    const { id } = await anEndpoint();
    let answerFirst = () => {};
    receiver.answer = (response) => (answerFirst = () => response.end());
    const first = call("POST", `/endpoints/${id}/test`);
    await eventually(() => receiver.received.length === 1);
    const second = await call("POST", `/endpoints/${id}/test`);
    expect(second).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
    expect(second.headers["retry-after"]).toBe("1");
    answerFirst();
    expect((await first).data.ok).toBe(true);
    expect(receiver.received).toHaveLength(1);
  });

  it("answers the same for every private target in the database", async () => {
    const { id } = await anEndpoint();
    for (const url of [
      "http://10.0.0.1/",
      "http://[::1]:1/",
      "http://localhost/",
      "http://169.254.169.254/",
    ]) {
      await context.db.query(sql`update webhook_endpoints set url = ${url} where id = ${id}`);
      expect((await call("POST", `/endpoints/${id}/test`)).data).toEqual({
        ok: false,
        durationMs: expect.any(Number),
        error: expect.stringMatching(/\(blocked_address\)\.$/),
      });
    }
  });
});

describe("the delivery log", () => {
  async function deliverAll() {
    for (const claim of await claimAsIdle(context, 100)) await deliver(context, claim);
  }

  it("returns the contract's rows, and on retrieve the attempts", async () => {
    const { id } = await anEndpoint();
    const depositId = await announceDeposit(context, merchantId);
    receiver.answer = (response) => response.writeHead(500).end("broken\0");
    await deliverAll();
    const list = await call("GET", "/deliveries");
    const [row] = await deliveryRows(context, id);
    const shown = {
      id: row?.id,
      event_id: row?.event_id,
      event_type: "deposit.confirmed",
      endpoint_id: id,
      endpoint_url: receiver.url,
      reference_id: depositId,
      deposit_address_id: null,
      order_ref: null,
      status: "FAILED",
      attempt_count: 1,
      last_status_code: 500,
      last_error: "http_status",
      next_attempt_at: row?.next_attempt_at?.toISOString(),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(list.data).toEqual([{ ...shown, attempts: 1 }]);
    expect(list.meta).toEqual({ page: 1, limit: 20, total: 1 });
    const detail = await call("GET", `/deliveries/${row?.id}`);
    const [attempt] = await attemptRows(context, row?.id ?? "");
    expect(detail.data).toEqual({
      ...shown,
      attempts: [
        {
          number: 1,
          trigger: "schedule",
          status_code: 500,
          response_snippet: "broken",
          error: "http_status",
          duration_ms: attempt?.duration_ms,
          attempted_at: attempt?.attempted_at.toISOString(),
        },
      ],
    });
  });

  it("filters by status and reference, with exact totals", async () => {
    const { id } = await anEndpoint();
    const [first] = [await announceDeposit(context, merchantId), await announceDeposit(context, merchantId)];
    await deliverAll();
    const third = await announceDeposit(context, merchantId);
    const list = async (query: string) => {
      const { data, meta } = await call("GET", `/deliveries?${query}`);
      return [data.length, meta?.total];
    };
    expect(await list("")).toEqual([3, 3]);
    expect(await list("limit=1")).toEqual([1, 3]);
    const { data } = await call("GET", "/deliveries");
    expect(await list(`after=${data[0].id}`)).toEqual([2, 3]);
    expect(await list("status=DELIVERED")).toEqual([2, 2]);
    expect(await list(`status=DELIVERED&after=${data[1].id}`)).toEqual([1, 2]);
    expect(await list("status=PENDING&page=2")).toEqual([0, 1]);
    expect(await list(`referenceId=${first}`)).toEqual([1, 1]);
    expect(await list(`referenceId=${first}&status=PENDING`)).toEqual([0, 0]);
    expect(await list(`referenceId=${third}&status=PENDING`)).toEqual([1, 1]);
    expect(await list(`referenceId=${id}`)).toEqual([0, 0]);
    // All rows would follow this id.
    for (const filter of ["", "status=DELIVERED&"])
      expect(
        await call("GET", `/deliveries?${filter}after=ffffffff-ffff-7fff-bfff-ffffffffffff`),
      ).toMatchObject({ status: 422 });
    for (const status of webhookDeliveryStatuses) {
      const [rows, total] = await list(`status=${status}`);
      expect(total).toBe(rows);
    }
    const newest = await call("GET", "/deliveries?limit=1");
    expect(newest.data[0].reference_id).toBe(third);
  });

  it("name the endpoint and the order, and are filtered by both", async () => {
    const eventTypes = ["deposit.confirmed", "order.paid"];
    const [first, second] = [await anEndpoint({ eventTypes }), await anEndpoint({ eventTypes })];
    const [wanted, other] = [
      await aCharge(context.db, { merchantId, orderRef: "A-1042" }),
      await aCharge(context.db, { merchantId, orderRef: "A-1043" }),
    ];
    const deposit = await aDeposit(context.db, { chargeId: wanted.id, amount: "25" });
    await announceDeposit(context, merchantId, deposit.id);
    await announceOrder(context, merchantId, wanted.id);
    await announceOrder(context, merchantId, other.id);
    const list = async (query: string) => {
      const { data, meta } = await call("GET", `/deliveries?${query}`);
      expect(meta?.total).toBe(data.length);
      return data as Record<string, string>[];
    };
    const order = { deposit_address_id: wanted.id, order_ref: "A-1042" };
    const forOrder = await list("orderRef=A-1042");
    expect(forOrder).toHaveLength(4);
    for (const row of forOrder) expect(row).toMatchObject({ ...order, endpoint_url: receiver.url });
    expect(new Set(forOrder.map((row) => row.endpoint_id))).toEqual(new Set([first.id, second.id]));
    expect(new Set(forOrder.map((row) => row.reference_id))).toEqual(new Set([deposit.id, wanted.id]));
    const inBoth = await list(`orderRef=A-1042&endpointId=${first.id}&status=PENDING`);
    expect(inBoth.map((row) => row.endpoint_id)).toEqual([first.id, first.id]);
    expect(await list(`endpointId=${second.id}`)).toHaveLength(3);
    expect(await list(`endpointId=${second.id}&referenceId=${other.id}`)).toHaveLength(1);
    expect(await list("orderRef=A-104")).toEqual([]);
    const [stranger] = [await aMerchant(context.db)];
    const { key } = await anApiKey(context, stranger.id);
    for (const query of ["orderRef=A-1042", `endpointId=${first.id}`])
      expect((await call("GET", `/deliveries?${query}`, undefined, key)).data).toEqual([]);
    const { id } = forOrder[0] ?? {};
    expect((await call("GET", `/deliveries/${id}`)).data).toMatchObject(order);
  });

  it.each(["status=sent", "referenceId=1", "endpointId=1", "status=FAILED&status=FAILED"])(
    "refuses %s",
    async (query) => {
      expect(await call("GET", `/deliveries?${query}`)).toMatchObject({ status: 422 });
    },
  );
});

it("another merchant's rows are 404, the same to a byte as missing rows or invalid ids", async () => {
  const { id } = await anEndpoint();
  await announceDeposit(context, merchantId);
  const [delivery] = await deliveryRows(context, id);
  const outsiderId = (await aMerchant(context.db)).id;
  const { key } = await anApiKey(context, outsiderId);
  const withoutCorrelation = (text: string) => text.replace(/"correlationId":"[^"]*"/, "");
  const missingOf = async (list: string) =>
    withoutCorrelation((await call("GET", `${list}/${uuidv7()}`)).text);
  const missing = await missingOf("/endpoints");
  const missingDelivery = await missingOf("/deliveries");
  for (const endpointId of [id, uuidv7(), "1", "%00"])
    for (const [method, path, body] of [
      ["GET", `/endpoints/${endpointId}`, undefined],
      ["PATCH", `/endpoints/${endpointId}`, { isActive: false }],
      ["DELETE", `/endpoints/${endpointId}`, undefined],
      ["POST", `/endpoints/${endpointId}/test`, undefined],
      ["POST", `/endpoints/${endpointId}/rotate-secret`, { overlapSeconds: "x" }],
    ] as const) {
      const answer = await call(method, path, body, key);
      expect(answer.status, `${method} ${path}`).toBe(404);
      expect(withoutCorrelation(answer.text)).toBe(missing);
    }
  for (const deliveryId of [delivery?.id, uuidv7(), "x"]) {
    for (const [method, path] of [
      ["GET", `/deliveries/${deliveryId}`],
      ["POST", `/deliveries/${deliveryId}/resend`],
    ] as const) {
      const answer = await call(method, path, undefined, key);
      expect([answer.status, withoutCorrelation(answer.text)]).toEqual([404, missingDelivery]);
    }
  }
  expect((await call("GET", "/deliveries", undefined, key)).meta?.total).toBe(0);
  expect((await call("GET", "/endpoints", undefined, key)).meta?.total).toBe(0);
  expect((await call("GET", `/endpoints/${id}`)).data.is_active).toBe(true);
  expect(receiver.received).toEqual([]);
});

it("a key can do only what its scopes allow", async () => {
  const { id } = await anEndpoint();
  const reader = (await anApiKey(context, merchantId, { scopes: ["webhooks:read"] })).key;
  const other = (await anApiKey(context, merchantId, { scopes: ["charges:write"] })).key;
  expect((await call("GET", `/endpoints/${id}`, undefined, reader)).status).toBe(200);
  expect((await call("GET", "/deliveries", undefined, reader)).status).toBe(200);
  for (const [method, path] of [
    ["POST", "/endpoints"],
    ["PATCH", `/endpoints/${id}`],
    ["DELETE", `/endpoints/${id}`],
    ["POST", `/endpoints/${id}/test`],
    ["POST", `/endpoints/${id}/rotate-secret`],
    ["POST", `/deliveries/${uuidv7()}/resend`],
  ] as const)
    expect((await call(method, path, {}, reader)).error?.code, `${method} ${path}`).toBe(
      "INSUFFICIENT_SCOPE",
    );
  for (const path of ["/endpoints", `/endpoints/${id}`, "/deliveries", `/deliveries/${uuidv7()}`])
    expect((await call("GET", path, undefined, other)).error?.code, path).toBe("INSUFFICIENT_SCOPE");
});
