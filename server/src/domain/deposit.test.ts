import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  confirmations,
  currentConfirmations,
  type DepositStatus,
  depositEvents,
  depositStatuses,
  depositTransition,
  dustBelow,
  isLate,
  isOpen,
} from "./deposit.ts";
import { parseAmount } from "./money.ts";

describe("the graph of a deposit", () => {
  it("has these edges and no others", () => {
    const edges = depositEvents.flatMap((event) => {
      const { from, to } = depositTransition(event);
      return from.map((status) => `${status} -${event}-> ${to}`);
    });
    expect(edges.toSorted()).toEqual([
      "CONFIRMING -finalized-> CONFIRMED",
      "CONFIRMING -orphaned-> REORG_PENDING",
      "CONFIRMING -stalled-> STUCK",
      "DETECTED -buried-> CONFIRMING",
      "DETECTED -orphaned-> REORG_PENDING",
      "FAILED -included-> DETECTED",
      "REORG_PENDING -failed-> FAILED",
      "REORG_PENDING -included-> DETECTED",
      "STUCK -finalized-> CONFIRMED",
      "STUCK -orphaned-> REORG_PENDING",
      "STUCK -resumed-> CONFIRMING",
    ]);
  });

  it("never leaves CONFIRMED, and FAILED only by being read again", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...depositEvents), { maxLength: 40 }), (events) => {
        let status: DepositStatus = "DETECTED";
        for (const event of events) {
          const { from, to } = depositTransition(event);
          const next: DepositStatus = from.includes(status) ? to : status;
          if (!isOpen(status) && next !== status) expect([status, event]).toEqual(["FAILED", "included"]);
          status = next;
        }
        expect(depositStatuses).toContain(status);
      }),
    );
  });

  it("reaches every status from DETECTED", () => {
    const reached = new Set(["DETECTED"]);
    for (let round = 0; round < depositStatuses.length; round += 1) {
      for (const event of depositEvents) {
        const { from, to } = depositTransition(event);
        if (from.some((status) => reached.has(status))) reached.add(to);
      }
    }
    expect([...reached].toSorted()).toEqual([...depositStatuses].toSorted());
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
    expect(dustBelow).toEqual({ USDT: parseAmount("0.01"), TRX: parseAmount("0.1") });
  });
});

describe("late", () => {
  const expiresAt = new Date("2026-01-01T00:00:00Z");

  it("is a block after the time of expiry, not one at it", () => {
    expect(isLate(expiresAt, expiresAt)).toBe(false);
    expect(isLate(new Date(expiresAt.getTime() + 1), expiresAt)).toBe(true);
  });

  it("is nothing on an address that never expires", () => {
    expect(isLate(new Date("2099-01-01T00:00:00Z"), null)).toBe(false);
  });
});
