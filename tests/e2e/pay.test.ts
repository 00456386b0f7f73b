import { createHmac } from "node:crypto";
import { type BodyOf, type Daric, verifyWebhook } from "@daric/sdk";
import { isNight } from "@daric/testing/at-night";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from "@daric/testing/webhook-receiver";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDocsReceiver } from "./docs-receiver.ts";

const USDT = 1_000_000n;

let stack: Stack;
let daric: Daric;
let receiver: WebhookReceiver;
let secret: string;

beforeAll(async () => {
  stack = await startStack();
  ({ daric } = await stack.merchant());
  receiver = await startWebhookReceiver();
  const endpoint = await daric.webhooks.endpoints.create({
    url: receiver.url,
    eventTypes: ["deposit.confirmed", "order.paid"],
  });
  secret = endpoint.secret;
});

afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

const createOrder = (body: BodyOf<"POST /v1/deposit-addresses"> = {}) =>
  daric.depositAddresses.create({ amount: "25", orderRef: "A-1042", ...body });
const order = (id: string) => daric.depositAddresses.retrieve(id);
const checkout = (token: string) => daric.checkout.retrieve(token);

/** Sends USDT with TronWeb's own contract call; returns the transaction id. */
async function payUsdt(address: string, units: bigint): Promise<string> {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  return token.transfer(address, units.toString()).send({ feeLimit: 100_000_000 });
}

async function payTrx(address: string, sun: number): Promise<string> {
  const { txid } = await stack.payer.trx.sendTransaction(address, sun);
  return txid;
}

const webhooksOf = (id: string): ReceivedWebhook[] =>
  receiver.received.filter(({ event }) => event.data.depositAddressId === id);
const events = (id: string) => webhooksOf(id).map(({ event }) => event.event);

async function settled(id: string, ...expected: string[]): Promise<void> {
  await stack.mine(20);
  await until(`${expected.join(", ")} arrived`, () =>
    expected.every(
      (type) => events(id).filter((e) => e === type).length >= expected.filter((e) => e === type).length,
    ),
  );
}

describe("the path of one payment", () => {
  it("goes from the order through the chain to a webhook that stock libraries verify", async () => {
    const created = await createOrder({ amount: "25.5", successUrl: "https://shop.example/thanks" });
    expect(created).toMatchObject({ status: "ACTIVE", expected_amount: "25.5", pay_amount: null });
    expect(created.checkout_url).toBe(`${stack.baseUrl}/c/${created.checkout_token}`);
    expect(await checkout(created.checkout_token)).toMatchObject({ state: "awaiting" });

    const txHash = await payUsdt(created.address, 25_500_000n);
    await stack.mine(1);
    await until("the payment is seen", async () => (await order(created.id)).payment_status === "detected");
    await stack.mine(1);
    await until("it confirms", async () => (await order(created.id)).payment_status === "confirming");
    // The wait is needed because a polled projection is up to a second old.
    await until("the payer sees it", async () => {
      return (await checkout(created.checkout_token)).state === "confirming";
    });
    expect(await checkout(created.checkout_token)).toMatchObject({
      status: { txHash, requiredConfirmations: 19, amountReceived: "25.5", paymentState: "exact" },
    });

    await settled(created.id, "deposit.confirmed", "order.paid");
    expect(await order(created.id)).toMatchObject({ status: "ARCHIVED", payment_status: "paid" });
    await until("the payer sees it", async () => (await checkout(created.checkout_token)).state === "paid");

    const [confirmed] = webhooksOf(created.id);
    expect(confirmed?.event.data).toMatchObject({
      orderRef: "A-1042",
      amount: "25.5",
      txHash,
      orderAmount: "25.5",
    });
    const deposit = await daric.deposits.retrieve(String(confirmed?.event.data.depositId));
    expect(deposit.confirmations).toBeGreaterThanOrEqual(19);
    expect(deposit).toMatchObject({
      status: "CONFIRMED",
      tx_hash: txHash,
      amount: "25.5",
    });

    for (const { headers, body } of webhooksOf(created.id)) {
      expect(() => new StandardWebhook(secret).verify(body, headers)).not.toThrow();
      expect(() => new SvixWebhook(secret).verify(body, headers)).not.toThrow();
      const hex = createHmac("sha256", secret).update(body).digest("hex");
      expect(headers["x-service-signature"]).toBe(hex);
      const event = await verifyWebhook(body, headers, secret);
      if (event.event !== "deposit.confirmed" && event.event !== "order.paid") throw new Error(event.event);
      expect(event.data).toMatchObject({ depositAddressId: created.id, amountReceived: "25.5" });
      const forged = body.replace("25.5", "99.5");
      expect(() => new StandardWebhook(secret).verify(forged, headers)).toThrow();
      await expect(verifyWebhook(forged, headers, secret)).rejects.toMatchObject({ code: "BAD_SIGNATURE" });
    }
    await until("both deliveries are recorded", async () => {
      return (await daric.webhooks.deliveries.list({ status: "DELIVERED" })).meta.total === 2;
    });
  });

  it("is the same in TRX", async () => {
    const created = await createOrder({ currency: "TRX", amount: "120" });
    const txHash = await payTrx(created.address, 120_000_000);
    await settled(created.id, "deposit.confirmed", "order.paid");
    const [confirmed] = webhooksOf(created.id);
    expect(confirmed?.event.data).toMatchObject({
      currency: "TRX",
      amount: "120",
      txHash,
      paymentState: "exact",
    });
  });
});

