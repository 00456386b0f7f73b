import { expect, it } from "vitest";
import { pageMessage } from "./messages.ts";

const window = {} as Window;
const page = { origin: "https://pay.example", window };
const data = { source: "daric", version: 1, type: "state", state: "paid", orderRef: "A-1" };
const hear = (event: object) =>
  pageMessage({ origin: page.origin, source: window, data, ...event } as MessageEvent, page);

it("a message counts from the payment page's own window and origin alone", () => {
  expect(hear({})).toBe(data);
  expect(hear({ origin: "https://shop.example" })).toBeUndefined();
  expect(hear({ source: {} })).toBeUndefined();
  expect(
    pageMessage({ origin: page.origin, source: null, data } as MessageEvent, { ...page, window: null }),
  ).toBeUndefined();
});

it.each([
  [null],
  ["daric"],
  [{ ...data, source: "other" }],
  [{ ...data, version: 2 }],
  [[]],
  [{ ...data, type: 1 }],
  [{ ...data, state: {} }],
  [{ ...data, orderRef: 7 }],
  [{ ...data, type: "resize", height: "9e9" }],
])("%j is no message of the payment page", (other) => expect(hear({ data: other })).toBeUndefined());
