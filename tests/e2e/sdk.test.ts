import { Daric, DaricError, verifyWebhook } from "@daric/sdk";
import { type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, expect, it } from "vitest";

let stack: Stack;
let merchant: StackMerchant;
let daric: Daric;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([startStack(), startWebhookReceiver()]);
  merchant = await stack.merchant();
  daric = merchant.daric;
});

afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

async function failureOf(work: Promise<unknown>): Promise<DaricError> {
  const error: unknown = await work.catch((reason) => reason);
  expect(error).toBeInstanceOf(DaricError);
  return error as DaricError;
}

/** A client whose network loses the response of each create. */
function clientThatLosesAnswers(): Daric {
  return new Daric({
    baseUrl: stack.baseUrl,
    apiKey: merchant.apiKey,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method === "POST")
        throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
      return answer;
    },
  });
}

it("an order is made once by its reference, found by other clients, and found after a lost answer", async () => {
  const order = { orderRef: "once-1", amount: "25.50" };
  const made = await daric.createOrderOnce(order);
  expect(made).toMatchObject({ isNew: true, order: { expected_amount: "25.5", order_ref: "once-1" } });
  const other = new Daric({ baseUrl: stack.baseUrl, apiKey: merchant.apiKey });
  expect(await other.createOrderOnce(order)).toMatchObject({ isNew: false, order: { id: made.order.id } });
  const lossy = clientThatLosesAnswers();
  const lost = await lossy.createOrderOnce({ ...order, orderRef: "once-2" });
  expect(lost).toMatchObject({ isNew: false, order: { order_ref: "once-2" } });
  expect((await daric.depositAddresses.list({ orderRef: "once-2" })).meta.total).toBe(1);
  const dearer = daric.createOrderOnce({ ...order, amount: "26" });
  expect((await failureOf(dearer)).code).toBe("ORDER_REF_CONFLICT");
});

it("a found order is in its current state, also an archived one", async () => {
  const { order } = await daric.createOrderOnce({ orderRef: "once-3", amount: "1" });
  expect(await daric.depositAddresses.archive(order.id)).toMatchObject({ status: "ARCHIVED" });
  const again = await daric.createOrderOnce({ orderRef: "once-3", amount: "1" });
  expect(again).toMatchObject({ isNew: false, order: { status: "ARCHIVED" } });
});

it("all pages of a list together return each row once", async () => {
  const label = "paged";
  const made = await Promise.all(
    Array.from({ length: 12 }, () => daric.depositAddresses.create({ amount: "1", orderRef: label })),
  );
  const found: string[] = [];
  for await (const row of daric.depositAddresses.all({ orderRef: label, limit: 5 })) found.push(row.id);
  expect(found.sort()).toEqual(made.map(({ id }) => id).sort());
});

it("a refusal of the service is typed, with every failing field", async () => {
  const body = { amount: "1", currency: "usdt" as "USDT", successUrl: "shop.example" };
  const error = await failureOf(daric.depositAddresses.create(body, { correlationId: "mine-1" }));
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 422, correlationId: "mine-1" });
  expect(error.details.map(({ path }) => path).sort()).toEqual(["currency", "successUrl"]);
  expect(error.isOutcomeUnknown).toBe(false);
});

it("an unknown row and an unknown key have different codes", async () => {
  const unknownId = "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
  expect((await failureOf(daric.deposits.retrieve(unknownId))).code).toBe("NOT_FOUND");
  const apiKey = merchant.apiKey.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const otherShop = new Daric({ baseUrl: stack.baseUrl, apiKey });
  expect(await failureOf(otherShop.deposits.list())).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
});

it("an endpoint is made, changed, tested and deleted, and its secret verifies its events", async () => {
  const { endpoints, deliveries } = daric.webhooks;
  const { id, secret } = await endpoints.create({ url: receiver.url });
  expect(await endpoints.retrieve(id)).toMatchObject({ event_types: ["deposit.confirmed"] });
  expect(await endpoints.update(id, { description: "books" })).toMatchObject({ description: "books" });
  expect(await endpoints.test(id)).toMatchObject({ ok: true, statusCode: 200 });
  const [test] = receiver.received;
  if (test === undefined) throw new Error("no test event");
  const event = await verifyWebhook(test.body, test.headers, secret);
  if (event.event !== "webhook.test") throw new Error(event.event);
  expect(event.data.endpointId).toBe(id);
  const [row] = (await deliveries.list({ status: "DELIVERED" })).data;
  expect(await deliveries.retrieve(String(row?.id))).toMatchObject({ attempts: [{ status_code: 200 }] });
  expect(await endpoints.delete(id)).toEqual({ id, deleted: true });
  expect((await failureOf(endpoints.retrieve(id))).code).toBe("NOT_FOUND");
});

it("the checkout is read without a key", async () => {
  const { checkout_token: token } = await daric.depositAddresses.create({ amount: "1" });
  const payer = new Daric({ baseUrl: stack.baseUrl });
  expect(await payer.checkout.retrieve(token)).toMatchObject({ state: "awaiting", order: { amount: "1" } });
});
