import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Assistant, anAssistant, answerWith, TEST_KEY } from "../test/assistant.ts";
import { aDepositRow, aLinkRow, anOrderRow, aRefundRow } from "../test/sample-rows.ts";

let assistant: Assistant;
beforeEach(async () => {
  assistant = await anAssistant({ timeoutMs: 300 });
});
afterEach(() => assistant.close());

const ORDER = { amount: "25.5", currency: "USDT", title: "Tea", reference: "A-1" };
const requests = () =>
  assistant.service.received.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
const findError = async () => {
  const { result, content } = await assistant.call("find_payment", { orderRef: "A-1" });
  expect(result.isError).toBe(true);
  return content.error;
};

describe("a failed call", () => {
  it("has code, message, details and correlation id", async () => {
    assistant.service.answer = (response) =>
      response.writeHead(429, { "content-type": "application/json", "retry-after": "7" }).end(
        JSON.stringify({
          success: false,
          message: "Slow down.",
          error: { code: "RATE_LIMITED" },
          correlationId: "c-9",
        }),
      );
    expect(await findError()).toEqual({
      ...{ code: "RATE_LIMITED", message: "Slow down.", details: [], operation: "GET /v1/deposit-addresses" },
      ...{ status: 429, correlationId: "c-9", retryAfterSeconds: 7 },
    });
  });

  const faults: [title: string, answer: (response: ServerResponse) => void, code: string, message: RegExp][] =
    [
      [
        "a page of a proxy",
        (response) =>
          response.writeHead(502, { "content-type": "text/html" }).end(`<h1>Bad gateway ${TEST_KEY}</h1>`),
        "UNEXPECTED_ANSWER",
        /502 and text\/html, not as Daric does/,
      ],
      [
        "an answer cut in the middle",
        (response) =>
          response.writeHead(200, { "content-type": "application/json" }).end('{"success":true,"da'),
        "UNEXPECTED_ANSWER",
        /not as Daric does/,
      ],
      [
        "a connection cut in the middle",
        (response) => {
          response.writeHead(200, { "content-length": "1000" }).write("{");
          setTimeout(() => response.destroy(), 20);
        },
        "CONNECTION",
        /could not be reached/,
      ],
      ["no answer in time", () => undefined, "TIMEOUT", /did not answer .* within 300 ms/],
      [
        "a redirect",
        (response) => response.writeHead(302, { location: "https://elsewhere.example" }).end(),
        "UNEXPECTED_ANSWER",
        /redirects/,
      ],
      [
        "a row that is not as the contract says",
        (response) =>
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(
              JSON.stringify({ success: true, data: [{ id: 1 }], meta: { page: 1, limit: 20, total: 1 } }),
            ),
        "UNEXPECTED_ANSWER",
        /not as Daric does|is not as/,
      ],
    ];
  it.each(faults.slice(0, 5))("says in words: %s", async (_title, answer, code, message) => {
    assistant.service.answer = answer;
    const error = await findError();
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it.each(faults)("never has the key in it: %s", async (_title, answer) => {
    assistant.service.answer = answer;
    for (const [name, input] of [
      ["find_payment", { orderRef: TEST_KEY }],
      ["webhook_health", {}],
      ["create_order", { ...ORDER, title: TEST_KEY }],
    ] as const) {
      const { result } = await assistant.call(name, input);
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toContain("ssss");
    }
  });

  it("of a create whose outcome is unknown says how to look", async () => {
    assistant.service.answer = (response, { method }) => {
      if (method === "GET") answerList(response, []);
    };
    const { result, content } = await assistant.call("create_order", ORDER);
    expect(result.isError).toBe(true);
    expect(content.error).toMatchObject({
      code: "TIMEOUT",
      advice: expect.stringContaining("same reference"),
    });
  });
});

function answerList(response: ServerResponse, data: unknown[]): void {
  const body = { success: true, message: "Success", data, meta: { page: 1, limit: 100, total: data.length } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

describe("the key", () => {
  it("is in no answer, also if a row holds it", async () => {
    const order = anOrderRow({
      order_ref: TEST_KEY,
      label: TEST_KEY,
      address: TEST_KEY,
      checkout_url: TEST_KEY,
    });
    answerWith(assistant.service, { "GET /v1/deposit-addresses": [order], "GET /v1/deposits": [] });
    const { result } = await assistant.call("find_payment", { orderRef: "A-1" });
    expect(result.isError).toBeFalsy();
    expect(JSON.stringify(result)).not.toContain("ssss");
  });
});

describe("a wrong input", () => {
  it.each([
    ["find_payment", {}, "exactly one"],
    ["find_payment", { orderRef: "a", id: anOrderRow().id }, "exactly one"],
    ["find_payment", { orderRef: "a", extra: 1 }, "extra"],
    ["find_payment", { id: "../webhooks" }, "id"],
    ["monthly_statement", { month: "2026-13" }, "must be a month"],
    ["list_decisions", { days: 1000 }, "90"],
    ["create_order", { ...ORDER, amount: 25.5 }, "expected string"],
    ["create_order", { ...ORDER, amount: "25,5" }, "decimal string"],
    ["create_order", { ...ORDER, amount: "1e3" }, "decimal string"],
    ["create_order", { ...ORDER, currency: "usdt" }, "must be USDT, TRX"],
    ["create_order", { ...ORDER, title: "a\nb" }, "one line"],
    ["create_order", { ...ORDER, reference: "a\u202eb" }, "one line"],
    ["create_order", { ...ORDER, successUrl: "https://evil.example" }, "successUrl"],
    ["create_payment_link", { ...ORDER, reference: "x".repeat(40) }, "39"],
  ])("%s %j is refused, and nothing is sent", async (name, input, says) => {
    const { result } = await assistant.call(name, input);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(says);
    expect(requests()).toEqual([]);
  });
});

describe("a payment link", () => {
  const links = "/v1/payment-links";
  const ticket = { amount: "25.00", currency: "USDT", title: "Ticket", reference: "T" };

  it("is made once for its reference, also by two calls at once", async () => {
    const made: object[] = [];
    assistant.service.answer = (response, { method, body }) => {
      if (method === "GET") return answerList(response, made);
      made.push(
        aLinkRow({ ...JSON.parse(String(body)), order_ref_prefix: JSON.parse(String(body)).orderRefPrefix }),
      );
      response
        .writeHead(201, { "content-type": "application/json" })
        .end(JSON.stringify({ success: true, message: "Created", data: made[0] }));
    };
    const both = await Promise.all([1, 2].map(() => assistant.call("create_payment_link", ticket)));
    expect(both.map(({ content }) => content.isNew)).toEqual([true, false]);
    expect(requests().filter((request) => request === `POST ${links}`)).toHaveLength(1);
  });

  it.each([{ amount: "26" }, { currency: "EUR" }, { title: "Other" }])(
    "of a used reference with another price or title %j is refused",
    async (other) => {
      answerWith(assistant.service, { [`GET ${links}`]: [aLinkRow()] });
      const { content, result } = await assistant.call("create_payment_link", { ...ticket, ...other });
      expect(result.isError).toBe(true);
      expect(content.error.message).toContain("another price or title");
      expect(requests()).toEqual([`GET ${links}`]);
    },
  );
});

describe("a size", () => {
  it("has a bound: the fullest answers have less than 60,000 characters", async () => {
    const long = "\u{1f600}".repeat(500);
    const many = <Row extends { id: string }>(row: Row) => Array.from({ length: 100 }, () => row);
    const order = anOrderRow({
      order_ref: long,
      label: long,
      payment_status: "expired",
      payment_state: "under",
    });
    answerWith(assistant.service, {
      "GET /v1/deposit-addresses": many(order),
      "GET /v1/deposits": many(aDepositRow({ unmatched: true, order_ref: long })),
      "GET /v1/refunds": many(aRefundRow({ order_ref: long })),
    });
    const { content, result } = await assistant.call("list_decisions");
    expect(content.decisions).toHaveLength(25);
    expect(content.total).toBeGreaterThan(25);
    expect(JSON.stringify(result.structuredContent).length).toBeLessThan(60_000);
  });
});

describe("tools", () => {
  it("say that they only read, but for the two that make something", async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["find_payment", true],
      ["why_not_paid", true],
      ["list_decisions", true],
      ["monthly_statement", true],
      ["webhook_health", true],
      ["create_order", false],
      ["create_payment_link", false],
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ destructiveHint: false, idempotentHint: true });
      expect(inputSchema.additionalProperties).toBe(false);
    }
  });

  it("that read send nothing but GET", async () => {
    answerWith(assistant.service, {});
    await assistant.call("find_payment", { orderRef: "x" });
    await assistant.call("why_not_paid", { id: anOrderRow().id });
    await assistant.call("list_decisions");
    await assistant.call("monthly_statement", { month: "2026-11" });
    await assistant.call("webhook_health");
    expect(requests().filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(requests().length).toBeGreaterThan(4);
  });
});
