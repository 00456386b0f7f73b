import { isNight } from "@daric/testing/at-night";
import { type Row, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** In seconds of chain time: three blocks of the local chain. */
const ORDER_LIFETIME = "600s";
const BLOCKS_OF_A_LIFETIME = 230;

let stack: Stack;
let merchant: StackMerchant;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await startStack();
  merchant = await stack.merchant("--order-lifetime", ORDER_LIFETIME, "--late-window", "1h");
  receiver = await startWebhookReceiver();
  await merchant.call("POST", "/v1/webhooks/endpoints", {
    url: receiver.url,
    eventTypes: [
      "deposit.confirmed",
      "deposit.unmatched",
      "order.paid",
      "order.underpaid",
      "order.overpaid",
      "order.expired",
      "order.paid_late",
    ],
  });
});

afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

const anOrder = (body: object = {}): Promise<Row> =>
  merchant.call("POST", "/v1/deposit-addresses", { amount: "25.5", orderRef: "A-1042", ...body });
const simulate = (id: string, testCase: string): Promise<Row> =>
  merchant.call("POST", `/v1/test/deposit-addresses/${id}/simulate`, { case: testCase });
const row = (id: string): Promise<Row> => merchant.call("GET", `/v1/deposit-addresses/${id}`);
const depositsOf = (id: string): Promise<Row[]> =>
  merchant.call("GET", `/v1/deposits?depositAddressId=${id}`);
const eventsOf = (id: string): string[] =>
  receiver.received
    .filter(({ event }) => event.data.depositAddressId === id)
    .map(({ event }) => event.event)
    .sort();

/** Waits until exactly these events have arrived, in any order. */
async function eventsFor(id: string, expected: readonly string[]): Promise<void> {
  await until(`${expected.join(", ")} arrived`, () => eventsOf(id).length >= expected.length);
  expect(eventsOf(id)).toEqual([...expected].sort());
}

describe("a test case on the devnet", () => {
  const cases: [testCase: string, amounts: string[], events: string[]][] = [
    ["exact", ["25.5"], ["deposit.confirmed", "order.paid"]],
    ["over", ["38.25"], ["deposit.confirmed", "order.paid", "order.overpaid"]],
    ["twice", ["25.5", "25.5"], ["deposit.confirmed", "deposit.confirmed", "order.paid", "order.overpaid"]],
  ];
  it.each(isNight ? cases : cases.slice(0, 1))(
    "%s sends the receiver the predicted events",
    async (testCase, amounts, events) => {
      const order = await anOrder();
      const answer = await simulate(order.id, testCase);
      expect(answer).toMatchObject({ case: testCase, address: order.address, forked_devnet: false });
      expect(answer.payments.map(({ amount }: Row) => amount)).toEqual(amounts);
      expect(answer.expected_events).toEqual(events);
      await stack.mine(21);
      await eventsFor(order.id, answer.expected_events);
      const hashes = (await depositsOf(order.id)).map(({ tx_hash }) => tx_hash).sort();
      expect(hashes).toEqual(answer.payments.map(({ tx_hash }: Row) => tx_hash).sort());
    },
  );

  it("wrong_coin is announced as unmatched and pays nothing", async () => {
    const order = await anOrder();
    const answer = await simulate(order.id, "wrong_coin");
    expect(answer.payments).toMatchObject([{ currency: "TRX", amount: "25.5" }]);
    await stack.mine(21);
    await eventsFor(order.id, ["deposit.unmatched"]);
    expect(answer.expected_events).toEqual(["deposit.unmatched"]);
    expect(await row(order.id)).toMatchObject({ payment_status: "awaiting", amount_received: "0" });
  });

  it("reorged forks the chain after the payment was detected, and the order is still paid once", async () => {
    const order = await anOrder();
    let isAnswered = false;
    const simulated = simulate(order.id, "reorged").finally(() => {
      isAnswered = true;
    });
    await until("the payment is mined and the fork made", async () => {
      if (!isAnswered) await stack.mine(1);
      return isAnswered;
    });
    const answer = await simulated;
    expect(answer).toMatchObject({
      forked_devnet: true,
      expected_events: ["deposit.confirmed", "order.paid"],
    });
    expect(answer.next).toContain("forked the whole devnet");
    await stack.mine(21);
    await eventsFor(order.id, answer.expected_events);
    expect(await depositsOf(order.id)).toHaveLength(1);
  });

  it("of an order in USD pays by its quote", async () => {
    const order = await anOrder({ amount: "25.00", pricingCurrency: "USD" });
    const answer = await simulate(order.id, "exact");
    expect(answer.payments).toMatchObject([{ currency: "USDT", amount: order.expected_amount }]);
    await stack.mine(21);
    await eventsFor(order.id, ["deposit.confirmed", "order.paid"]);
  });

  it("of an address without a due amount pays 10, and only deposits are announced", async () => {
    const address = await anOrder({ amount: undefined });
    const answer = await simulate(address.id, "under");
    expect(answer).toMatchObject({ payments: [{ amount: "5" }], expected_events: ["deposit.confirmed"] });
    await stack.mine(21);
    await eventsFor(address.id, ["deposit.confirmed"]);
  });
});

describe("time", () => {
  it("keeps its expiry in every case: the event of `under` comes at the expiry, and `late` is refused until then", async () => {
    const [short, empty] = [await anOrder(), await anOrder()];
    const answer = await simulate(short.id, "under");
    expect(answer.expected_events).toEqual(["deposit.confirmed", "order.underpaid"]);
    expect(answer.next).toContain(short.expires_at);
    await stack.mine(21);
    await eventsFor(short.id, ["deposit.confirmed"]);
    await expect(simulate(empty.id, "late")).rejects.toThrow(/409.*ORDER_NOT_EXPIRED/);

    await stack.mine(BLOCKS_OF_A_LIFETIME);
    await eventsFor(short.id, answer.expected_events);
    await eventsFor(empty.id, ["order.expired"]);

    const late = await simulate(empty.id, "late");
    expect(late.expected_events).toEqual(["deposit.confirmed", "order.paid", "order.paid_late"]);
    await stack.mine(21);
    await eventsFor(empty.id, ["order.expired", ...late.expected_events]);
    expect(await row(empty.id)).toMatchObject({ payment_status: "paid", paid_late: true });
  });

  it("never ends an address without an order, so `late` does not exist for it", async () => {
    const receive = await anOrder({ amount: undefined, reusable: true });
    await expect(simulate(receive.id, "late")).rejects.toThrow(/409.*ORDER_NOT_EXPIRED/);
  });
});

it("a payer looks up a transaction to another address: the running service queries its node", async () => {
  const order = await anOrder();
  const { txids } = await stack.control("faucet", { address: stack.payer.defaultAddress.base58, usdt: "1" });
  await stack.mine(1);
  const answer = await fetch(`${stack.baseUrl}/v1/checkout/${order.checkout_token}/lookup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ txHash: txids[0] }),
  });
  expect(((await answer.json()) as Row).data).toMatchObject({
    result: "other_address",
    addressEnd: String(stack.payer.defaultAddress.base58).slice(-4),
  });
});
