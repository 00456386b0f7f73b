import type { Environment } from "./api-scope.ts";
import type { FeeMode, PaymentState } from "./order.ts";

/** Every event name an endpoint can subscribe to. */
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
  "settlement.completed",
  "settlement.failed",
  "webhook.test",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The subscription of a new endpoint that names none. */
export const defaultWebhookEventTypes: readonly WebhookEventType[] = ["deposit.confirmed"];

/** Whether a resource has this event once at most: a second one says nothing new and must not be sent. */
export function isAtMostOnce(type: WebhookEventType): boolean {
  return type === "deposit.confirmed" || type.startsWith("order.");
}

/** Facts of the charge that deposit and order events share. Amounts are decimal strings, times ISO 8601. */
export type ChargeData = {
  depositAddressId: string;
  address: string;
  orderRef: string | null;
  label: string | null;
  chain: "tron";
  currency: string;
  orderAmount: string | null;
  payAmount: string | null;
  /** the confirmed sum, this deposit included */
  amountReceived: string;
  /** amountReceived − due; null where nothing is due */
  difference: string | null;
  paymentState: PaymentState;
  feeMode: FeeMode;
  fiatCurrency: string | null;
  fiatAmount: string | null;
  quoteRate: string | null;
};

export type DepositEventData = ChargeData & {
  depositId: string;
  amount: string;
  txHash: string;
  eventIndex: number;
  blockNumber: number;
  blockHash: string;
  confirmations: number;
  requiredConfirmations: number;
  status: string;
  previousStatus: string | null;
  late: boolean;
  unmatched: boolean;
  detectedAt: string;
  confirmedAt: string | null;
};

export type OrderEventData = ChargeData & {
  paidLate: boolean;
  expiresAt: string | null;
  paidAt: string | null;
  /** at most MAX_EVENT_DEPOSITS, newest left out */
  deposits: { depositId: string; txHash: string; amount: string; confirmedAt: string }[];
};

/** How many deposits an order event lists. */
export const MAX_EVENT_DEPOSITS = 20;

/** An event name with the facts its body carries. */
export type WebhookEventFacts =
  | { type: Extract<WebhookEventType, `deposit.${string}`>; data: DepositEventData }
  | { type: Extract<WebhookEventType, `order.${string}`>; data: OrderEventData }
  | {
      type: Extract<WebhookEventType, `settlement.${string}` | "webhook.test">;
      data: Record<string, unknown>;
    };

export type WebhookEvent = {
  id: string;
  event: WebhookEventType;
  environment: Environment;
  createdAt: Date;
  /** counts the events of one deposit or one order, so that a receiver can drop a stale one */
  sequence: number;
  data: WebhookEventFacts["data"];
};

/** The text of an event's body. Stored once and sent unchanged at every attempt. */
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
