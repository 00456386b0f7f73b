import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencies } from "./asset.ts";
import {
  type Amount,
  add,
  amountFromUnits,
  creditedRoundedDown,
  formatAmount,
  parseAmount,
  shareRoundedDown,
  subtract,
  WHOLE_SHARE,
  zero,
} from "./money.ts";
import {
  amountRequested,
  amountToSend,
  amountToType,
  announcedOutcomes,
  isOverpaid,
  isPaid,
  isPaidLate,
  minPayingUnits,
  orderOutcomes,
  paymentState,
  priceForClient,
  priceOrder,
  tolerance,
} from "./order.ts";
import { priceInFiat } from "./quote.ts";
import type { ConfirmedSums } from "./sums.ts";

function amount(text: string): Amount {
  return parseAmount(text) ?? expect.fail(`not an amount: ${text}`);
}

function terms(due: string | null, toleranceBasisPoints = 0) {
  return { due: due === null ? null : amount(due), toleranceBasisPoints };
}

function sums(onTime: string, inWindow = onTime, total = inWindow): ConfirmedSums {
  return { onTime: amount(onTime), inWindow: amount(inWindow), total: amount(total) };
}

const aDue = fc.bigInt({ min: 1n, max: 10n ** 15n }).map(amountFromUnits);
const aTolerance = fc.integer({ min: 0, max: 500 });
const someTerms = fc.record({ due: aDue, toleranceBasisPoints: aTolerance });

describe("the price in client fee mode", () => {
  it.each([
    { net: "25", basisPoints: 0, fixed: "0", gross: "25" },
    { net: "25", basisPoints: 100, fixed: "0", gross: "25.252526" },
    { net: "25", basisPoints: 100, fixed: "0.5", gross: "25.757576" },
    { net: "99", basisPoints: 100, fixed: "0", gross: "100" },
    { net: "0.000001", basisPoints: 1000, fixed: "0", gross: "0.000002" },
  ])("of $net with $basisPoints basis points and $fixed is $gross", ({ net, basisPoints, fixed, gross }) => {
    expect(priceForClient(amount(net), { basisPoints, fixed: amount(fixed) })).toBe(amount(gross));
  });

  it("leaves the merchant at least its price, and is the smallest amount that does", () => {
    fc.assert(
      fc.property(aDue, aDue, fc.integer({ min: 0, max: 1_000 }), (net, fixed, basisPoints) => {
        const gross = priceForClient(net, { basisPoints, fixed });
        const kept = (sent: bigint) => sent * BigInt(10_000 - basisPoints) - fixed * 10_000n;
        expect(kept(gross) >= net * 10_000n).toBe(true);
        expect(kept(gross - 1n) >= net * 10_000n).toBe(false);
        expect(subtract(subtract(gross, shareRoundedDown(gross, basisPoints)), fixed) >= net).toBe(true);
      }),
    );
  });

  it("is due in client mode only", () => {
    const fee = { basisPoints: 100, fixed: zero };
    expect(priceOrder(amount("99"), "merchant", fee)).toEqual({ expected: amount("99"), pay: null });
    expect(priceOrder(amount("99"), "client", fee)).toEqual({ expected: amount("99"), pay: amount("100") });
  });
});

describe("the tolerance", () => {
  it.each([
    { due: "0.5", basisPoints: 0, allowed: "0.005" },
    { due: "1", basisPoints: 0, allowed: "0.01" },
    { due: "1000", basisPoints: 0, allowed: "0.01" },
    { due: "1000", basisPoints: 50, allowed: "5" },
    { due: "0.000099", basisPoints: 0, allowed: "0" },
    { due: "0", basisPoints: 500, allowed: "0" },
  ])("of $due at $basisPoints basis points is $allowed", ({ due, basisPoints, allowed }) => {
    expect(tolerance(amount(due), basisPoints)).toBe(amount(allowed));
  });
});

