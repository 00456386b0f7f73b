import { expect, it } from "vitest";
import { createBody } from "./schema.ts";

function failingFields(body: object) {
  const fields = createBody.safeParse(body).error?.issues.map(({ path }) => path.join("."));
  return fields?.toSorted();
}

it.each([
  ["a reusable address with an amount", { reusable: true, amount: "1" }, "amount"],
  ["USD with 3 decimals", { pricingCurrency: "USD", amount: "1.234" }, "amount"],
  ["TRX priced in USDT", { currency: "TRX", pricingCurrency: "USDT" }, "pricingCurrency"],
])("%s is named with the faults of other fields", (_rule, body, field) => {
  expect(failingFields(body)).toEqual([field]);
  expect(failingFields({ ...body, orderRef: 5 })).toEqual([field, "orderRef"].toSorted());
});

it("a rule about two fields is skipped if one of them is invalid", () => {
  expect(failingFields({ reusable: "yes", amount: "1" })).toEqual(["reusable"]);
  expect(failingFields({ pricingCurrency: "USD", amount: 1.234 })).toEqual(["amount"]);
  expect(failingFields([])).toEqual([""]);
});

it("a return address with half a surrogate pair is refused, and not stored with another character", () => {
  expect(failingFields({ successUrl: "https://shop.example/\ud800" })).toEqual(["successUrl"]);
  expect(createBody.parse({ successUrl: "https://shop.example/😀" }).successUrl).toBe(
    "https://shop.example/%F0%9F%98%80",
  );
});
