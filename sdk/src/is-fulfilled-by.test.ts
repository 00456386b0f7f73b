import { expect, it } from "vitest";
import { type ExpectedOrder, isFulfilledBy, reasonNotToDeliver } from "./is-fulfilled-by.ts";
import type { WebhookEvent } from "./webhook-event.ts";

const order: ExpectedOrder = { orderRef: "TS-2", amount: "12.50", currency: "USDT" };
const paid = {
  orderRef: "TS-2",
  orderAmount: "12.5",
  currency: "USDT",
  fiatAmount: null,
  fiatCurrency: null,
  paymentState: "exact",
  amountReceived: "12.5",
};
const eventOf = (data: object, event = "deposit.confirmed") =>
  ({ id: "one", event, data: { ...paid, ...data } }) as unknown as WebhookEvent;
const inUsd = { orderAmount: "20.6", fiatAmount: "19.90", fiatCurrency: "USD", amountReceived: "20.6" };

it.each(["12.5", "12.50", "12.500000", "012.5"])(
  "an order of %s is fulfilled by a payment of 12.5",
  (amount) => {
    expect(isFulfilledBy(eventOf({}), { ...order, amount })).toBe(true);
    expect(isFulfilledBy(eventOf({ paymentState: "over" }), { ...order, amount })).toBe(true);
  },
);

it("amounts are compared to the last digit, also without a point", () => {
  const isFulfilled = (requested: string, paidFor: string) =>
    isFulfilledBy(eventOf({ orderAmount: paidFor }), { ...order, amount: requested });
  expect(isFulfilled("100", "100")).toBe(true);
  expect(isFulfilled("100", "1")).toBe(false);
  expect(isFulfilled("100.00", "100")).toBe(true);
  expect(isFulfilled("9007199254740993", "9007199254740992")).toBe(false);
  expect(isFulfilled("0.000001", "0.000002")).toBe(false);
});

it("an order in USD is fulfilled by its price in USD, at any rate", () => {
  expect(isFulfilledBy(eventOf(inUsd), { ...order, amount: "19.9", currency: "USD" })).toBe(true);
  expect(isFulfilledBy(eventOf(inUsd), { ...order, amount: "20.6" })).toBe(false);
});

it.each([
  ["another event", eventOf({}, "order.paid"), "the event is order.paid"],
  ["another order", eventOf({ orderRef: "TS-3" }), 'the event is of "TS-3"'],
  ["no reference", eventOf({ orderRef: null }), "the event is of null"],
  ["another price", eventOf({ orderAmount: "1.25" }), "its price is 1.25 USDT, and 12.50 USDT was asked for"],
  ["no price", eventOf({ orderAmount: null }), "its price is null USDT, and 12.50 USDT was asked for"],
  ["another coin", eventOf({ currency: "TRX" }), "its price is 12.5 TRX, and 12.50 USDT was asked for"],
  ["a part of it", eventOf({ paymentState: "under", amountReceived: "3" }), "only 3 USDT has arrived"],
  ["nothing of it", eventOf({ paymentState: "none", amountReceived: "0" }), "only 0 USDT has arrived"],
])("an event of %s is no reason to deliver, and the result has the reason", (_what, event, reason) => {
  expect([isFulfilledBy(event, order), reasonNotToDeliver(event, order)]).toEqual([false, reason]);
});

it("no event fulfils an order that is stored without a reference", () => {
  const kept = { ...order, orderRef: null as unknown as string };
  expect(reasonNotToDeliver(eventOf({ orderRef: null }), kept)).toBe("the event is of null");
});

it.each([12.5, "12,50", "", "1e3", "12.", null])(
  "an amount of %j, which equals no event, is a TypeError",
  (amount) => {
    expect(() => isFulfilledBy(eventOf({}), { ...order, amount: amount as string })).toThrow(TypeError);
  },
);
