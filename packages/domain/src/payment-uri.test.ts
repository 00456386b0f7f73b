import { describe, expect, it } from "vitest";
import { paymentUri } from "./payment-uri.ts";

const to = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

describe("the payment URI", () => {
  it.each([
    ["49.94", usdt, `tron:${to}?amount=49.94&token=${usdt}`],
    ["200000", usdt, `tron:${to}?amount=200000.0&token=${usdt}`],
    ["50", null, `tron:${to}?amount=50.0`],
  ] as const)(
    "of %s in %s has the amount with a point, so that it is not read as raw units",
    (amount, contract, uri) => {
      expect(paymentUri({ to, amount, contract })).toBe(uri);
    },
  );
});