describe("an order", () => {
  it("is paid by the amount that its page asks to type, also if a contract sends it, as GasFree does", async () => {
    const created = await createOrder({ amount: "49.93992" });
    const page = await (await fetch(created.checkout_url ?? "")).text();
    const [, typed = ""] = /id="copy-amount" type="button" data-copy="([^"]*)"/.exec(page) ?? [];
    expect(typed).toBe("49.94");
    expect(page).toContain("Money sent by GasFree or another contract counts too.");
    // A call of another contract than the token's, in which the token moves.
    const info = await (await fetch(`${stack.devchain.url}/devchain/info`)).json();
    const { usdxContract: from } = info as { usdxContract: string };
    const relayer = await stack.payer.contract().at(from);
    const txId = await relayer.approve(stack.devchain.payer.address, 1).send({ feeLimit: 100_000_000 });
    await stack.control("faults", { kind: "log", txId, from, to: created.address, amount: typed });
    await settled(created.id, "deposit.confirmed", "order.paid");
    await until("the payer sees it", async () => (await checkout(created.checkout_token)).state === "paid");
    expect(await checkout(created.checkout_token)).toMatchObject({
      order: { payAmount: "49.93992" },
      status: { amountReceived: "49.94", paymentState: "exact", txHash: txId },
    });
    expect(events(created.id)).toEqual(["deposit.confirmed", "order.paid"]);
    await fetch(`${stack.devchain.url}/devchain/faults`, { method: "DELETE" });
  });

  it("that receives too little is underpaid, and the rest pays it", async () => {
    const created = await createOrder();
    await payUsdt(created.address, 20n * USDT);
    await settled(created.id, "deposit.confirmed");
    expect(await checkout(created.checkout_token)).toMatchObject({
      state: "underpaid",
      status: { amountReceived: "20", paymentState: "under" },
    });
    expect(events(created.id)).toEqual(["deposit.confirmed"]);
    await payUsdt(created.address, 5n * USDT);
    await settled(created.id, "deposit.confirmed", "deposit.confirmed", "order.paid");
    expect(await order(created.id)).toMatchObject({ payment_status: "paid", amount_received: "25" });
  });

  it("that receives too much is overpaid, and shows by how much", async () => {
    const created = await createOrder();
    await payUsdt(created.address, 30n * USDT);
    await settled(created.id, "deposit.confirmed", "order.paid");
    expect(await checkout(created.checkout_token)).toMatchObject({ state: "overpaid" });
    const [confirmed] = webhooksOf(created.id);
    expect(confirmed?.event.data).toMatchObject({ difference: "5", paymentState: "over" });
  });

  it("that is paid twice keeps both deposits and is announced as paid once", async () => {
    const created = await createOrder();
    await payUsdt(created.address, 25n * USDT);
    await stack.mine(1);
    await payUsdt(created.address, 25n * USDT);
    await settled(created.id, "deposit.confirmed", "deposit.confirmed", "order.paid");
    const { data: deposits } = await daric.deposits.list({ depositAddressId: created.id });
    expect(deposits.map(({ amount }) => amount)).toEqual(["25", "25"]);
    expect(events(created.id).filter((type) => type === "order.paid")).toHaveLength(1);
  });

  it("is paid only by money to its own address, also if two are paid in one minute", async () => {
    const [first, second] = await Promise.all([createOrder(), createOrder()]);
    await payUsdt(first.address, 25n * USDT);
    await payUsdt(second.address, 25n * USDT);
    await settled(first.id, "order.paid");
    await settled(second.id, "order.paid");
    expect(webhooksOf(first.id)).toHaveLength(2);
    expect(webhooksOf(second.id)).toHaveLength(2);
  });

  it("in client fee mode is paid by the amount with the fee on top", async () => {
    const withFee = await stack.merchant(
      ...["--fee-mode", "client", "--fee-basis-points", "100", "--fee-fixed-usdt", "0.5"],
    );
    const created = await withFee.daric.depositAddresses.create({ amount: "100" });
    expect(created).toMatchObject({ expected_amount: "100", pay_amount: "101.515152", fee_mode: "client" });
    await payUsdt(created.address, 101_515_152n);
    await stack.mine(20);
    await until("it is paid", async () => {
      const row = await withFee.daric.depositAddresses.retrieve(created.id);
      return row.payment_status === "paid";
    });
  });
});

