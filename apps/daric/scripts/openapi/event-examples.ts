import { idOf } from "@daric/domain/ids";
import type {
  ConfirmedDepositEventData,
  OrderEventData,
  RefundEventData,
  SettlementEventData,
  WebhookEventFacts,
  WebhookEventType,
} from "@daric/domain/webhook-event";

export type EventExample = {
  readonly summary: string;
  readonly description: string;
  readonly data: WebhookEventFacts["data"];
};

/** All examples belong to one order of 25.5 USDT that one deposit pays in full. */
const charge = {
  depositAddressId: idOf("charge", "0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"),
  address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  orderRef: "A-1042",
  label: "Spring sale",
  chain: "tron",
  currency: "USDT",
  orderAmount: "25.5",
  payAmount: null,
  amountReceived: "25.5",
  difference: "0",
  paymentState: "exact",
  feeMode: "merchant",
  fiatCurrency: null,
  fiatAmount: null,
  quoteRate: null,
  paymentLinkId: null,
  payerRef: null,
  metadata: { cart: "c-17" },
} as const;

const unpaid = { amountReceived: "0", difference: "-25.5", paymentState: "none" } as const;

const confirmed: ConfirmedDepositEventData = {
  ...charge,
  depositId: idOf("deposit", "51f0c9b2-3d64-5e8f-9a10-b2c3d4e5f607"),
  amount: "25.5",
  txHash: "8f3c1d5e7a9b0c2d4e6f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5",
  eventIndex: 0,
  blockNumber: 74_210_355,
  blockHash: "00000000046c5d33a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718",
  confirmations: 19,
  requiredConfirmations: 19,
  status: "CONFIRMED",
  previousStatus: "CONFIRMING",
  late: false,
  unmatched: false,
  detectedAt: "2026-11-21T12:01:00.000Z",
  confirmedAt: "2026-11-21T12:02:00.000Z",
};

const open = { ...confirmed, ...unpaid, confirmedAt: null };

const paid: OrderEventData = {
  ...charge,
  paidLate: false,
  expiresAt: "2026-11-21T13:00:00.000Z",
  paidAt: "2026-11-21T12:02:00.000Z",
  deposits: [
    {
      depositId: confirmed.depositId,
      txHash: confirmed.txHash,
      amount: "25.5",
      confirmedAt: confirmed.confirmedAt,
    },
  ],
  orderRefPaid: false,
  restOf: null,
  restCompletes: false,
};

function paidWith(amount: string): OrderEventData {
  return {
    ...paid,
    amountReceived: amount,
    deposits: paid.deposits.map((deposit) => ({ ...deposit, amount })),
  };
}

const settled: SettlementEventData = {
  settlementId: idOf("settlement", "0193a1b2-9e5f-7061-ac7d-8e9f0a1b2c3d"),
  settlementAccountId: idOf("settlementAccount", "0193a1b2-af60-7172-bd8e-9f0a1b2c3d4e"),
  chain: "tron",
  currency: "USDT",
  address: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
  amount: "1250.5",
  feesPaid: "0",
  sweepCount: 1,
  failureReason: null,
  createdAt: "2026-11-21T12:05:00.000Z",
  endedAt: "2026-11-21T12:08:00.000Z",
  transfers: [
    {
      txHash: "2b4d6f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d58f3c1d5e7a9b0c",
      amount: "1250.5",
      recipient: "merchant",
    },
  ],
};

const requested: RefundEventData = {
  refundId: idOf("refund", "0193a1b2-d182-7394-8faf-b0c1d2e3f405"),
  depositAddressId: charge.depositAddressId,
  orderRef: "A-1042",
  chain: "tron",
  currency: "USDT",
  amount: "4.5",
  fiatAmount: null,
  status: "REQUESTED",
  address: null,
  txHash: null,
  reason: "Paid too much",
  requestedAt: "2026-11-21T14:00:00.000Z",
  readyAt: null,
  sentAt: null,
  completedAt: null,
  canceledAt: null,
  metadata: null,
};

const ready: RefundEventData = {
  ...requested,
  status: "READY",
  address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  readyAt: "2026-11-21T14:30:00.000Z",
};