describe("paid", () => {
  it.each([
    { due: "25", received: "25", paid: true },
    { due: "25", received: "24.99", paid: true },
    { due: "25", received: "24.989999", paid: false },
    { due: "25", received: "0", paid: false },
    { due: "0.000001", received: "0.000001", paid: true },
    { due: "0", received: "0", paid: false },
    { due: "0", received: "0.000001", paid: true },
  ])("is $paid for $received of $due", ({ due, received, paid }) => {
    expect(isPaid(terms(due), amount(received))).toBe(paid);
  });

  it("follows the merchant's tolerance if it is wider", () => {
    expect(isPaid(terms("100", 500), amount("95"))).toBe(true);
    expect(isPaid(terms("100", 500), amount("94.999999"))).toBe(false);
  });

  it("never applies without a due", () => {
    expect(isPaid(terms(null), amount("1000"))).toBe(false);
    expect(minPayingUnits(terms(null))).toBeNull();
  });

  it("begins exactly at the least amount that pays, which is above zero", () => {
    fc.assert(
      fc.property(someTerms, (some) => {
        const min = minPayingUnits(some) ?? expect.fail();
        expect(min > zero).toBe(true);
        expect(isPaid(some, min)).toBe(true);
        expect(isPaid(some, amountFromUnits(min - 1n))).toBe(false);
      }),
    );
  });

  it("holds for every split of the due", () => {
    fc.assert(
      fc.property(
        someTerms,
        fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1 }),
        (some, weights) => {
          const whole = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
          const parts = weights.map((weight) => (some.due * BigInt(weight)) / whole);
          const rest = some.due - parts.reduce((sum, part) => sum + part, 0n);
          const received = [...parts, rest].map(amountFromUnits).reduce(add, zero);
          expect(isPaid(some, received)).toBe(true);
          expect(paymentState(some, received)).toBe("exact");
        },
      ),
    );
  });
});

describe("overpaid", () => {
  it.each([
    { due: "0.5", received: "0.51", over: false },
    { due: "0.5", received: "0.510001", over: true },
    { due: "50", received: "50.5", over: false },
    { due: "50", received: "50.500001", over: true },
    { due: "1000", received: "1001", over: false },
    { due: "1000", received: "1001.000001", over: true },
    { due: "0", received: "1000", over: false },
  ])("is $over for $received of $due", ({ due, received, over }) => {
    expect(isOverpaid(terms(due), amount(received))).toBe(over);
  });

  it("implies paid, for all terms and amounts", () => {
    fc.assert(
      fc.property(someTerms, aDue, (some, received) => {
        if (isOverpaid(some, received)) expect(isPaid(some, received)).toBe(true);
      }),
    );
  });
});

