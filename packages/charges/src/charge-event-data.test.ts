import { idOf } from "@daric/domain/ids";
import { metadataLimits } from "@daric/domain/metadata";
import { amountFromUnits, zero } from "@daric/domain/money";
import { webhookEventBody } from "@daric/domain/webhook-event";
import { expect, it } from "vitest";
import type { Charge } from "./charge.ts";
import { chargeEventData, orderEventData } from "./charge-event-data.ts";

const day = new Date("2026-01-01T00:00:00.000Z");
const order: Charge = {
  id: idOf("charge", "0193a1b2-0000-7000-8000-000000000001"),
  merchantId: idOf("merchant", "0193a1b2-0000-7000-8000-000000000002"),
  issuedAs: {
    chargeId: idOf("charge", "0193a1b2-0000-7000-8000-000000000001"),
    merchantId: idOf("merchant", "0193a1b2-0000-7000-8000-000000000002"),
    checkoutToken: "token",
    address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    index: 0,
    mac: null,
  },
  kind: "order",
  address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  chain: "tron",
  currency: "USDT",
  status: "ARCHIVED",
  feeMode: "client",
  fee: { basisPoints: 100, fixed: zero },
  terms: { due: amountFromUnits(25_252_526n), toleranceBasisPoints: 0 },
  expectedAmount: amountFromUnits(25_000_000n),
  payAmount: amountFromUnits(25_252_526n),
  fiatCurrency: "USD",
  fiatAmount: "24.90",
  quote: { rate: "1.0041", source: "a, b", expiresAt: day },
  orderRef: "A-1",
  label: "shelf",
  successUrl: null,
  cancelUrl: null,
  metadata: { cart: "8842" },
  customerRef: null,
  restOf: null,
  paymentLinkId: null,
  createdBy: null,
  payerRef: null,
  sealedPayer: null,
  sealedCustomerEmail: null,
  acceptedAt: null,
  acceptReason: null,
  settlementAccountId: null,
  apiKeyId: null,
  checkoutToken: "token",
  expiresAt: day,
  lateUntil: day,
  createdAt: day,
  updatedAt: day,
  confirmed: {
    onTime: amountFromUnits(25_252_526n),
    inWindow: amountFromUnits(25_252_526n),
    total: amountFromUnits(25_252_526n),
  },
  credited: amountFromUnits(25_252_526n),
  received: {
    onTime: amountFromUnits(25_252_526n),
    inWindow: amountFromUnits(25_252_526n),
    total: amountFromUnits(25_252_526n),
    pending: zero,
    dust: zero,
    dustPending: zero,
  },
  hasConfirming: false,
  hasDetected: false,
  hasOpenDeposit: false,
  isExpired: false,
  isTimeOver: false,
};

it("an event has the price, the amount to send, the received sum and the difference", () => {
  expect(chargeEventData(order)).toEqual({
    depositAddressId: order.id,
    address: order.address,
    orderRef: "A-1",
    label: "shelf",
    chain: "tron",
    currency: "USDT",
    orderAmount: "25",
    payAmount: "25.252526",
    amountReceived: "25.252526",
    difference: "0",
    paymentState: "exact",
    feeMode: "client",
    metadata: { cart: "8842" },
    fiatCurrency: "USD",
    fiatAmount: "24.90",
    quoteRate: "1.0041",
    paymentLinkId: null,
    payerRef: null,
  });
});

it("the difference is negative when short and null if nothing is due", () => {
  const received = { onTime: zero, inWindow: zero, total: amountFromUnits(1n) };
  const due = (amount: bigint | null) => ({
    ...order,
    confirmed: received,
    terms: { due: amount === null ? null : amountFromUnits(amount), toleranceBasisPoints: 0 },
  });
  expect(chargeEventData(due(2_000_000n)).difference).toBe("-1.999999");
  expect(chargeEventData(due(0n)).difference).toBeNull();
  expect(chargeEventData(due(null)).difference).toBeNull();
});

it("an order event of twenty deposits and the longest texts is far below the limit of a body", () => {
  const deposits = Array.from({ length: 20 }, (_, n) => ({
    merchantId: order.merchantId,
    chargeId: order.id,
    id: idOf("deposit", `0193a1b2-0000-7000-8000-0000000001${n + 10}`),
    txId: "ab".repeat(32),
    units: 999_999_999_999_999_999n,
    confirmedAt: day,
  }));
  const metadata = {
    ...Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`k${n}`, "x".repeat(490)])),
    last: "x".repeat(45),
  };
  expect(Buffer.byteLength(JSON.stringify(metadata))).toBe(metadataLimits.bytes);
  // Six bytes each in JSON.
  const text = "\u0001".repeat(120);
  const long = { ...order, orderRef: text, label: text, metadata };
  const data = orderEventData(long, { paidAt: day, deposits, isRefPaid: true, completes: true });
  expect(data.deposits[0]).toEqual({
    depositId: deposits[0]?.id,
    txHash: deposits[0]?.txId,
    amount: "999999999999.999999",
    confirmedAt: "2026-01-01T00:00:00.000Z",
  });
  const body = webhookEventBody({
    id: idOf("event", order.id),
    event: "order.paid",
    environment: "test",
    createdAt: day,
    sequence: 1,
    data,
  });
  expect(Buffer.byteLength(body)).toBeLessThan(10_000);
});
