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

it.each([
  ["USD", "1.001", "must have at most 2 decimals in USD"],
  ["EUR", "1.001", "must have at most 2 decimals in EUR"],
  ["EUR", "19.99001", "must have at most 2 decimals in EUR"],
  ["JPY", "1.5", "must have no decimals in JPY"],
  ["JPY", "0.01", "must have no decimals in JPY"],
  ["KRW", "1000.1", "must have no decimals in KRW"],
  ["NGN", "0.001", "must have at most 2 decimals in NGN"],
])("in %s the amount %s is refused: it %s", (pricingCurrency, amount, message) => {
  const { issues } = createBody.safeParse({ pricingCurrency, amount }).error ?? expect.fail();
  expect(issues.map(({ path, message: text }) => [path.join("."), text])).toEqual([["amount", message]]);
});

it.each([
  ["EUR", "19.9900"],
  ["EUR", "1.10000000"],
  ["JPY", "100"],
  ["JPY", "100.00"],
  ["KRW", "1000.000000"],
  ["USDT", "1.000001"],
])("in %s the amount %s is valid: zeros at its end have no meaning", (pricingCurrency, amount) => {
  expect(failingFields({ pricingCurrency, amount })).toBeUndefined();
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