describe("the payment state", () => {
  it.each([
    { due: "25", received: "0", state: "none" },
    { due: "25", received: "24.98", state: "under" },
    { due: "25", received: "24.99", state: "exact" },
    { due: "25", received: "25.25", state: "exact" },
    { due: "25", received: "25.250001", state: "over" },
    { due: "0", received: "500", state: "exact" },
    { due: null, received: "0", state: "none" },
    { due: null, received: "500", state: "exact" },
  ])("of $received of $due is $state", ({ due, received, state }) => {
    expect(paymentState(terms(due), amount(received))).toBe(state);
  });

  it("only rises with the amount", () => {
    const order = ["none", "under", "exact", "over"];
    fc.assert(
      fc.property(someTerms, aDue, aDue, (some, received, more) => {
        const before = order.indexOf(paymentState(some, received));
        expect(order.indexOf(paymentState(some, add(received, more)))).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it("does not depend on the order in which deposits come", () => {
    const someDeposits = fc.array(aDue, { maxLength: 8 });
    const shuffled = someDeposits.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(someTerms, shuffled, (some, [one, other]) => {
        const total = (deposits: readonly Amount[]) => deposits.reduce(add, zero);
        expect(paymentState(some, total(one))).toBe(paymentState(some, total(other)));
      }),
    );
  });
});

describe("the amount to type", () => {
  const typedFor = (due: string, credited: string, toSend: string) =>
    formatAmount(amountToType(terms(due), amount(credited), amount(toSend)));

  it.each([
    { due: "49.93992", credited: "0", toSend: "49.93992", typed: "49.94" },
    { due: "49.93992", credited: "10.000001", toSend: "39.939919", typed: "39.94" },
    { due: "25.5", credited: "0", toSend: "25.5", typed: "25.5" },
    { due: "0.000001", credited: "0", toSend: "0.000001", typed: "0.01" },
  ])("for $toSend of $due is $typed, rounded up to two decimals", ({ due, credited, toSend, typed }) => {
    expect(typedFor(due, credited, toSend)).toBe(typed);
  });

  it("stays exact where two decimals would overpay", () => {
    expect(typedFor("0.5", "0.505", "0.000001")).toBe("0.000001");
  });

  /** Part payments that leave the order short, as shares of 10^-9 of what pays it. */
  const someParts = fc.bigInt({ min: 0n, max: 10n ** 9n - 1n });
  const partOf = (
    { due, toleranceBasisPoints }: { due: Amount; toleranceBasisPoints: number },
    part: bigint,
  ) => amountFromUnits((((minPayingUnits({ due, toleranceBasisPoints }) ?? zero) - 1n) * part) / 10n ** 9n);

  it("pays every order exactly, whatever its due, its tolerance and its part payments", () => {
    fc.assert(
      fc.property(someTerms, someParts, fc.constantFrom(...currencies), (some, part, currency) => {
        const credited = partOf(some, part);
        const toSend = amountToSend(currency, some.due, credited) ?? expect.fail();
        const typed = amountToType(some, credited, toSend);
        // Less than the least amount that counts cannot be sent.
        if (toSend > subtract(some.due, credited)) return expect(typed).toBe(toSend);
        expect(paymentState(some, add(credited, typed))).toBe("exact");
        expect(typed % 10_000n).toBe(0n);
        expect(typed >= toSend && typed < toSend + 10_000n).toBe(true);
      }),
    );
  });

  it("pays every order in USD exactly, also after a part at another rate", () => {
    const someCents = fc.bigInt({ min: 1n, max: 10n ** 10n });
    const aPrice = fc.bigInt({ min: 10n ** 6n, max: 2n * 10n ** 8n });
    const dueAt = (cents: bigint, usdE8: bigint) => {
      const terms = { feeMode: "client", fee: { basisPoints: 100, fixed: zero } } as const;
      return (
        priceInFiat(
          { fiatCurrency: "USD", fiatAmount: formatAmount(amountFromUnits(cents * 10_000n)) },
          usdE8,
          terms,
        )?.pay ?? expect.fail()
      );
    };
    const shareOf = (paid: Amount, due: Amount) => (paid * WHOLE_SHARE + due - 1n) / due;
    fc.assert(
      fc.property(someCents, aPrice, aPrice, someParts, aTolerance, (cents, before, now, part, tolerated) => {
        const [first, due] = [dueAt(cents, before), dueAt(cents, now)];
        const some = { due, toleranceBasisPoints: tolerated };
        const earlier = shareOf(partOf({ ...some, due: first }, part), first);
        const credited = creditedRoundedDown(earlier, due);
        if (isPaid(some, credited)) return;
        const toSend = amountToSend("USDT", due, credited) ?? expect.fail();
        if (toSend > subtract(due, credited)) return;
        const typed = amountToType(some, credited, toSend);
        expect(typed % 10_000n).toBe(0n);
        const all = creditedRoundedDown(earlier + shareOf(typed, due), due);
        expect(paymentState(some, all)).toBe("exact");
      }),
    );
  });
});

describe("the outcomes of an order", () => {
  it.each([
    { title: "nothing yet", confirmed: sums("0"), outcomes: [] },
    { title: "short", confirmed: sums("24"), outcomes: [] },
    { title: "exact", confirmed: sums("25"), outcomes: ["paid"] },
    { title: "over", confirmed: sums("30"), outcomes: ["paid", "overpaid"] },
    { title: "exact, inside the late window", confirmed: sums("10", "25"), outcomes: ["paid", "paid_late"] },
    {
      title: "over, inside the late window",
      confirmed: sums("0", "30"),
      outcomes: ["paid", "overpaid", "paid_late"],
    },
    { title: "exact, after the late window", confirmed: sums("0", "0", "25"), outcomes: ["paid_late"] },
    {
      title: "exact on time, and more after the late window",
      confirmed: sums("25", "25", "90"),
      outcomes: ["paid"],
    },
  ])("$title: $outcomes", ({ confirmed, outcomes }) => {
    expect(orderOutcomes(terms("25"), confirmed)).toEqual(outcomes);
  });

  it("include paid_late only if the money on time would not have paid", () => {
    expect(isPaidLate(terms("25"), sums("25", "50"))).toBe(false);
    expect(isPaidLate(terms("25"), sums("24.98", "25"))).toBe(true);
    expect(isPaidLate(terms("25"), sums("1", "2", "3"))).toBe(false);
  });
});

it("of an accepted order announce only a surplus", () => {
  const outcomes = orderOutcomes(terms("25"), sums("0", "30"));
  expect(outcomes).toEqual(["paid", "overpaid", "paid_late"]);
  expect(announcedOutcomes(outcomes, { acceptedAt: null })).toEqual(outcomes);
  expect(announcedOutcomes(outcomes, { acceptedAt: new Date() })).toEqual(["overpaid"]);
});

it("an amount is requested if there is a due above zero", () => {
  expect([amountRequested(amount("0.000001")), amountRequested(zero), amountRequested(null)]).toEqual([
    amount("0.000001"),
    null,
    null,
  ]);
  expect(isPaid(terms("0"), amount("0.000001"))).toBe(true);
});