/** Every event that an endpoint can receive: when it is sent, its purpose, and its body. */
export const eventExamples: Readonly<Record<WebhookEventType, EventExample>> = {
  "deposit.detected": {
    summary: "A payment was seen",
    description:
      "A transfer to one of your addresses is in a block that may still be taken back. Do not fulfil on it. Sent again, as another " +
      "event, when the chain had taken its block back and has the transfer in a block once more.",
    data: { ...open, status: "DETECTED", previousStatus: null, confirmations: 1 },
  },
  "deposit.confirming": {
    summary: "A payment has a block above it",
    description: "The chain has built on the block of a deposit. It is not final: do not fulfil on it.",
    data: { ...open, status: "CONFIRMING", previousStatus: "DETECTED", confirmations: 2 },
  },
  "deposit.confirmed": {
    summary: "A payment is final",
    description:
      "The deposit is money for good. Fulfil the order if `paymentState` is `exact` or `over`, after comparing amount, " +
      "currency and order with your own; or fulfil on `order.paid`, never on both.",
    data: confirmed,
  },
  "deposit.unmatched": {
    summary: "A payment is in the other currency",
    description:
      "A final deposit in a currency that its address does not ask for. It is in no sum: settle it by hand.",
    data: { ...confirmed, ...unpaid, currency: "TRX", unmatched: true },
  },
  "deposit.stuck": {
    summary: "A payment waits unusually long",
    description:
      "The deposit is not final 10 minutes after its block. Wait: it goes on by itself. `stuck_reason` of the deposit says why.",
    data: { ...open, status: "STUCK", previousStatus: "CONFIRMING", confirmations: 200 },
  },
  "deposit.reorged": {
    summary: "A payment lost its block",
    description: "The chain took back the block of the deposit. It is seen again, or it fails.",
    data: { ...open, status: "REORG_PENDING", previousStatus: "CONFIRMING", confirmations: 0 },
  },
  "deposit.failed": {
    summary: "A payment came to nothing",
    description:
      "The deposit can never become money: the transaction expired or failed, or an operator rejected it. `failure_reason` of the deposit says which.",
    data: { ...open, status: "FAILED", previousStatus: "REORG_PENDING", confirmations: 0 },
  },
  "order.paid": {
    summary: "An order is paid",
    description:
      "The amount due has arrived, and is final. Fulfil the order on this event or on `deposit.confirmed`, never on both.",
    data: paid,
  },
  "order.accepted": {
    summary: "An order was accepted short of its due",
    description:
      "You have accepted what has come (`POST /v1/deposit-addresses/:id/accept`). Fulfil the order: `order.paid` does not follow.",
    data: { ...paidWith("24"), difference: "-1.5", paymentState: "under", paidAt: null },
  },
  "order.underpaid": {
    summary: "An order expired short",
    description: "Its time is over and less than what is due has come. Sent once.",
    data: { ...paidWith("24"), difference: "-1.5", paymentState: "under", paidAt: null },
  },
  "order.overpaid": {
    summary: "More than was due has come",
    description: "Sent once, in addition to `order.paid`.",
    data: { ...paidWith("30"), difference: "4.5", paymentState: "over" },
  },
  "order.expired": {
    summary: "An order expired with nothing",
    description: "Its time is over and nothing has come.",
    data: { ...paid, ...unpaid, paidAt: null, deposits: [] },
  },
  "order.paid_late": {
    summary: "An order is paid too late",
    description: "It is paid only by money that came after its time. Decide whether to fulfil it.",
    data: { ...paid, paidLate: true },
  },
  "settlement.completed": {
    summary: "Money has reached your wallet",
    description: "The sweeps of a settlement are final. `amount` has arrived at `address`.",
    data: settled,
  },
  "settlement.failed": {
    summary: "Money cannot be sent to your wallet",
    description:
      "A settlement ended, and part of it could not be sent. `amount` has arrived; `failureReason` says what keeps the rest. It stays yours, and the operator is alarmed.",
    data: {
      ...settled,
      amount: "0",
      sweepCount: 0,
      transfers: [],
      failureReason: "the token has blacklisted this address",
    },
  },
  "refund.requested": {
    summary: "A refund was asked for",
    description: "The payer is to name an address by the claim link. Nothing is paid yet.",
    data: requested,
  },
  "refund.ready": {
    summary: "A refund can be paid",
    description:
      "It has an address, and the confirmation that it needs. Sent again, as another event, when it is ready once more.",
    data: ready,
  },
  "refund.completed": {
    summary: "A refund is paid",
    description:
      "Its transfer is final. Sent once, also for a canceled refund that was paid all the same. `paid_amount` of the refund is what the chain moved.",
    data: {
      ...ready,
      status: "COMPLETED",
      txHash: "5e7a9b0c2d4e6f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d58f3c1d",
      sentAt: "2026-11-21T14:40:00.000Z",
      completedAt: "2026-11-21T14:41:00.000Z",
    },
  },
  "refund.canceled": {
    summary: "A refund was canceled",
    description:
      "It is not to be paid any more. A transfer that fits within 30 days completes it all the same.",
    data: { ...requested, status: "CANCELED", canceledAt: "2026-11-21T15:00:00.000Z" },
  },
  "webhook.test": {
    summary: "A test that you asked for",
    description: "Sent by `sendTestEvent`, signed like any other event.",
    data: {
      endpointId: "0193a1b2-8d4e-7f50-9b6c-7d8e9f0a1b2c",
      message: "This is a test. No payment is behind it.",
    },
  },
};
