import type { ServerResponse } from "node:http";
import { freePort } from "@daric/testing/free-port";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Daric } from "./daric.ts";
import { DaricError } from "./daric-error.ts";
import type { DaricOptions } from "./settings.ts";

const API_KEY = "daric_test_sk_0123456789abcdef_secret";

/** A server with answers that the test chooses, faulty ones like a proxy's included. */
let service: Receiver;

beforeEach(async () => {
  service = await startReceiver();
});
afterEach(() => service.close());

const client = (options: Partial<DaricOptions> = {}) =>
  new Daric({ baseUrl: new URL(service.url).origin, apiKey: API_KEY, ...options });

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

function send(response: ServerResponse, { status = 200, headers = {}, body }: Answer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

const success = (data: unknown): Answer => ({ body: { success: true, message: "Success", data } });
const refusal = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { success: false, message: "No.", error: { code }, correlationId: "c-1" },
});

/** The answers in order; the last one repeats. */
function answer(...answers: Answer[]): void {
  service.answer = (response, _, index) => send(response, answers[index] ?? (answers.at(-1) as Answer));
}

async function failureOf(work: Promise<unknown>): Promise<DaricError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(DaricError);
  return error as DaricError;
}

const requests = () => service.received.map(({ method, path }) => `${method} ${path}`);

describe("a call", () => {
  it("goes to its path with key, query and body, and returns the data in its wire form", async () => {
    answer(success({ order_ref: "A-1" }));
    const daric = client({ userAgent: "shop/1.2" });
    const order = await daric.depositAddresses.create(
      { amount: "1", orderRef: "A-1" },
      { correlationId: "mine" },
    );
    expect(order).toEqual({ order_ref: "A-1" });
    await daric.deposits.list({ orderRef: "a b&c", limit: 5 });
    await daric.deposits.retrieve("a/../b");
    expect(requests()).toEqual([
      "POST /v1/deposit-addresses",
      "GET /v1/deposits?orderRef=a+b%26c&limit=5",
      "GET /v1/deposits/a%2F..%2Fb",
    ]);
    const [created] = service.received;
    expect(JSON.parse(String(created?.body))).toEqual({ amount: "1", orderRef: "A-1" });
    expect(created?.headers).toMatchObject({
      "x-api-key": API_KEY,
      "x-correlation-id": "mine",
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^daric-sdk\/\S+ shop\/1\.2$/),
    });
  });

  it("goes below the path of the base URL", async () => {
    answer(success([]));
    await client({ baseUrl: `${new URL(service.url).origin}/daric/` }).deposits.list();
    expect(requests()).toEqual(["GET /daric/v1/deposits"]);
  });

  it("of the checkout, of currencies and of a shop that connects carries no key, and needs none", async () => {
    answer(success({ state: "awaiting" }));
    for (const { checkout, currencies, shops } of [client(), client({ apiKey: undefined })]) {
      await checkout.retrieve("a-token");
      await currencies.list();
      await shops.connect({
        code: "7K3M",
        webhookUrl: "https://shop.example/hook",
        site: "https://shop.example",
      });
    }
    expect(service.received.map(({ headers }) => headers["x-api-key"])).toEqual(Array(6).fill(undefined));
    await expect(client({ apiKey: undefined }).deposits.list()).rejects.toThrow("needs an apiKey");
  });

  it("with an id that would name another resource is not sent", async () => {
    for (const id of ["", ".", "..", undefined]) {
      await expect(client().deposits.retrieve(id as string)).rejects.toThrow(TypeError);
    }
    expect(service.received).toEqual([]);
  });

  it("goes through the given fetch", async () => {
    const requests: unknown[] = [];
    const daric = client({
      fetch: (url, init) => {
        requests.push([new URL(String(url)).pathname, init?.cache]);
        return Promise.resolve(
          Response.json({ success: true, data: [], meta: { page: 1, limit: 20, total: 0 } }),
        );
      },
    });
    expect(await daric.deposits.list()).toEqual({ data: [], meta: { page: 1, limit: 20, total: 0 } });
    // A framework's own fetch might cache answers, and a client would never see the payment.
    expect(requests).toEqual([["/v1/deposits", "no-store"]]);
  });

  it("of a file returns its bytes, media type and name, and takes a page of a proxy for none", async () => {
    const bytes = "\ufeffid\r\n\u00e9\r\n";
    const headers = { "content-type": "text/csv", "content-disposition": 'attachment; filename="a.csv"' };
    const path = { "content-disposition": 'attachment; filename="../a.csv"' };
    answer({ headers, body: bytes }, { headers: path, body: "%PDF" }, { headers, body: "id" });
    const daric = client({ maxRetries: 0 });
    const file = await daric.exports.download("fees", { separator: ";", from: "2026-11-01T00:00:00Z" });
    expect(file).toEqual({
      content: new Uint8Array(Buffer.from(bytes)),
      type: "text/csv",
      name: "a.csv",
    });
    expect((await daric.depositAddresses.receipt("an-id", { language: "es" })).name).toBeUndefined();
    await daric.settlement.statementFile({ month: "2026-11", format: "csv" });
    expect(requests()).toEqual([
      "GET /v1/exports/fees?separator=%3B&from=2026-11-01T00%3A00%3A00Z",
      "GET /v1/deposit-addresses/an-id/receipt?language=es",
      "GET /v1/statements?month=2026-11&format=csv",
    ]);
    await expect(daric.exports.download("rates" as "fees")).rejects.toThrow(TypeError);
    for (const [other, code] of [
      [{ body: "<html>" }, "UNEXPECTED_ANSWER"],
      [success([]), "UNEXPECTED_ANSWER"],
      [{ status: 502, headers, body: "bad gateway" }, "UNEXPECTED_ANSWER"],
      [refusal(409, "NOTHING_RECEIVED"), "NOTHING_RECEIVED"],
    ] as const) {
      answer(other);
      expect(await failureOf(daric.exports.download("payments"))).toMatchObject({ code });
    }
  });

  it("warns about ignored fields, whose values are lost", async () => {
    answer({ ...success({}), headers: { "x-ignored-fields": "order_ref->orderRef" } });
    const warnings: string[] = [];
    await client({ warn: (text) => warnings.push(text) }).depositAddresses.create({
      order_ref: "A-1",
    } as object);
    expect(warnings).toEqual([
      "Daric ignored unknown fields of POST /v1/deposit-addresses: order_ref->orderRef",
    ]);
  });
});

