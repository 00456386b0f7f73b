import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, amountFromUnits, zero } from "./money.ts";
import {
  coinsThatPaid,
  defaultRefund,
  feeToReturn,
  fiatRefund,
  isLargeSurplus,
  judgeTransfer,
  type RefundableOrder,
  refundableOf,
  refundMachine,
  surplusOf,
  takesPaidMoney,
} from "./refund.ts";

const units = (value: bigint) => amountFromUnits(value);
const usdt = (text: number) => units(BigInt(Math.round(text * 1_000_000)));
const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(units);

function order(due: number | null, total: number, inWindow = total): RefundableOrder {
  return {
    terms: { due: due === null ? null : usdt(due), toleranceBasisPoints: 0 },
    acceptedAt: null,
    confirmed: { onTime: usdt(inWindow), inWindow: usdt(inWindow), total: usdt(total) },
  };
}

describe("the machine", () => {
  it("leads from every state but COMPLETED somewhere, and from COMPLETED nowhere", () => {
    const ways = refundMachine.states.map((state) => [
      state,
      refundMachine.events.filter((event) => refundMachine.next(state, event) !== undefined),
    ]);
    expect(Object.fromEntries(ways)).toEqual({
      REQUESTED: ["readied", "canceled", "seen"],
      READY: ["canceled", "seen", "put_back"],
      SENT: ["returned", "completed"],
      CANCELED: ["completed"],
      COMPLETED: [],
    });
  });
});

describe("the amount without one", () => {
  it("is what came too much, less what is promised, else all that is left", () => {
    const money = (received: number, promised = 0) => ({
      received: usdt(received),
      promised: usdt(promised),
    });
    expect(defaultRefund(surplusOf(order(10, 15)), money(15))).toBe(usdt(5));
    expect(defaultRefund(surplusOf(order(10, 15)), money(15, 2))).toBe(usdt(3));
    expect(defaultRefund(surplusOf(order(10, 15)), money(15, 5))).toBe(usdt(10));
    expect(defaultRefund(surplusOf(order(10, 4)), money(4))).toBe(usdt(4));
    expect(defaultRefund(surplusOf(order(10, 12, 0)), money(12))).toBe(usdt(12));
    expect(defaultRefund(surplusOf(order(null, 4)), money(4, 1))).toBe(usdt(3));
  });

  it("is never more than what is left", () => {
    fc.assert(
      fc.property(amounts, amounts, amounts, (surplus, received, promised) => {
        const money = { received, promised };
        const amount = defaultRefund(surplus, money);
        expect(amount >= zero && amount <= refundableOf(money)).toBe(true);
      }),
    );
  });
});

describe("a part of a price in fiat", () => {
  it("is the same part of the coins that paid, rounded down; parts add up to no more than all of them", () => {
    fc.assert(
      fc.property(
        amounts,
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 5 }),
        (coins, price, weights) => {
          const sum = weights.reduce((one, other) => one + other, 0) || 1;
          const parts = weights.map((weight) => (price * BigInt(weight)) / BigInt(sum));
          const refunds = parts.map(
            (fiatUnits) => fiatRefund({ fiatUnits, priceUnits: price }, coins) ?? zero,
          );
          expect(refunds.reduce<bigint>((one, other) => one + other, 0n) <= coins).toBe(true);
        },
      ),
    );
    expect(fiatRefund({ fiatUnits: 25n, priceUnits: 100n }, usdt(10.000003))).toBe(usdt(2.5));
    expect(fiatRefund({ fiatUnits: 101n, priceUnits: 100n }, usdt(10))).toBeUndefined();
  });

  it("counts no surplus among the coins that paid", () => {
    expect(coinsThatPaid(order(10, 15), usdt(15))).toBe(usdt(10));
    expect(coinsThatPaid(order(10, 9.995), usdt(9.995))).toBe(usdt(9.995));
  });
});

it("money that paid an order is all of a paid order but its surplus", () => {
  expect(takesPaidMoney(order(10, 15), usdt(5), zero)).toBe(false);
  expect(takesPaidMoney(order(10, 15), usdt(5), usdt(1))).toBe(true);
  expect(takesPaidMoney(order(10, 10), usdt(1), zero)).toBe(true);
  expect(takesPaidMoney(order(10, 4), usdt(4), zero)).toBe(false);
  expect(takesPaidMoney(order(10, 10, 0), usdt(10), zero)).toBe(false);
});

it("a surplus is large above 100 USDT or 1,000 TRX, and above twice the due", () => {
  expect(isLargeSurplus("USDT", order(10, 110))).toBe(false);
  expect(isLargeSurplus("USDT", order(10, 110.000001))).toBe(true);
  expect(isLargeSurplus("USDT", order(100, 300))).toBe(false);
  expect(isLargeSurplus("TRX", order(10, 1_010))).toBe(false);
  expect(isLargeSurplus("TRX", order(10, 1_010.1))).toBe(true);
});

it("the fee shares of several refunds of a surplus add up to that of their sum, and never to more than the surplus bore", () => {
  fc.assert(
    fc.property(
      amounts,
      fc.array(amounts, { maxLength: 6 }),
      fc.nat({ max: 1_000 }),
      (surplus, parts, basisPoints) => {
        let returnedBefore: Amount = zero;
        let returned = 0n;
        for (const part of parts) {
          returned += feeToReturn(part, { surplus, returnedBefore, basisPoints });
          returnedBefore = units(returnedBefore + part);
        }
        const whole = returnedBefore < surplus ? returnedBefore : surplus;
        expect(returned).toBe((whole * BigInt(basisPoints)) / 10_000n);
      },
    ),
  );
});

describe("a transfer to the address of a refund", () => {
  const refund = { currency: "USDT", units: usdt(5), headNumber: 100 } as const;
  const exact = { currency: "USDT", units: usdt(5), blockNumber: 101, isMerkleProven: true } as const;

  it("is the refund exactly if coin, amount, block, wallet and proof fit", () => {
    expect(judgeTransfer(refund, exact, true)).toBe("refund");
    expect(judgeTransfer(refund, { ...exact, blockNumber: 100 }, true)).toBeUndefined();
    expect(judgeTransfer(refund, { ...exact, currency: "TRX" }, true)).toBeUndefined();
  });

  it("that fits but for its sender, its amount or its proof is a proposal; one that fits in neither is nothing", () => {
    const short = { ...exact, units: usdt(4.999999) };
    expect(judgeTransfer(refund, exact, false)).toBe("proposal");
    expect(judgeTransfer(refund, short, true)).toBe("proposal");
    expect(judgeTransfer(refund, { ...exact, isMerkleProven: false }, true)).toBe("proposal");
    expect(judgeTransfer(refund, short, false)).toBeUndefined();
  });
});
