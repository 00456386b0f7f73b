import type { Environment } from "./api-scope.ts";
import type { Currency } from "./asset.ts";
import type { DepositStatus } from "./deposit.ts";
import type { ChargeId, DepositId, EventId } from "./ids.ts";
import type { Metadata } from "./metadata.ts";
import type { FeeMode, PaymentState } from "./order.ts";

/** Every event name. */
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
  "webhook.test",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Those that an endpoint may subscribe to: nothing is settled yet, so that nobody waits for its events. */
export const subscribableEventTypes = webhookEventTypes.filter((type) => !type.startsWith("settlement."));

/** The subscription of a new endpoint that names none. */
export const defaultWebhookEventTypes: readonly WebhookEventType[] = ["deposit.confirmed"];

/** Whether a resource has this event once at most: a second one says nothing new and must not be sent. */
export function isAtMostOnce(type: WebhookEventType): boolean {
  return type === "deposit.confirmed" || type === "deposit.unmatched" || type.startsWith("order.");
}

/** Facts of the charge that deposit and order events share. Amounts are decimal strings, times ISO 8601. */
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
  /** amountReceived − due; null where nothing is due */
  readonly difference: string | null;
  readonly paymentState: PaymentState;
  readonly feeMode: FeeMode;
  readonly metadata: Metadata | null;
  readonly fiatCurrency: "USD" | null;
  readonly fiatAmount: string | null;
  readonly quoteRate: string | null;
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

/** The data of a deposit that is money for good. */
export type ConfirmedDepositEventData = DepositEventData & {
  readonly status: "CONFIRMED";
  readonly confirmedAt: string;
};

/** A confirmed deposit of an order, as its events list it. */
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
  /** at most MAX_EVENT_DEPOSITS, newest left out */
  readonly deposits: readonly OrderDepositData[];
};

/** How many deposits an order event lists. */
export const MAX_EVENT_DEPOSITS = 20;

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

/** An event name with the facts its body carries. */
export type WebhookEventFacts =
  | DepositEventFacts
  | OrderEventFacts
  | {
      readonly type: Extract<WebhookEventType, `settlement.${string}` | "webhook.test">;
      readonly data: Record<string, unknown>;
    };

export type WebhookEvent = {
  readonly id: EventId;
  readonly event: WebhookEventType;
  readonly environment: Environment;
  readonly createdAt: Date;
  /** counts the events of one deposit or one order, so that a receiver can drop a stale one */
  readonly sequence: number;
  readonly data: WebhookEventFacts["data"];
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
