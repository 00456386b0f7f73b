import type { Checkout, Deposit } from "./contract.ts";

/** What deposit and order events say of the charge. Amounts are decimal strings, times ISO 8601. */
export type EventCharge = {
  depositAddressId: string;
  address: string;
  /** the reference that it was made with */
  orderRef: string | null;
  label: string | null;
  chain: "tron";
  /** of every amount here */
  currency: Deposit["currency"];
  /** what the order asks for; null where any amount will do */
  orderAmount: string | null;
  /** what the payer has to send where the fee comes on top, else null */
  payAmount: string | null;
  /** the confirmed sum of the whole charge */
  amountReceived: string;
  /** amountReceived less what is due; null where nothing is due */
  difference: string | null;
  /** the confirmed sum beside what is due */
  paymentState: Checkout["status"]["paymentState"];
  feeMode: "merchant" | "client";
  fiatCurrency: "USD" | null;
  fiatAmount: string | null;
  /** units of `currency` for one USD */
  quoteRate: string | null;
};

/** The data of a deposit's event. */
export type DepositEventData = EventCharge & {
  depositId: string;
  /** of this deposit */
  amount: string;
  txHash: string;
  eventIndex: number;
  blockNumber: number;
  blockHash: string;
  confirmations: number;
  requiredConfirmations: number;
  status: Deposit["status"];
  previousStatus: Deposit["status"] | null;
  /** whether it came after the order's expiry */
  late: boolean;
  /** whether it is of the other currency, and counts for nothing */
  unmatched: boolean;
  detectedAt: string;
  confirmedAt: string | null;
};

/** The data of a deposit that is money for good. */
export type ConfirmedDepositEventData = DepositEventData & { status: "CONFIRMED"; confirmedAt: string };

/** The data of an order's event. */
export type OrderEventData = EventCharge & {
  paidLate: boolean;
  expiresAt: string | null;
  paidAt: string | null;
  /** the confirmed ones, oldest first, at most 20 */
  deposits: { depositId: string; txHash: string; amount: string; confirmedAt: string }[];
};

/** What an event of each name carries. */
export type EventDataByName = {
  "deposit.detected": DepositEventData;
  "deposit.confirming": DepositEventData;
  "deposit.confirmed": ConfirmedDepositEventData;
  "deposit.unmatched": DepositEventData;
  "deposit.stuck": DepositEventData;
  "deposit.reorged": DepositEventData;
  "deposit.failed": DepositEventData;
  "order.paid": OrderEventData;
  "order.underpaid": OrderEventData;
  "order.overpaid": OrderEventData;
  "order.expired": OrderEventData;
  "order.paid_late": OrderEventData;
  "order.accepted": OrderEventData;
  "webhook.test": { endpointId: string; message: string };
};

/**
 * The body of a webhook; `event` says which `data` it has. A newer service may send names that are not here: answer 204
 * and leave them be.
 */
export type WebhookEvent = {
  [Name in keyof EventDataByName]: {
    /** the same in every try: what was handled once must not be handled again */
    id: string;
    event: Name;
    apiVersion: "v1";
    environment: "test" | "live";
    createdAt: string;
    /** counts the events of one deposit or one order, so that a stale one can be told */
    sequence: number;
    data: EventDataByName[Name];
  };
}[keyof EventDataByName];
