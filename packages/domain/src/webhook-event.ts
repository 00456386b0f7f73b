import type { Environment } from "./api-scope.ts";
import type { Currency } from "./asset.ts";
import type { DepositStatus } from "./deposit.ts";
import type { FiatCurrency } from "./fiat.ts";
import type {
  ChargeId,
  DepositId,
  EventId,
  PaymentLinkId,
  RefundId,
  SettlementAccountId,
  SettlementId,
} from "./ids.ts";
import type { Metadata } from "./metadata.ts";
import type { FeeMode, PaymentState } from "./order.ts";
import type { RefundStatus } from "./refund.ts";

export const webhookEventTypes = [
  "deposit.detected",
  "deposit.confirming",
  "deposit.confirmed",
  "deposit.unmatched",
  "deposit.stuck",
  "deposit.reorged",
  "deposit.failed",
  "order.paid",
  "order.underpaid",
  "order.overpaid",
  "order.expired",
  "order.paid_late",
  "order.accepted",
  "settlement.completed",
  "settlement.failed",
  "refund.requested",
  "refund.ready",
  "refund.completed",
  "refund.canceled",
  "webhook.test",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The subscription of a new endpoint that names none. */
export const defaultWebhookEventTypes: readonly WebhookEventType[] = ["deposit.confirmed"];

/** The events that a connected shop hears: all that its key may read. */
export const shopEventTypes: readonly WebhookEventType[] = webhookEventTypes.filter((type) =>
  /^(?:deposit|order|refund)\./.test(type),
);

/** Whether a resource has this event at most once. A second one must not be sent. */
export function isAtMostOnce(type: WebhookEventType): boolean {
  return (
    type === "deposit.confirmed" ||
    type === "deposit.unmatched" ||
    type.startsWith("order.") ||
    type.startsWith("settlement.") ||
    (type.startsWith("refund.") && type !== "refund.ready")
  );
}

/** The facts of a charge in its deposit and order events. Amounts are decimal strings, times ISO 8601. */
export type ChargeData = {
  readonly depositAddressId: ChargeId;
  readonly address: string;
  readonly orderRef: string | null;
  readonly label: string | null;
  readonly chain: "tron";
  readonly currency: Currency;
  readonly orderAmount: string | null;
  readonly payAmount: string | null;
  /** the confirmed sum, this deposit included */
  readonly amountReceived: string;
  /** amountReceived − due; null without a due */
  readonly difference: string | null;
  readonly paymentState: PaymentState;
  readonly feeMode: FeeMode;
  readonly metadata: Metadata | null;
  readonly fiatCurrency: FiatCurrency | null;
  readonly fiatAmount: string | null;
  readonly quoteRate: string | null;
  /** the payment link that the order was made by */
  readonly paymentLinkId: PaymentLinkId | null;
  /** typed by the payer's side: it proves nothing */
  readonly payerRef: string | null;
};

export type DepositEventData = ChargeData & {
  readonly depositId: DepositId;
  readonly amount: string;
  readonly txHash: string;
  readonly eventIndex: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  readonly status: DepositStatus;
  readonly previousStatus: DepositStatus | null;
  readonly late: boolean;
  readonly unmatched: boolean;
  readonly detectedAt: string;
  readonly confirmedAt: string | null;
};

export type ConfirmedDepositEventData = DepositEventData & {
  readonly status: "CONFIRMED";
  readonly confirmedAt: string;
};

type OrderDepositData = {
  readonly depositId: DepositId;
  readonly txHash: string;
  readonly amount: string;
  readonly confirmedAt: string;
};

export type OrderEventData = ChargeData & {
  readonly paidLate: boolean;
  readonly expiresAt: string | null;
  readonly paidAt: string | null;
  /** confirmed ones, oldest first, at most MAX_EVENT_DEPOSITS */
  readonly deposits: readonly OrderDepositData[];
  /** another charge of this reference is paid */
  readonly orderRefPaid: boolean;
  /** the order that this one asks the missing money of */
  readonly restOf: ChargeId | null;
  /** with this event the order of `restOf` is paid too */
  readonly restCompletes: boolean;
};

export const MAX_EVENT_DEPOSITS = 20;

/** A settlement that is over: what reached the merchant's wallet, and the operator's for its fees. */
export type SettlementEventData = {
  readonly settlementId: SettlementId;
  readonly settlementAccountId: SettlementAccountId;
  readonly chain: "tron";
  readonly currency: Currency;
  readonly address: string;
  /** money that has reached the merchant's wallet */
  readonly amount: string;
  /** fees that have reached the operator's wallet */
  readonly feesPaid: string;
  readonly sweepCount: number;
  /** why a part of it was not paid; null if all of it was paid */
  readonly failureReason: string | null;
  readonly createdAt: string;
  readonly endedAt: string;
  /** the first MAX_EVENT_TRANSFERS that landed */
  readonly transfers: readonly SettlementTransfer[];
};

export type SettlementTransfer = {
  readonly txHash: string;
  readonly amount: string;
  readonly recipient: "merchant" | "operator";
};

export const MAX_EVENT_TRANSFERS = 20;

/** A refund. Amounts are decimal strings, times ISO 8601. */
export type RefundEventData = {
  readonly refundId: RefundId;
  readonly depositAddressId: ChargeId;
  readonly orderRef: string | null;
  readonly chain: "tron";
  readonly currency: Currency;
  readonly amount: string;
  /** the part of the price in fiat that was asked for, as sent */
  readonly fiatAmount: string | null;
  readonly status: RefundStatus;
  /** the payer's wallet; null until the payer or the merchant named it */
  readonly address: string | null;
  readonly txHash: string | null;
  readonly reason: string | null;
  readonly requestedAt: string;
  readonly readyAt: string | null;
  readonly sentAt: string | null;
  readonly completedAt: string | null;
  readonly canceledAt: string | null;
  readonly metadata: Metadata | null;
};

export type DepositEventFacts =
  | { readonly type: "deposit.confirmed"; readonly data: ConfirmedDepositEventData }
  | {
      readonly type: Exclude<Extract<WebhookEventType, `deposit.${string}`>, "deposit.confirmed">;
      readonly data: DepositEventData;
    };

export type OrderEventFacts = {
  readonly type: Extract<WebhookEventType, `order.${string}`>;
  readonly data: OrderEventData;
};

export type SettlementEventFacts = {
  readonly type: Extract<WebhookEventType, `settlement.${string}`>;
  readonly data: SettlementEventData;
};

export type RefundEventFacts = {
  readonly type: Extract<WebhookEventType, `refund.${string}`>;
  readonly data: RefundEventData;
};

export type WebhookEventFacts =
  | DepositEventFacts
  | OrderEventFacts
  | SettlementEventFacts
  | RefundEventFacts
  | {
      readonly type: "webhook.test";
      readonly data: Record<string, unknown>;
    };

export type WebhookEvent = {
  readonly id: EventId;
  readonly event: WebhookEventType;
  readonly environment: Environment;
  readonly createdAt: Date;
  /** counts the events of one deposit or one order; a receiver can drop a stale one by it */
  readonly sequence: number;
  readonly data: WebhookEventFacts["data"];
};

/** The text of an event's body. It is stored once and sent unchanged at every attempt. */
export function webhookEventBody(event: WebhookEvent): string {
  return JSON.stringify({
    id: event.id,
    event: event.event,
    apiVersion: "v1",
    environment: event.environment,
    createdAt: event.createdAt.toISOString(),
    sequence: event.sequence,
    data: event.data,
  });
}