describe("an exception of the caller's code", () => {
  it("stays the caller's, and causes no retry", async () => {
    answer({ ...success({}), headers: { "x-ignored-fields": "foo" } });
    const fault = new Error("no log");
    const warn = () => {
      throw fault;
    };
    await expect(client({ warn }).deposits.retrieve("1")).rejects.toBe(fault);
    await expect(client().deposits.list({}, { correlationId: "snow \u2603" })).rejects.toThrow(TypeError);
    await expect(client().deposits.list({}, { timeoutMs: -1 })).rejects.toThrow("timeoutMs must be");
    expect(service.received).toHaveLength(1);
  });
});

describe("a refusal", () => {
  it("has its code, status, details, correlation id, seconds to wait and page", async () => {
    answer({
      status: 422,
      headers: { "retry-after": "7" },
      body: {
        success: false,
        message: "Some fields are not valid.",
        error: {
          code: "VALIDATION_ERROR",
          docUrl: "/docs/errors#validation-error",
          details: [{ path: "amount", message: "must be a string" }],
        },
        correlationId: "c-1",
      },
    });
    expect(await failureOf(client().depositAddresses.create())).toMatchObject({
      name: "DaricError",
      message: "Some fields are not valid.",
      code: "VALIDATION_ERROR",
      operation: "POST /v1/deposit-addresses",
      status: 422,
      details: [{ path: "amount", message: "must be a string" }],
      correlationId: "c-1",
      retryAfter: 7,
      docUrl: `${new URL(service.url).origin}/docs/errors#validation-error`,
      isOutcomeUnknown: false,
    });
  });

  it("of a key of the other environment names both and not the key", async () => {
    answer(refusal(401, "WRONG_ENVIRONMENT"));
    const { message } = await failureOf(client().deposits.list());
    expect(message).toContain("is a test key, and http://127.0.0.1:");
    expect(message).not.toContain("secret");
  });

  it("has the seconds to wait for a date too", async () => {
    answer(refusal(429, "RATE_LIMITED", { "retry-after": new Date(Date.now() + 120_500).toUTCString() }));
    const { retryAfter } = await failureOf(client().deposits.list());
    expect(retryAfter).toBeGreaterThan(100);
    expect(retryAfter).toBeLessThanOrEqual(121);
    for (const [long, seconds] of [
      ["1000000000", 1_000_000_000],
      ["9".repeat(400), Number.MAX_SAFE_INTEGER],
    ] as const) {
      answer(refusal(429, "RATE_LIMITED", { "retry-after": long }));
      expect((await failureOf(client().deposits.list())).retryAfter).toBe(seconds);
    }
    for (const invalid of ["-1", "NaN", "soon", "1e3"]) {
      answer(refusal(422, "VALIDATION_ERROR", { "retry-after": invalid }));
      expect((await failureOf(client().deposits.list())).retryAfter).toBeUndefined();
    }
  });
});

