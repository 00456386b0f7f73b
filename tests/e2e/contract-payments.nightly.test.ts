import type { Daric } from "@daric/sdk";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

let stack: Stack;
let daric: Daric;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await startStack();
  ({ daric } = await stack.merchant());
  receiver = await startWebhookReceiver();
  const eventTypes = ["detected", "confirming", "confirmed", "stuck", "reorged", "failed"] as const;
  await daric.webhooks.endpoints.create({
    url: receiver.url,
    eventTypes: eventTypes.map((type) => `deposit.${type}` as const),
  });
});
afterEach(() => fetch(`${stack.devchain.url}/devchain/faults`, { method: "DELETE" }));
afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

const anOrder = () => daric.depositAddresses.create({ amount: "12.5", currency: "TRX" });
const statusOf = async (id: string) => (await daric.depositAddresses.retrieve(id)).payment_status;

/** A contract sends TRX in a transaction of the next block. Balances include `held` of it, by default all. */
async function payByContract(to: string, held?: string): Promise<void> {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  const txId = await token.approve(stack.devchain.payer.address, 1).send({ feeLimit: 100_000_000 });
  const from = stack.devchain.usdtContract;
  await stack.control("faults", { kind: "internal", txId, from, to, amount: "12.5", ...(held && { held }) });
  await stack.mine(1);
}

/** The events of the deposits to an address, in the order of their numbers. */
const eventsFor = (address: string) =>
  receiver.received
    .map(({ event }) => event)
    .filter(({ data }) => data.address === address)
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ event, data }) => [event, data.previousStatus, data.confirmations]);

it("TRX from a contract pays its order, and the API shows each step on the way", async () => {
  const { id, address } = await anOrder();
  await payByContract(address);
  await until("it is seen", async () => (await statusOf(id)) === "detected");
  const { data } = await daric.deposits.list({ depositAddressId: id });
  expect(data).toMatchObject([{ source: "internal", amount: "12.5", currency: "TRX", confirmations: 1 }]);
  await stack.mine(1);
  await until("it is confirming", async () => (await statusOf(id)) === "confirming");
  await stack.mine(18);
  await until("it is paid", async () => (await statusOf(id)) === "paid");
  await until("all events arrive", () => eventsFor(address).length === 3);
  expect(eventsFor(address)).toEqual([
    ["deposit.detected", null, 1],
    ["deposit.confirming", "DETECTED", 2],
    ["deposit.confirmed", "CONFIRMING", expect.any(Number)],
  ]);
});

it("TRX in the infos of one node alone, without a balance, is never confirmed, and delays no other payment", async () => {
  const [lied, honest] = [await anOrder(), await anOrder()];
  await payByContract(lied.address, "0");
  await payByContract(honest.address);
  await stack.mine(20);
  await until("the honest one is paid", async () => (await statusOf(honest.id)) === "paid");
  await stack.mine(10);
  expect(await statusOf(lied.id)).toBe("confirming");
});

it("a node that reports its head as solid confirms nothing that the blocks do not prove", async () => {
  const { id, address } = await anOrder();
  await stack.control("faults", { kind: "solid", back: "head" });
  await stack.control("faucet", { address, trx: "12.5" });
  await stack.mine(6);
  await until("it is confirming", async () => (await statusOf(id)) === "confirming");
  await stack.mine(12);
  await until("all but one confirmation are there", async () => {
    const { data } = await daric.deposits.list({ depositAddressId: id });
    return data[0]?.confirmations === 18 && data[0].status === "CONFIRMING";
  });
  await stack.mine(1);
  await until("it is paid", async () => (await statusOf(id)) === "paid");
});
