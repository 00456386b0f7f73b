import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = [
  "orderRef",
  "order.paid",
  "order.expired",
  "deposit.confirmed",
  "USDT",
  "TRX",
  "page",
] as const;

it.each([
  ["order_ref", "orderRef"],
  ["OrderRef", "orderRef"],
  ["order.payed", "order.paid"],
  ["deposit.confrimed", "deposit.confirmed"],
  ["deposits.confirmed", "deposit.confirmed"],
  ["order-expired", "order.expired"],
  ["usdt", "USDT"],
  ["pgae", "page"],
])("the nearest name of %s is %s", (text, name) => {
  expect(nearestName(text, names)).toBe(name);
});

it.each(["payment.succeeded", "", "xyz", "orderRef", "TRON", "p", "_", "order".repeat(20), "ö"])(
  "%j has no nearest name",
  (text) => {
    expect(nearestName(text, names)).toBeUndefined();
  },
);