describe("an answer of another server", () => {
  it("is reported as such, with advice", async () => {
    const pages: Answer[] = [
      { status: 404, headers: { "content-type": "text/html" }, body: "<h1>nginx</h1>" },
      { body: "" },
      { body: '{"success":true}' },
      { body: "null" },
      { status: 400, body: { success: false } },
    ];
    for (const page of pages) {
      service.answer = (response) => send(response, page);
      const error = await failureOf(client({ maxRetries: 0 }).deposits.list());
      expect(error).toMatchObject({ code: "UNEXPECTED_ANSWER", status: page.status ?? 200 });
      expect(error.message).toContain("is the baseUrl right");
    }
  });

  it("a redirect is not followed, so that the key reaches no other host", async () => {
    const elsewhere = await startReceiver();
    answer({ status: 307, headers: { location: elsewhere.url }, body: "" });
    const error = await failureOf(client().deposits.list());
    expect(error.message).toContain("redirects GET /v1/deposits");
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });
});

describe("a retry", () => {
  it("of a read follows a short outage, as often as configured and no more", async () => {
    answer(refusal(503, "SERVICE_UNAVAILABLE"), { status: 502, body: "bad gateway" }, success({ id: "1" }));
    expect(await client().deposits.retrieve("1")).toEqual({ id: "1" });
    expect(service.received).toHaveLength(3);
    answer(refusal(503, "SERVICE_UNAVAILABLE"));
    expect((await failureOf(client({ maxRetries: 1 }).deposits.list())).code).toBe("SERVICE_UNAVAILABLE");
    expect(service.received).toHaveLength(5);
  });

  it("of an order never follows a possible success", async () => {
    const faults: ((response: ServerResponse) => void)[] = [
      (response) => send(response, refusal(503, "SERVICE_UNAVAILABLE")),
      (response) => send(response, refusal(500, "INTERNAL_ERROR")),
      (response) => send(response, { status: 504, body: "gateway timeout" }),
      (response) => send(response, { status: 201, body: "cut" }),
      (response) => response.destroy(),
    ];
    for (const fault of faults) {
      service.answer = fault;
      const before = service.received.length;
      const error = await failureOf(client().depositAddresses.create({ amount: "1" }));
      expect(error.isOutcomeUnknown).toBe(true);
      expect(service.received.length - before).toBe(1);
    }
  });

  it("of an order follows a refusal before any work, after the requested time", async () => {
    answer(refusal(429, "RATE_LIMITED", { "retry-after": "1" }), success({ id: "1" }));
    await client().depositAddresses.create({ amount: "1" });
    const [first, second] = service.received;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("of an order follows a failed connection", async () => {
    const port = await freePort();
    const daric = client({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 10 });
    const order = daric.depositAddresses.create({ amount: "1" });
    const late = await startReceiver({ port });
    late.answer = (response) => send(response, success({ id: "1" }));
    expect(await order).toEqual({ id: "1" });
    await late.close();
    const gone = client({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    expect(await failureOf(gone.depositAddresses.create())).toMatchObject({
      code: "CONNECTION",
      isOutcomeUnknown: false,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("time", () => {
  it("a try ends after its limit, even if the body never ends", async () => {
    service.answer = (response) => response.write('{"success":');
    const error = await failureOf(client({ timeoutMs: 100, maxRetries: 0 }).deposits.list());
    expect(error).toMatchObject({ code: "TIMEOUT", isOutcomeUnknown: false });
    expect(error.message).toContain("within 100 ms");
    const create = client({ timeoutMs: 100 }).depositAddresses.create({ amount: "1" });
    expect(await failureOf(create)).toMatchObject({ code: "TIMEOUT", isOutcomeUnknown: true });
    expect(service.received).toHaveLength(2);
  });

  it("a call has its own limit, and a slow read is retried", async () => {
    service.answer = (response, _, index) => {
      if (index > 0) send(response, success([]));
    };
    await client().deposits.list({}, { timeoutMs: 200 });
    expect(service.received).toHaveLength(2);
  });

  it("a call that its caller aborts fails with the caller's reason, during a request and a wait", async () => {
    const reason = new Error("the shop closes");
    service.answer = () => {};
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await expect(client().deposits.list({}, { signal: controller.signal })).rejects.toBe(reason);
    answer(refusal(429, "RATE_LIMITED", { "retry-after": "30" }));
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(reason), 200);
    await expect(client().deposits.list({}, { signal: waiting.signal })).rejects.toBe(reason);
    await expect(client().deposits.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.received).toHaveLength(2);
  });
});

it("a look-up takes the transaction alone or in an object, like the payer's", async () => {
  answer(success([]));
  await client().deposits.lookup("ab".repeat(32));
  await client().deposits.lookup({ txHash: "ab".repeat(32) });
  const [alone, inObject] = service.received.map(({ path }) => path);
  expect(alone).toMatch(new RegExp(`^/v1/lookup\\?txHash=${"ab".repeat(32)}&`));
  expect(inObject).toBe(alone);
});
