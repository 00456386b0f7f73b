import { describe, expect, it } from "vitest";
import {
  confirmations,
  currentConfirmations,
  depositMachine,
  depositStatuses,
  isDust,
  isLate,
  isOpen,
  offChainDepositStatuses,
  openDepositStatuses,
  unconfirmedDepositStatuses,
} from "./deposit.ts";
import { amountFromUnits } from "./money.ts";

describe("the state machine of a deposit", () => {
  it("has these edges and no others", () => {
    expect(depositMachine.events.map((event) => [event, depositMachine.edge(event)])).toEqual([
      ["buried", { from: ["DETECTED"], to: "CONFIRMING" }],
      ["orphaned", { from: ["DETECTED", "CONFIRMING", "STUCK"], to: "REORG_PENDING" }],
      ["finalized", { from: ["CONFIRMING", "STUCK"], to: "CONFIRMED" }],
      ["stalled", { from: ["CONFIRMING", "STUCK"], to: "STUCK" }],
      ["rejected", { from: ["STUCK"], to: "FAILED" }],
      ["included", { from: ["REORG_PENDING", "FAILED"], to: "DETECTED" }],
      ["failed", { from: ["REORG_PENDING"], to: "FAILED" }],
    ]);
  });

  it("never leaves CONFIRMED, and leaves FAILED only when another block includes the deposit", () => {
    const closed = depositStatuses.filter((status) => !isOpen(status));
    const ways = closed.flatMap((status) =>
      depositMachine.events
        .filter((event) => depositMachine.next(status, event) !== undefined)
        .map((event) => [status, event]),
    );
    expect(ways).toEqual([["FAILED", "included"]]);
  });

  it("defines which statuses are open, which are on our chain and which are off it", () => {
    expect(openDepositStatuses).toEqual(["DETECTED", "CONFIRMING", "STUCK", "REORG_PENDING"]);
    expect(unconfirmedDepositStatuses).toEqual(["DETECTED", "CONFIRMING", "STUCK"]);
    expect(offChainDepositStatuses).toEqual(["REORG_PENDING", "FAILED"]);
  });
});

describe("confirmations", () => {
  it("are one in the head block, one more for each block above it, and never negative", () => {
    expect(confirmations(100, 100)).toBe(1);
    expect(confirmations(118, 100)).toBe(19);
    expect(confirmations(99, 100)).toBe(0);
  });

  it.each([
    ["DETECTED", null, 5],
    ["CONFIRMING", null, 5],
    ["STUCK", null, 5],
    ["REORG_PENDING", null, 0],
    ["FAILED", null, 0],
    ["CONFIRMED", 19, 19],
  ] as const)(
    "of a deposit that is %s grow with its chain and stay once they are final",
    (status, finalConfirmations, expected) => {
      const deposit = { status, finalConfirmations, blockNumber: 100, headNumber: 104 };
      expect(currentConfirmations(deposit)).toBe(expected);
    },
  );
});

describe("dust", () => {
  it("is below 0.01 USDT and below 0.1 TRX", () => {
    const isTiny = (currency: "USDT" | "TRX", units: bigint) =>
      isDust({ currency, amount: amountFromUnits(units), due: null });
    expect([isTiny("USDT", 9_999n), isTiny("USDT", 10_000n)]).toEqual([true, false]);
    expect([isTiny("TRX", 99_999n), isTiny("TRX", 100_000n)]).toEqual([true, false]);
  });

  it("is nothing where the due itself is above zero and below the bound", () => {
    const isTiny = (due: bigint) =>
      isDust({ currency: "USDT", amount: amountFromUnits(1n), due: amountFromUnits(due) });
    expect([0n, 1n, 9_999n, 10_000n].map(isTiny)).toEqual([true, false, false, true]);
  });
});

describe("late", () => {
  const expiresAt = new Date("2026-01-01T00:00:00Z");

  it("is a block after the expiry, not one at it", () => {
    expect(isLate(expiresAt, expiresAt)).toBe(false);
    expect(isLate(new Date(expiresAt.getTime() + 1), expiresAt)).toBe(true);
  });

  it("never applies to an address without an expiry", () => {
    expect(isLate(new Date("2099-01-01T00:00:00Z"), null)).toBe(false);
  });
});
