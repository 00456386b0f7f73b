import { expect, it } from "vitest";
import { leaseMs } from "./delivery-store.ts";

it("a claim outlives two attempts and ten seconds, for any deadline", () => {
  for (const deadlineMs of [1, 500, 15_000, 3_600_000])
    expect(leaseMs(deadlineMs)).toBeGreaterThan(2 * deadlineMs + 10_000);
});
