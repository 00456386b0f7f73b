import { describe, expect, it } from "vitest";
import { paymentStateOf, unpaidOf } from "./payment-state.ts";

const order = {
  kind: "order",
  status: "ACTIVE",
  payment_status: "awaiting",
  payment_state: "none",
  accepted_at: null,
  amount_pending: "0",
} as const;

describe("the state of a payment", () => {
  it("is what the money says before what the clock says", () => {
    expect(paymentStateOf(order)).toBe("waiting");
    expect(paymentStateOf({ ...order, status: "EXPIRED", payment_status: "expired" })).toBe("expired");
    expect(
      paymentStateOf({ ...order, status: "EXPIRED", payment_status: "expired", payment_state: "under" }),
    ).toBe("underpaid");
    expect(paymentStateOf({ ...order, payment_status: "confirming", payment_state: "under" })).toBe(
      "confirming",
    );
    expect(paymentStateOf({ ...order, payment_status: "paid", payment_state: "over" })).toBe("overpaid");
  });

  it("is confirming while money is not final, also where a list does not say so", () => {
    const { payment_status: _, ...mixed } = order;
    expect(paymentStateOf({ ...mixed, payment_state: "exact", amount_pending: "25.5" })).toBe("confirming");
    expect(paymentStateOf({ ...mixed, payment_state: "exact" })).toBe("paid");
  });

  it("says accepted where the merchant took less for the whole", () => {
    const accepted = {
      ...order,
      status: "ARCHIVED",
      payment_state: "under",
      accepted_at: "2026-01-01",
    } as const;
    expect(paymentStateOf(accepted)).toBe("accepted");
  });

  it("never calls an address without an amount paid", () => {
    expect(paymentStateOf({ ...order, kind: "receive", payment_state: "exact" })).toBe("receiving");
    expect(paymentStateOf({ ...order, kind: "open", status: "EXPIRED" })).toBe("expired");
  });
});

it("nothing is still to pay once the order is accepted", () => {
  const short = { amount_due: "25.5", amount_received: "12.75", accepted_at: null };
  expect(unpaidOf(short)).toBe("12.75");
  expect(unpaidOf({ ...short, accepted_at: "2026-01-01T12:00:00Z" })).toBeNull();
});
