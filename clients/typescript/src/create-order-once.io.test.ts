import type { ServerResponse } from "node:http";
import { type ReceivedRequest, type Receiver, startReceiver } from "@daric/testing/receiver";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Daric } from "./daric.ts";

/**
 * The part of the service that stores orders, with failures at any moment; tests/e2e/sdk.test.ts uses the real one.
 */
let service: Receiver;
let daric: Daric;
let orders: Record<string, unknown>[];

beforeEach(async () => {
  orders = [];
  service = await startReceiver();
  service.answer = (response, request) => answer(response, keep(request));
  daric = new Daric({
    baseUrl: new URL(service.url).origin,
    apiKey: "daric_test_sk_0123456789abcdef_secret",
  });
});
afterEach(() => service.close());

function answer(response: ServerResponse, data: unknown): void {
  const meta = { page: 1, limit: 100, total: orders.length };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ success: true, message: "", data, meta }));
}

function keep({ method, path, body }: ReceivedRequest): unknown {
  if (method === "GET") {
    const ref = new URL(path, service.url).searchParams.get("orderRef");
    return orders.filter(({ order_ref }) => order_ref === ref).reverse();
  }
  const { amount, orderRef, currency = "USDT", pricingCurrency } = JSON.parse(String(body));
  const fiat = pricingCurrency === "USDT" ? null : (pricingCurrency ?? null);
  const row = {
    id: `order-${orders.length + 1}`,
    currency,
    expected_amount: amount,
    fiat_currency: fiat,
    fiat_amount: fiat && amount,
    order_ref: orderRef,
    amount_received: "0",
    amount_pending: "0",
  };
  orders.push(row);
  return row;
}

const order = { orderRef: "A-1", amount: "25.5" };
const creates = () => service.received.filter(({ method }) => method === "POST").length;

it("the first call makes the order, and later ones find it, for any notation of the amount", async () => {
  expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: true, order: { id: "order-1" } });
  expect(await daric.createOrderOnce({ ...order, amount: "25.50" })).toMatchObject({
    isNew: false,
    order: { id: "order-1" },
  });
  expect(await daric.createOrderOnce({ orderRef: "A-2", amount: "100" })).toMatchObject({ isNew: true });
  expect(await daric.createOrderOnce({ orderRef: "A-2", amount: "100.00" })).toMatchObject({ isNew: false });
  expect(creates()).toBe(2);
});

it("an order of another reference is never returned, nor is a new one made beside it", async () => {
  await daric.createOrderOnce({ orderRef: "ALICE-1", amount: "9.9" });
  const answered = service.answer;
  service.answer = (response, request) => {
    if (request.method === "GET") answer(response, orders);
    else answered(response, request, 0);
  };
  await expect(daric.createOrderOnce({ orderRef: "BOB-1", amount: "9.9" })).rejects.toMatchObject({
    code: "UNEXPECTED_ANSWER",
  });
  expect(creates()).toBe(1);
});

it("parallel calls of one client make one order", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => daric.createOrderOnce(order)));
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(made.map(({ order: { id } }) => id)).size).toBe(1);
  expect(creates()).toBe(1);
});

it("an order of that reference at another price is refused", async () => {
  await daric.createOrderOnce(order);
  for (const [other, path] of [
    [{ ...order, amount: "25.51" }, "amount"],
    [{ ...order, currency: "TRX" }, "currency"],
    [{ ...order, pricingCurrency: "USD" }, "pricingCurrency"],
  ] as const) {
    const refused = daric.createOrderOnce(other);
    await expect(refused).rejects.toMatchObject({ code: "ORDER_REF_CONFLICT", isOutcomeUnknown: false });
    await expect(refused).rejects.toThrow("order-1");
    await expect(refused).rejects.toMatchObject({
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  }
  expect(creates()).toBe(1);
});

it.each([
  ["USD", "25.5", "25.50"],
  ["EUR", "19.9900", "19.99"],
  ["JPY", "1500", "1500.00"],
] as const)(
  "an order in %s is compared in %1$s, for any notation",
  async (pricingCurrency, amount, other) => {
    await daric.createOrderOnce({ ...order, amount, pricingCurrency });
    orders[0] = { ...orders[0], expected_amount: "25.47" };
    const again = { ...order, amount: other, pricingCurrency };
    expect(await daric.createOrderOnce(again)).toMatchObject({ isNew: false });
    for (const otherCurrency of ["GBP", "USDT"] as const)
      await expect(daric.createOrderOnce({ ...again, pricingCurrency: otherCurrency })).rejects.toMatchObject(
        { code: "ORDER_REF_CONFLICT" },
      );
  },
);

it("an order whose price is named in its own coin is one in coins", async () => {
  const inCoins = { ...order, pricingCurrency: "USDT" } as const;
  await daric.createOrderOnce(inCoins);
  expect(await daric.createOrderOnce(inCoins)).toMatchObject({ isNew: false });
  expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: false });
});

