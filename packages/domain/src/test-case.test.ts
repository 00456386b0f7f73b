import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, add, amountFromUnits, formatAmount, parseAmount, zero } from "./money.ts";
import { isOverpaid, isPaid, minPayingUnits } from "./order.ts";
import { expectedEvents, type PayableFacts, paymentsOf, type TestCase } from "./test-case.ts";

const amount = (text: string): Amount => parseAmount(text) ?? zero;
const sent = (testCase: TestCase, due: string | null, currency: "USDT" | "TRX" = "USDT") =>
  paymentsOf(testCase, { currency, due: due === null ? null : amount(due) }).map(
    (payment) => `${formatAmount(payment.amount)} ${payment.currency}`,
  );

describe("the payments of a test case", () => {
  it.each<[TestCase, string[]]>([
    ["exact", ["25.5 USDT"]],
    ["under", ["12.75 USDT"]],
    ["over", ["38.25 USDT"]],
    ["twice", ["25.5 USDT", "25.5 USDT"]],
    ["late", ["25.5 USDT"]],
    ["wrong_coin", ["25.5 TRX"]],
    ["reorged", ["25.5 USDT"]],
  ])("%s of 25.5 USDT", (testCase, expected) => {
    expect(sent(testCase, "25.5")).toEqual(expected);
  });

  it("start from 10 if any amount will do", () => {
    expect([sent("exact", null), sent("under", "0"), sent("over", null, "TRX")].flat()).toEqual([
      "10 USDT",
      "5 USDT",
      "15 TRX",
    ]);
    expect(sent("wrong_coin", null, "TRX")).toEqual(["10 USDT"]);
  });

  it("are none if the due cannot be halved", () => {
    expect(sent("under", "0.000001")).toEqual([]);
    expect(sent("over", "0.000001")).toEqual(["0.020001 USDT"]);
  });

  it("are under, exact and over by the rules of orders, for every due and tolerance", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2n, max: 999_999_999_999_999_999n }),
        fc.integer({ min: 0, max: 500 }),
        (units, toleranceBasisPoints) => {
          const terms = { due: amountFromUnits(units), toleranceBasisPoints };
          const sum = (testCase: TestCase) =>
            paymentsOf(testCase, { currency: "USDT", due: terms.due }).reduce<Amount>(
              (total, payment) => add(total, payment.amount),
              zero,
            );
          const min = minPayingUnits(terms) ?? zero;
          expect(sum("under") < min || min <= 1n).toBe(true);
          expect(isPaid(terms, sum("under"))).toBe(false);
          expect([isPaid(terms, sum("exact")), isOverpaid(terms, sum("exact"))]).toEqual([true, false]);
          expect(isOverpaid(terms, sum("over"))).toBe(true);
        },
      ),
    );
  });
});

describe("the expected events", () => {
  const expiresAt = new Date("2026-01-01T12:00:00Z");
  const lateUntil = new Date("2026-01-02T12:00:00Z");
  const none = { onTime: zero, inWindow: zero, total: zero };
  const order: PayableFacts = {
    kind: "order",
    currency: "USDT",
    terms: { due: amount("25"), toleranceBasisPoints: 0 },
    confirmed: none,
    expiresAt,
    lateUntil,
    acceptedAt: null,
  };
  const onTime = new Date("2026-01-01T11:00:00Z");
  const inWindow = new Date("2026-01-01T13:00:00Z");
  const tooLate = new Date("2026-01-03T12:00:00Z");
  const events = (testCase: TestCase, at = onTime, facts: Partial<PayableFacts> = {}) => {
    const charge = { ...order, ...facts };
    return expectedEvents(charge, paymentsOf(testCase, { ...charge, due: charge.terms.due }), at);
  };

  it.each<[TestCase, string[]]>([
    ["exact", ["deposit.confirmed", "order.paid"]],
    ["under", ["deposit.confirmed", "order.underpaid"]],
    ["over", ["deposit.confirmed", "order.paid", "order.overpaid"]],
    ["twice", ["deposit.confirmed", "deposit.confirmed", "order.paid", "order.overpaid"]],
    ["wrong_coin", ["deposit.unmatched"]],
    ["reorged", ["deposit.confirmed", "order.paid"]],
  ])("of %s on an unpaid order", (testCase, expected) => {
    expect(events(testCase)).toEqual(expected);
  });

  it("of a late payment include order.paid inside the late window, and only order.paid_late after it", () => {
    expect(events("late", inWindow)).toEqual(["deposit.confirmed", "order.paid", "order.paid_late"]);
    expect(events("late", tooLate)).toEqual(["deposit.confirmed", "order.paid_late"]);
    expect(events("under", inWindow)).toEqual(["deposit.confirmed"]);
  });

  it("leave out outcomes that were announced before", () => {
    const paid = amount("25");
    const confirmed = { onTime: paid, inWindow: paid, total: paid };
    expect(events("exact", onTime, { confirmed })).toEqual(["deposit.confirmed", "order.overpaid"]);
  });

  it("of an accepted order include only a surplus", () => {
    const paid = amount("10");
    const confirmed = { onTime: paid, inWindow: paid, total: paid };
    const accepted = { confirmed, acceptedAt: onTime };
    expect(events("under", onTime, accepted)).toEqual(["deposit.confirmed"]);
    expect(events("exact", onTime, accepted)).toEqual(["deposit.confirmed", "order.overpaid"]);
  });

  it("of the second half include order.paid", () => {
    const half = amount("12.5");
    const confirmed = { onTime: half, inWindow: half, total: half };
    expect(events("under", onTime, { confirmed })).toEqual(["deposit.confirmed", "order.paid"]);
  });

  it("of an order of zero include order.paid for any deposit, and never under, over or a second time", () => {
    const zeroDue = { terms: { due: zero, toleranceBasisPoints: 0 } };
    for (const testCase of ["exact", "under", "over", "reorged"] as const)
      expect(events(testCase, onTime, zeroDue)).toEqual(["deposit.confirmed", "order.paid"]);
    expect(events("twice", onTime, zeroDue)).toEqual([
      "deposit.confirmed",
      "deposit.confirmed",
      "order.paid",
    ]);
    expect(events("late", inWindow, zeroDue)).toEqual(["deposit.confirmed", "order.paid", "order.paid_late"]);
    expect(events("wrong_coin", onTime, zeroDue)).toEqual(["deposit.unmatched"]);
  });

  it("of an address that is no order include no order event", () => {
    const open = { kind: "open", terms: { due: null, toleranceBasisPoints: 0 } } as const;
    expect(events("twice", onTime, open)).toEqual(["deposit.confirmed", "deposit.confirmed"]);
  });
});
