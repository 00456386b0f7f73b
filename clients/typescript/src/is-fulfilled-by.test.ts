import { expect, it } from "vitest";
import { type ExpectedOrder, isFulfilledBy, reasonNotToDeliver } from "./is-fulfilled-by.ts";
import type { WebhookEvent } from "./webhook-event.ts";

const order: ExpectedOrder = { orderRef: "TS-2", depositAddressId: "c-1", amount: "12.50", currency: "USDT" };
const paid = {
  depositAddressId: "c-1",
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
  ["EUR", "19.9900", "19.99"],
  ["EUR", "19.99", "19.9900"],
  ["JPY", "1500", "1500.00"],
  ["JPY", "1500.00", "1500"],
])("an order of %s %s is fulfilled by an event that names %s", (fiatCurrency, amount, fiatAmount) => {
  const event = eventOf({ ...inUsd, fiatAmount, fiatCurrency });
  expect(isFulfilledBy(event, { ...order, amount, currency: fiatCurrency })).toBe(true);
  expect(isFulfilledBy(event, { ...order, amount, currency: "USD" })).toBe(false);
});

it.each(["order.paid", "order.accepted"])("%s of the rest fulfils the order of the rest", (name) => {
  const rest = { depositAddressId: "c-2", orderAmount: "5", amountReceived: "5", restOf: "c-1" };
  const reasonOf = (data: object) => reasonNotToDeliver(eventOf({ ...rest, ...data }, name), order);
  expect(reasonOf({ restCompletes: true })).toBeUndefined();
  expect(reasonOf({ restCompletes: true, orderRef: "TS-3" })).toBe('the event is of "TS-3"');
  expect(reasonOf({ restCompletes: true, restOf: "c-9" })).toBe("the event is of the charge c-9");
  expect(reasonOf({ restCompletes: false })).toBe(
    name === "order.paid" ? "the event is order.paid" : "the event is of the charge c-2",
  );
});

it("an order that was accepted short is fulfilled, and another charge of its reference fulfils nothing", () => {
  const short = { paymentState: "under", amountReceived: "12" };
  expect(isFulfilledBy(eventOf(short, "order.accepted"), order)).toBe(true);
  for (const name of ["deposit.confirmed", "order.accepted"])
    expect(reasonNotToDeliver(eventOf({ depositAddressId: "c-2" }, name), order)).toBe(
      "the event is of the charge c-2",
    );
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
