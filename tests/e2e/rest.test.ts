import type { Daric } from "@daric/sdk";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

const USDT = 1_000_000n;
/** A poll of an open page, and the delay of a busy machine. */
const SOON_MS = 15_000;

let stack: Stack;
let daric: Daric;
let receiver: WebhookReceiver;
let browser: Browser;

beforeAll(async () => {
  stack = await startStack();
  ({ daric } = await stack.merchant());
  receiver = await startWebhookReceiver();
  const eventTypes = ["deposit.confirmed", "deposit.unmatched", "order.paid", "order.accepted"] as const;
  await daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: [...eventTypes] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await receiver.stop();
  await stack.stop();
});

async function pay({ address }: { address: string }, units: bigint): Promise<string> {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  return token.transfer(address, units.toString()).send({ feeLimit: 100_000_000 });
}
const events = (id: string) =>
  receiver.received.flatMap(({ event }) => (event.data.depositAddressId === id ? [event] : []));
async function final(id: string, count: number): Promise<void> {
  await stack.mine(20);
  await until(`${count} events arrived`, () => events(id).length >= count);
}
async function shown(token: string) {
  const answer = await fetch(`${stack.baseUrl}/c/${token}`, { redirect: "manual" });
  return { to: answer.headers.get("location"), text: await answer.text() };
}

it("an order that is paid in three parts is delivered once, and every page and look-up of it says so", async () => {
  const order = await daric.depositAddresses.create({ amount: "25", orderRef: "A-1042" });
  const first = await pay(order, 10n * USDT);
  await final(order.id, 1);
  const open = await browser.newPage();
  await open.goto(`${stack.baseUrl}/c/${order.checkout_token}?lang=en`);
  await open.locator("main").getByText("15.00").first().waitFor({ timeout: SOON_MS });

  const rest = await daric.depositAddresses.askForRest(order.id);
  expect(rest).toMatchObject({ amount_due: "15", order_ref: "A-1042" });
  await open
    .getByRole("heading", { name: "This order goes on at another page" })
    .waitFor({ timeout: SOON_MS });
  await pay(rest, 5n * USDT);
  await final(rest.id, 1);
  await daric.depositAddresses.archive(rest.id);
  const last = await daric.depositAddresses.askForRest(rest.id);
  const row = await daric.depositAddresses.retrieve(last.id);
  expect([row.amount_due, row.rest_of]).toEqual(["10", order.id]);
  for (const token of [order.checkout_token, rest.checkout_token])
    await until(
      "the page leads to the last rest",
      async () => (await shown(token)).to === last.checkout_token,
    );
  expect((await daric.checkout.lookup(last.checkout_token, { txHash: first })).result).toBe("counted");
  await open.getByText("Open the other page of this order").click();
  await open.locator("main").getByText("10.00").first().waitFor({ timeout: SOON_MS });

  const dust = await stack.payer.trx.sendTransaction(order.address, 99_999);
  await pay(last, 10n * USDT);
  await final(last.id, 2);
  await until("the order is accepted", () => events(order.id).length >= 2);
  await open
    .locator("main")
    .getByText("10.00 USDT received. The payment is final.")
    .waitFor({ timeout: SOON_MS });
  expect(events(last.id).map(({ event }) => event)).toEqual(["deposit.confirmed", "order.paid"]);
  expect(events(last.id).at(-1)?.data).toMatchObject({ restOf: order.id, restCompletes: true });
  expect(events(order.id).map(({ event }) => event)).toEqual(["deposit.confirmed", "order.accepted"]);
  expect((await daric.depositAddresses.retrieve(order.id)).payment_status).toBe("paid");
  await expect(daric.depositAddresses.askForRest(rest.id)).rejects.toMatchObject({
    code: "ORDER_ALREADY_PAID",
  });
  await until("the page of the part leads to the paid order", async () => {
    return (await shown(rest.checkout_token)).to === order.checkout_token;
  });
  expect((await shown(order.checkout_token)).text).toContain("another page of this order");
  const found = await daric.deposits.lookup({ txHash: dust.txid });
  expect(found.data).toMatchObject([{ deposit: { unmatched: true, status: "CONFIRMED" } }]);
});
