import type { CheckoutDeposit } from "@daric/domain/checkout";
import {
  aFinalDeposit,
  aLoadedCharge,
  amount,
  aRecord,
  aSeenDeposit,
  type LoadedChargeOverrides,
  NOW,
} from "@daric/testing/checkout-builders";
import { describe, expect, it } from "vitest";
import { projectCheckout } from "./projection.ts";
import { type CheckoutProjection, checkoutProjection } from "./schema.ts";

function project(
  charge: LoadedChargeOverrides,
  deposits: readonly CheckoutDeposit[] = [],
): CheckoutProjection {
  return projectCheckout(aLoadedCharge(charge), aRecord({ deposits }), {
    requiredConfirmations: 19,
    publicBaseUrl: undefined,
  });
}

function keysOf(value: object, path = ""): string[] {
  return Object.entries(value).flatMap(([key, item]) =>
    item !== null && typeof item === "object" ? keysOf(item, `${path}${key}.`) : [`${path}${key}`],
  );
}

describe("projectCheckout", () => {
  it("has exactly the keys of the contract", () => {
    const expected = [
      "state",
      ...["name", "logoUrl", "accentColor"].map((key) => `merchant.${key}`),
      ...["ref", "amount", "payAmount", "currency", "feeMode", "successUrl", "cancelUrl"].map(
        (key) => `order.${key}`,
      ),
      ...["fiatCurrency", "fiatAmount", "quoteRate", "quoteExpiresAt"].map((key) => `order.${key}`),
      ...["address", "chain", "expiresAt"].map((key) => `payment.${key}`),
      ...["depositStatus", "confirmations", "requiredConfirmations", "amountReceived"].map(
        (key) => `status.${key}`,
      ),
      ...["paymentState", "txHash", "confirmedAt"].map((key) => `status.${key}`),
    ];
    const projection = project({}, [aSeenDeposit()]);
    expect(keysOf(projection).sort()).toEqual(expected.sort());
    expect(checkoutProjection.parse(projection)).toEqual(projection);
  });

  it("has null fields for the deposit before the first one", () => {
    expect(project({}).status).toEqual({
      depositStatus: null,
      confirmations: 0,
      requiredConfirmations: 19,
      amountReceived: "0",
      paymentState: "none",
      txHash: null,
      confirmedAt: null,
    });
  });

  it("has the state of the first matching rule", () => {
    const expired = { isExpired: true, status: "EXPIRED" } as const;
    const table: [string, LoadedChargeOverrides, string, string, string][] = [
      ["nothing yet", {}, "awaiting", "0", "none"],
      ["all of it pending", { pending: "25.5" }, "confirming", "25.5", "exact"],
      ["part of it pending", { pending: "10" }, "confirming", "10", "under"],
      ["too much of it pending", { pending: "30" }, "confirming", "30", "over"],
      ["all of it confirmed", { confirmed: "25.5" }, "paid", "25.5", "exact"],
      ["a cent less", { confirmed: "25.49" }, "paid", "25.49", "exact"],
      ["more than a cent less", { confirmed: "25.489999" }, "underpaid", "25.489999", "under"],
      [
        "less, within the merchant's tolerance",
        { confirmed: "25", toleranceBasisPoints: 200 },
        "paid",
        "25",
        "exact",
      ],
      ["more than 1 % more", { confirmed: "25.755001" }, "overpaid", "25.755001", "over"],
      ["1 % more", { confirmed: "25.755" }, "paid", "25.755", "exact"],
      ["part of it confirmed", { confirmed: "10" }, "underpaid", "10", "under"],
      [
        "part confirmed, the rest pending",
        { confirmed: "10", pending: "15.5" },
        "confirming",
        "25.5",
        "exact",
      ],
      ["paid, and more on its way", { confirmed: "25.5", pending: "5" }, "paid", "30.5", "over"],
      [
        "past its time, without a solid block of that time",
        { isExpired: true, isTimeOver: true },
        "awaiting",
        "0",
        "none",
      ],
      ["expired with nothing", expired, "expired", "0", "none"],
      ["expired with part of it", { ...expired, confirmed: "10" }, "underpaid", "10", "under"],
      ["paid inside the late window", { ...expired, confirmedInWindow: "25.5" }, "paid", "25.5", "exact"],
      ["paid after the late window", { ...expired, confirmedTotal: "25.5" }, "underpaid", "25.5", "exact"],
      ["expired, pending since before", { ...expired, pending: "25.5" }, "confirming", "25.5", "exact"],
      ["archived unpaid", { status: "ARCHIVED" }, "error", "0", "none"],
      [
        "part of it accepted for the whole",
        { status: "ARCHIVED", acceptedAt: NOW, confirmed: "10" },
        "paid",
        "10",
        "under",
      ],
      [
        "accepted, and far too much came later",
        { status: "ARCHIVED", acceptedAt: NOW, confirmed: "30" },
        "overpaid",
        "30",
        "over",
      ],
      [
        "an order of zero, paid by anything",
        { due: "0", confirmed: "0.000001" },
        "paid",
        "0.000001",
        "exact",
      ],
      ["any amount, some arrived", { due: null, kind: "open", confirmed: "3" }, "paid", "3", "exact"],
    ];
    for (const [name, charge, ...expected] of table) {
      const { state, status } = project(charge);
      expect([name, state, status.amountReceived, status.paymentState]).toEqual([name, ...expected]);
    }
  });

  it("shows the first deposit of the record: the newest that can still change, else the newest", () => {
    const status = project({ pending: "25.5" }, [aSeenDeposit(), aFinalDeposit("1")]).status;
    expect(status).toMatchObject({ depositStatus: "CONFIRMING", confirmations: 7, confirmedAt: null });
    expect(project({ confirmed: "25.5" }, [aFinalDeposit("25.5")]).status).toMatchObject({
      depositStatus: "CONFIRMED",
      confirmations: 19,
      confirmedAt: NOW.toISOString(),
    });
  });

  it("counts confirmations by the chain, keeps them once final, and has none for a block off the chain", () => {
    const table: [Partial<CheckoutDeposit>, number][] = [
      [{ status: "DETECTED", headNumber: 100 }, 1],
      [{ status: "CONFIRMING", headNumber: 118 }, 19],
      [{ status: "STUCK", headNumber: 400 }, 301],
      [{ status: "DETECTED", headNumber: 99 }, 0],
      [{ status: "REORG_PENDING", headNumber: 118 }, 0],
      [{ status: "FAILED", headNumber: 118 }, 0],
      [{ status: "CONFIRMED", headNumber: 500, finalConfirmations: 21 }, 21],
    ];
    for (const [deposit, expected] of table) {
      expect([deposit, project({}, [aSeenDeposit(deposit)]).status.confirmations]).toEqual([
        deposit,
        expected,
      ]);
    }
  });

  it("has the amount due for the payer, and the price beside it, in client fee mode", () => {
    const { order } = project({
      due: "25.757576",
      expectedAmount: amount("25.0075"),
      payAmount: amount("25.757576"),
      feeMode: "client",
      fiatCurrency: "USD",
      fiatAmount: "25.00",
      quote: { rate: "1.0003", source: "median", expiresAt: NOW },
    });
    expect(order).toMatchObject({
      amount: "25.0075",
      payAmount: "25.757576",
      fiatAmount: "25.00",
      quoteRate: "1.0003",
      quoteExpiresAt: NOW.toISOString(),
    });
  });

  it("has no amount if any will do, as of an order of zero", () => {
    const { order } = project({ due: "0" });
    expect([order.amount, order.payAmount]).toEqual(["0", null]);
  });

  it("has no amount and no expiry for a receive address", () => {
    const { order, payment } = project({ kind: "receive", due: null, expiresAt: null });
    expect([order.amount, order.payAmount, payment.expiresAt]).toEqual([null, null, null]);
  });
});
