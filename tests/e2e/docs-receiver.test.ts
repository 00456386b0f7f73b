import { readFile } from "node:fs/promises";
import { isNight } from "@daric/testing/at-night";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  CHARGE_ID,
  type DocsReceiver,
  isInstalled,
  receiverLanguages,
  startDocsReceiver,
} from "./docs-receiver.ts";

const SECRET = `whsec_${"5a".repeat(32)}`;
const FULFILLED = "paid A-1042 25.5 USDT";

/** A deposit that pays the page's order. */
const exact = {
  depositAddressId: CHARGE_ID,
  orderRef: "A-1042",
  currency: "USDT",
  orderAmount: "25.5",
  amount: "25.5",
  amountReceived: "25.5",
  fiatAmount: null,
  fiatCurrency: null,
  paymentState: "exact",
};

/** A deposit that pays the page's order in USD; its amount in coins comes from the rate. */
const exactInUsd = {
  ...exact,
  depositAddressId: "01a1c0de-0000-7000-8000-000000002001",
  orderRef: "A-2001",
  orderAmount: "20.001995",
  amount: "20.001995",
  amountReceived: "20.001995",
  fiatAmount: "19.99",
  fiatCurrency: "USD",
};

/** A deposit that pays the page's order whose price is stored as "12.50". */
const exactWithTwoDecimals = {
  ...exact,
  depositAddressId: "01a1c0de-0000-7000-8000-000000001044",
  orderRef: "A-1044",
  orderAmount: "12.5",
  amount: "12.5",
  amountReceived: "12.5",
};

/** The line with the reason why an order is not delivered. */
const notDelivered = (orderRef: string, reason: string) =>
  expect.stringMatching(new RegExp(`^not delivered ${orderRef}: .*${reason}`));
const OTHER_PRICE = "its price is .* was asked for";

let receiver: DocsReceiver;
let sent: number;

type Tampering = { event?: string; id?: string; secret?: string; at?: Date; forged?: boolean };

/** Sends a signed event of these facts; returns the status. */
async function send(facts: object = {}, tampering: Tampering = {}): Promise<number> {
  sent += 1;
  const { event = "deposit.confirmed", id = `event-${sent}`, secret = SECRET, at = new Date() } = tampering;
  const body = JSON.stringify({ id, event, data: { ...exact, ...facts } });
  const answer = await fetch(receiver.url, {
    method: "POST",
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
    body: tampering.forged ? body.replace("A-1042", "A-1042 ") : body,
  });
  return answer.status;
}

/** The receiver of the guide is tested here, those in other languages in the nightly run. */
const languages = isNight ? receiverLanguages : receiverLanguages.slice(0, 1);

