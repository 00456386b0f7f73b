import { expect, it } from "vitest";
import { readPaymentFilters } from "./payment-filters.ts";

it("the filters of an address are read, and anything else is left out", () => {
  expect(readPaymentFilters({ kind: "order", status: "ACTIVE", orderRef: "A-1", page: 2 })).toEqual({
    kind: "order",
    status: "ACTIVE",
    orderRef: "A-1",
  });
  expect(readPaymentFilters({ kind: "everything", status: "paid", orderRef: "" })).toEqual({});
  expect(readPaymentFilters({ orderRef: 1042 })).toEqual({ orderRef: "1042" });
});