it("of two orders by different callers it returns the paid one, else one with money above dust, else the oldest", async () => {
  const empty = { payment_state: "none", payment_status: "awaiting" };
  for (const id of ["older", "newer"]) orders.push({ ...(keepOnly(order) as object), ...empty, id });
  const found = async () => (await daric.createOrderOnce(order)).order.id;
  expect(await found()).toBe("older");
  orders[1] = { ...orders[1], amount_received: "0.000001" };
  expect(await found()).toBe("older");
  orders[1] = { ...orders[1], payment_status: "confirming" };
  expect(await found()).toBe("newer");
  orders[0] = { ...orders[0], payment_state: "exact", payment_status: "paid" };
  expect(await found()).toBe("older");
});

it("a rest is never returned, since its price is what was missing of the order", async () => {
  for (const id of ["order", "rest"]) orders.push({ ...(keepOnly(order) as object), id });
  orders[0] = { ...orders[0], amount_received: "12.75", status: "ARCHIVED" };
  orders[1] = { ...orders[1], rest_of: "order", expected_amount: "12.75", amount_received: "12.75" };
  expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: false, order: { id: "order" } });
});

function keepOnly(body: object): unknown {
  const row = keep({ method: "POST", path: "/", body: Buffer.from(JSON.stringify(body)) } as ReceivedRequest);
  orders.pop();
  return row;
}

it("an order whose answer was lost is found, and not made again", async () => {
  service.answer = (response, request) => {
    const data = keep(request);
    if (request.method === "POST") response.destroy();
    else answer(response, data);
  };
  expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: false, order: { id: "order-1" } });
  expect(creates()).toBe(1);
});

it("an order that is missing after a lost answer fails as unknown, and a later call may make it", async () => {
  let isDown = true;
  service.answer = (response, request) => {
    if (request.method === "POST" && isDown) response.destroy();
    else answer(response, keep(request));
  };
  await expect(daric.createOrderOnce(order)).rejects.toMatchObject({
    code: "CONNECTION",
    isOutcomeUnknown: true,
  });
  isDown = false;
  expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: true });
});

it("a call that waited for one without an answer is not sent, since the first may still be carried out", async () => {
  service.answer = (response, request) => {
    if (request.method === "POST") response.destroy();
    else answer(response, keep(request));
  };
  const calls = await Promise.allSettled([daric.createOrderOnce(order), daric.createOrderOnce(order)]);
  for (const call of calls) expect(call).toMatchObject({ reason: { isOutcomeUnknown: true } });
  expect(creates()).toBe(1);
});

it("a call that waited for a refused one is sent", async () => {
  const first = daric.createOrderOnce({ ...order, amount: "1" });
  const calls = await Promise.allSettled([first, daric.createOrderOnce(order), daric.createOrderOnce(order)]);
  expect(calls.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(calls[2]).toMatchObject({ reason: { code: "ORDER_REF_CONFLICT" } });
});

/** A proxy that does not pass on the first orders. */
function refuseFirst(times: number, retryAfter: string, { status = 503, isMade = false } = {}): void {
  service.answer = (response, request) => {
    const isRefused = request.method === "POST" && creates() <= times;
    const data = isRefused && !isMade ? undefined : keep(request);
    if (!isRefused) answer(response, data);
    else response.writeHead(status, { "retry-after": retryAfter, "content-type": "text/html" }).end("<html>");
  };
}

it.each([503, 429])(
  "after a %d page with Retry-After it waits as told, looks again, and makes one order",
  async (status) => {
    refuseFirst(1, "1", { status });
    const startMs = performance.now();
    expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: true, order: { id: "order-1" } });
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990);
    expect([creates(), orders.length]).toEqual([2, 1]);
  },
);

it("an order that was made behind a 503 is found, and not made again", async () => {
  refuseFirst(1, "1", { isMade: true });
  expect(await daric.createOrderOnce(order)).toMatchObject({ isNew: false, order: { id: "order-1" } });
  expect(creates()).toBe(1);
});

it("for a pause of more than a minute, and once the retries are used up, it fails with retryAfter", async () => {
  refuseFirst(1, "61");
  await expect(daric.createOrderOnce(order)).rejects.toMatchObject({
    retryAfter: 61,
    isOutcomeUnknown: true,
  });
  expect(creates()).toBe(1);
  refuseFirst(9, "0");
  await expect(daric.createOrderOnce(order)).rejects.toMatchObject({ retryAfter: 0 });
  expect(creates()).toBe(1 + 3);
});

it.each(["soon", "-1"])(
  "a 503 page with Retry-After %s asks for no pause, and the call fails as unknown",
  async (text) => {
    refuseFirst(1, text);
    await expect(daric.createOrderOnce(order)).rejects.toMatchObject({
      retryAfter: undefined,
      isOutcomeUnknown: true,
    });
    expect(creates()).toBe(1);
  },
);

it("no order is made without a reference", async () => {
  await expect(daric.createOrderOnce({ amount: "1", orderRef: "" })).rejects.toThrow(TypeError);
  expect(service.received).toEqual([]);
});