describe.each(languages.map((language) => ({ language, name: language.name })))(
  "the documentation's receiver in $name",
  ({ language }) => {
    beforeEach(async ({ skip }) => {
      sent = 0;
      if (!isInstalled(language)) skip();
      receiver = await startDocsReceiver(SECRET, { language });
    });
    afterEach(async () => void (await receiver?.stop()));

    it("fulfils an exactly paid order once, for any number of deliveries", async () => {
      expect(await send({}, { id: "one" })).toBe(204);
      expect(await send({}, { id: "one" })).toBe(204);
      expect(await send({ amountReceived: "51", paymentState: "over" }, { id: "two" })).toBe(204);
      expect(await send({}, { event: "order.paid" })).toBe(204);
      expect(await receiver.stop()).toEqual([
        FULFILLED,
        notDelivered("A-1042", "(the event was handled before|it is delivered already)"),
        notDelivered("A-1042", "it is delivered already"),
        "received order.paid A-1042",
      ]);
    });

    it('fulfils an order whose price is stored as "12.50"', async () => {
      await send({ ...exactWithTwoDecimals, orderAmount: "12.05" });
      await send({ ...exactWithTwoDecimals, orderAmount: "125" });
      await send(exactWithTwoDecimals);
      expect(await receiver.stop()).toEqual([
        notDelivered("A-1044", OTHER_PRICE),
        notDelivered("A-1044", OTHER_PRICE),
        "paid A-1044 12.5 USDT",
      ]);
    });

    it("fulfils an order that received more", async () => {
      await send({ amountReceived: "30", paymentState: "over" });
      expect(await receiver.stop()).toEqual(["paid A-1042 30 USDT"]);
    });

    it("fulfils an order in USD by its price in USD, at any rate", async () => {
      await send({ ...exactInUsd, orderAmount: "20.6", amountReceived: "20.6" });
      await send(exactInUsd);
      expect(await receiver.stop()).toEqual([
        "paid A-2001 20.6 USDT",
        notDelivered("A-2001", "it is delivered already"),
      ]);
    });

    it("accepts the true event after a forged one of the same id", async () => {
      expect(await send({}, { id: "same", forged: true })).toBe(401);
      expect(await send({}, { id: "same" })).toBe(204);
      expect(await receiver.stop()).toEqual([FULFILLED]);
    });

    it("waits for the rest of a part payment", async () => {
      await send({ amount: "20", amountReceived: "20", paymentState: "under" });
      await send({ amount: "5.5" });
      expect(await receiver.stop()).toEqual([notDelivered("A-1042", "only 20 USDT has arrived"), FULFILLED]);
    });

    it("does not fulfil on a part payment", async () => {
      expect(await send({ amount: "20", amountReceived: "20", paymentState: "under" })).toBe(204);
      expect(await receiver.stop()).toEqual([notDelivered("A-1042", "only 20 USDT has arrived")]);
    });

    it.each([
      ["a smaller amount than the price", { orderAmount: "1", amountReceived: "1" }, OTHER_PRICE],
      ["an order without an amount", { orderAmount: null }, OTHER_PRICE],
      ["another currency", { currency: "TRX" }, OTHER_PRICE],
      ["an unknown reference", { orderRef: "A-1043" }, "no order has this reference"],
      ["fewer USD than the price", { ...exactInUsd, fiatAmount: "1.99" }, OTHER_PRICE],
      [
        "as many coins as the price has USD",
        { ...exactInUsd, orderAmount: "19.99", fiatAmount: null, fiatCurrency: null },
        OTHER_PRICE,
      ],
      ["as many EUR as the price has USD", { ...exactInUsd, fiatCurrency: "EUR" }, OTHER_PRICE],
      ["as many USD as the price has coins", { fiatAmount: "25.5", fiatCurrency: "USD" }, OTHER_PRICE],
      ["no reference", { orderRef: null }, "no order has this reference"],
      ["a name that every object has", { orderRef: "constructor" }, "no order has this reference"],
      ["nothing received", { amountReceived: "0", paymentState: "none" }, "only 0 USDT has arrived"],
    ])("accepts %s, does not fulfil and prints the reason", async (_what, facts, reason) => {
      expect(await send(facts)).toBe(204);
      expect(await receiver.stop()).toEqual([notDelivered(".*", reason)]);
    });

    it("accepts a test, which is of no order, and prints that it came", async () => {
      expect(await send({ orderRef: undefined }, { event: "webhook.test" })).toBe(204);
      expect(await receiver.stop()).toEqual(["received webhook.test "]);
    });

    it.each(["deposit.detected", "order.paid", "order.underpaid"])(
      "accepts %s, does not fulfil on it and prints that it came",
      async (event) => {
        expect(await send({}, { event })).toBe(204);
        expect(await receiver.stop()).toEqual([`received ${event} A-1042`]);
      },
    );

    it("acts on the charge: a twin under the same reference neither delivers nor cancels", async () => {
      const twin = { depositAddressId: "01a1c0de-0000-7000-8000-000000009999" };
      await send(twin);
      await send(twin, { event: "order.accepted" });
      await send({ ...twin, orderRefPaid: false }, { event: "order.expired" });
      await send({ orderRefPaid: true }, { event: "order.expired" });
      await send();
      await send({ orderRefPaid: false }, { event: "order.expired" });
      expect(await receiver.stop()).toEqual([
        notDelivered("A-1042", `the event is of the charge ${twin.depositAddressId}`),
        notDelivered("A-1042", `the event is of the charge ${twin.depositAddressId}`),
        "not cancelled A-1042",
        "not cancelled A-1042",
        FULFILLED,
        "not cancelled A-1042",
      ]);
    });

    it("cancels an order whose charge expired with nothing, once, and does not deliver it later", async () => {
      for (let times = 0; times < 2; times += 1)
        await send({ orderRefPaid: false, paymentState: "none" }, { event: "order.expired" });
      await send({ late: true });
      expect(await receiver.stop()).toEqual([
        "cancelled A-1042",
        "not cancelled A-1042",
        notDelivered("A-1042", "it is cancelled"),
      ]);
    });

    it("delivers once when the rest is paid, though its price is another", async () => {
      const rest = {
        depositAddressId: "01a1c0de-0000-7000-8000-000000009999",
        orderAmount: "12.75",
        amountReceived: "12.75",
      };
      await send({ amount: "12.75", amountReceived: "12.75", paymentState: "under" });
      await send(rest);
      await send({ ...rest, restOf: "another", restCompletes: true }, { event: "order.paid" });
      await send({ ...rest, restOf: CHARGE_ID, restCompletes: false }, { event: "order.paid" });
      await send({ ...rest, restOf: CHARGE_ID, restCompletes: true }, { event: "order.paid" });
      await send({ paymentState: "under" }, { event: "order.accepted" });
      expect(await receiver.stop()).toEqual([
        notDelivered("A-1042", "only 12.75 USDT has arrived"),
        notDelivered("A-1042", "the event is of the charge"),
        notDelivered("A-1042", "the event is of the charge another"),
        "received order.paid A-1042",
        "paid A-1042 12.75 USDT",
        notDelivered("A-1042", "it is delivered already"),
      ]);
    });

    it("delivers an order that was accepted short", async () => {
      await send({ amountReceived: "20", paymentState: "under" }, { event: "order.accepted" });
      expect(await receiver.stop()).toEqual(["paid A-1042 20 USDT"]);
    });

    it.each<[string, Tampering]>([
      ["is signed with another secret", { secret: `whsec_${"00".repeat(32)}` }],
      ["was signed ten minutes ago", { at: new Date(Date.now() - 600_000) }],
      ["was changed after it was signed", { forged: true }],
    ])("refuses what %s", async (_what, tampering) => {
      expect(await send({}, { id: "same", ...tampering })).toBe(401);
      expect(await receiver.stop()).toEqual([]);
    });
  },
);

it("the guides register exactly the events that the receiver handles", async () => {
  const [start, page] = await Promise.all(
    ["../../docs/start.md", "../../docs/webhooks.md"].map((path) =>
      readFile(new URL(path, import.meta.url), "utf8"),
    ),
  );
  const registered = [start, page].map((text) => /"eventTypes": (\[[^\]]*\])/.exec(text ?? "")?.[1]);
  const handled = [...(page ?? "").matchAll(/event [!=]== "([^"]*)"/g)].map(([, name]) => name);
  const names = '["deposit.confirmed", "order.paid", "order.accepted", "order.expired"]';
  expect(registered).toEqual([names, names]);
  // It reads the payment of a rest, in order.paid or order.accepted, by restCompletes.
  expect([...new Set([...handled, "order.paid"])].sort()).toEqual(JSON.parse(names).sort());
});

it("the receiver refuses to run without a secret, because events could be forged", async () => {
  await expect(startDocsReceiver("")).rejects.toThrow("WEBHOOK_SECRET is missing");
});
