import { expect, it } from "vitest";
import { unpaidOf } from "./payment-state.ts";

it("nothing is still to pay once the order is accepted", () => {
  const short = { amount_due: "25.5", amount_received: "12.75", accepted_at: null };
  expect(unpaidOf(short)).toBe("12.75");
  expect(unpaidOf({ ...short, accepted_at: "2026-01-01T12:00:00Z" })).toBeNull();
});
