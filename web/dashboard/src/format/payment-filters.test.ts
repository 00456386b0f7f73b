import { expect, it } from "vitest";
import { rangeOf, readPaymentFilters } from "./payment-filters.ts";

it("the filters of an address are read, and anything else is left out", () => {
  const filters = {
    kind: "order",
    status: "ACTIVE",
    payment: "short",
    reference: "A-1",
    paymentLinkId: "0193a1b2-c071-7283-9e9f-a0b1c2d3e4f5",
    payerRef: "newsletter-7",
    from: "2026-01-31",
  };
  expect(readPaymentFilters({ ...filters, page: 2 })).toEqual(filters);
  const wrong = {
    kind: "everything",
    status: "paid",
    payment: "over",
    reference: "",
    paymentLinkId: "A-1",
    payerRef: "a b",
    from: "soon",
    to: "2026-13-01",
  };
  expect(readPaymentFilters(wrong)).toEqual({});
  expect(readPaymentFilters({ reference: "1.10" })).toEqual({ reference: "1.10" });
});

it("a range of days begins with the first and ends with the last, where the person is", () => {
  const { from = "", to = "" } = rangeOf({ from: "2026-01-31", to: "2026-01-31" });
  expect(new Date(from)).toEqual(new Date(2026, 0, 31));
  expect(new Date(to)).toEqual(new Date(2026, 1, 1));
  expect(rangeOf({})).toEqual({});
});
