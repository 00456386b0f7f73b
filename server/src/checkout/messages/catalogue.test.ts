import { describe, expect, it } from "vitest";
import { pluralOf } from "./catalogue.ts";

describe("pluralOf", () => {
  it("has one form for one and another for more, as English does", () => {
    const payments = pluralOf("en", { one: "payment", other: "payments" });
    expect([0, 1, 2, 21].map(payments)).toEqual(["payments", "payment", "payments", "payments"]);
  });

  it("accepts as many forms as a language has, and falls back to the general one", () => {
    const payments = pluralOf("pl", { one: "płatność", few: "płatności", other: "płatności (wiele)" });
    expect([1, 3, 5, 22].map(payments)).toEqual(["płatność", "płatności", "płatności (wiele)", "płatności"]);
  });
});