describe("a receive address", () => {
  it("is the same address every time and can be paid again and again", async () => {
    const [first, again] = [
      await daric.depositAddresses.create({ reusable: true }),
      await daric.depositAddresses.create({ reusable: true }),
    ];
    expect(again).toEqual(first);
    await payUsdt(first.address, 3n * USDT);
    await settled(first.id, "deposit.confirmed");
    await payUsdt(first.address, 4n * USDT);
    await settled(first.id, "deposit.confirmed", "deposit.confirmed");
    expect(await order(first.id)).toMatchObject({ kind: "receive", status: "ACTIVE", amount_received: "7" });
  });
});

describe("the receiver of docs/webhooks.md", () => {
  it("fulfils a paid order, and not a short one", async () => {
    const { daric: shop } = await stack.merchant();
    // The receiver needs the secret at its start. So the endpoint is registered first, and gets the receiver's URL
    // afterwards.
    const endpoint = await shop.webhooks.endpoints.create({
      url: "http://127.0.0.1:9/hook",
      eventTypes: ["deposit.confirmed"],
    });
    const created = await shop.depositAddresses.create({ amount: "25.5", orderRef: "A-1042" });
    const docsReceiver = await startDocsReceiver(endpoint.secret, { chargeId: created.id });
    await shop.webhooks.endpoints.update(endpoint.id, { url: docsReceiver.url });
    const delivered = (count: number) =>
      until(`${count} deliveries arrived`, async () => {
        const { meta } = await shop.webhooks.deliveries.list({ status: "DELIVERED" });
        return meta.total === count;
      });
    await payUsdt(created.address, 20_000_000n);
    await stack.mine(20);
    await delivered(1);
    const short = "not delivered A-1042: only 20 USDT has arrived";
    expect(docsReceiver.printed()).toEqual([short]);
    await payUsdt(created.address, 5_500_000n);
    await stack.mine(20);
    await delivered(2);
    expect(await docsReceiver.stop()).toEqual([short, "paid A-1042 25.5 USDT"]);
  });
});

describe("during an outage", () => {
  it.runIf(isNight)("a payment made while the service is down is found after its start", async () => {
    const created = await createOrder();
    await stack.stopService();
    await payUsdt(created.address, 25n * USDT);
    await stack.mine(60);
    await stack.startService();
    await until("the webhooks arrive", () => events(created.id).length === 2);
    expect(events(created.id)).toEqual(["deposit.confirmed", "order.paid"]);
  });

  it.runIf(isNight)("a killed service continues without losing or repeating the deposit", async () => {
    const created = await createOrder();
    await payUsdt(created.address, 25n * USDT);
    await stack.mine(3);
    await stack.stopService("SIGKILL");
    await stack.mine(20);
    await stack.startService();
    await until("the webhooks arrive", () => events(created.id).length >= 2);
    const { data: deposits } = await daric.deposits.list({ depositAddressId: created.id });
    expect(deposits).toHaveLength(1);
    expect(new Set(webhooksOf(created.id).map(({ event }) => event.id)).size).toBe(2);
  });

  it("a receiver that fails at first gets the same event again, byte for byte", async () => {
    const created = await createOrder();
    await payUsdt(created.address, 25n * USDT);
    receiver.answerNext(503, 500, 302, 500);
    await settled(created.id, "deposit.confirmed", "order.paid");
    await until(
      "both are delivered",
      () => webhooksOf(created.id).filter(({ status }) => status === 200).length === 2,
    );
    expect(webhooksOf(created.id)).toHaveLength(6);
    expect(new Set(webhooksOf(created.id).map(({ body }) => body)).size).toBe(2);
    const [delivered] = webhooksOf(created.id).filter(({ status }) => status === 200);
    await until("it is logged", async () => {
      const referenceId = String(delivered?.event.data.depositId ?? created.id);
      const [row] = (await daric.webhooks.deliveries.list({ referenceId })).data;
      return row?.status === "DELIVERED" && row.attempts > 1;
    });
  });
});
