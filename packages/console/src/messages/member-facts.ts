import type { Currency } from "@daric/domain/asset";
import type {
  ChargeData,
  DepositEventData,
  RefundEventData,
  SettlementEventData,
} from "@daric/domain/webhook-event";
import type { Attachment, MessageNetwork } from "./letter.ts";

/** The facts of a message to a member of a merchant. Amounts are decimal texts. */
export type MemberFacts = MemberMessageOrigin & MemberEvent;

/** The merchant, and the places to which the message leads. */
export type MemberMessageOrigin = {
  readonly merchantName: string;
  /** the host of the deployment */
  readonly host: string;
  /** the dashboard without a slash at its end; null without a public base URL */
  readonly dashboardUrl: string | null;
  /** where the member chooses its messages; null without a public base URL */
  readonly settingsUrl: string | null;
  readonly network: MessageNetwork;
};

export type MemberEvent =
  | {
      readonly kind: "paid" | "paid_late" | "underpaid" | "overpaid" | "accepted";
      readonly order: MemberOrder;
    }
  | { readonly kind: "other_coin" | "stuck"; readonly deposit: MemberDeposit }
  | {
      readonly kind: "refund_requested" | "refund_ready" | "refund_completed";
      readonly refund: MemberRefund;
    }
  | { readonly kind: "settlement_completed" | "settlement_failed"; readonly settlement: MemberSettlement }
  | { readonly kind: "endpoint_failing" | "endpoint_disabled"; readonly endpoint: MemberEndpoint }
  | { readonly kind: "paid_hour"; readonly hour: PaidHour }
  | { readonly kind: "daily_summary"; readonly summary: DailySummary }
  | { readonly kind: "monthly_statement"; readonly statement: MonthlyStatement }
  | { readonly kind: "channel_failed"; readonly channel: FailedChannel }
  | { readonly kind: "channel_test" };

/** Fields of an order's event, as they are in its body. */
export type MemberOrder = Pick<
  ChargeData,
  | "depositAddressId"
  | "orderRef"
  | "currency"
  | "orderAmount"
  | "payAmount"
  | "amountReceived"
  | "difference"
  | "fiatAmount"
  | "fiatCurrency"
>;

/** Fields of a deposit's event: its currency is that of the deposit. */
export type MemberDeposit = Pick<
  DepositEventData,
  "depositAddressId" | "orderRef" | "currency" | "amount" | "txHash"
>;

/** Fields of a refund's event. */
export type MemberRefund = Pick<
  RefundEventData,
  "depositAddressId" | "orderRef" | "currency" | "amount" | "address" | "txHash" | "reason"
>;

/** Fields of a settlement's event. */
export type MemberSettlement = Pick<
  SettlementEventData,
  "settlementId" | "currency" | "address" | "amount" | "feesPaid" | "failureReason"
>;

export type MemberEndpoint = {
  readonly host: string;
  /** the last failure in a few words, or null */
  readonly why: string | null;
};

/** Sums of paid orders, one of each coin that came. */
export type CoinSum = { readonly currency: Currency; readonly amount: string };

export type PaidHour = {
  readonly from: Date;
  readonly until: Date;
  readonly timeZone: string;
  readonly orders: number;
  readonly sums: readonly CoinSum[];
};

export type DailySummary = {
  /** in the time zone: `2026-03-29` */
  readonly day: string;
  readonly timeZone: string;
  /** paid orders, and the sums that they received */
  readonly orders: number;
  readonly sums: readonly CoinSum[];
  /** payments that wait for a decision */
  readonly waiting: number;
};

export type MonthlyStatement = {
  /** `2026-03` */
  readonly month: string;
  readonly attachments: readonly Attachment[];
};

export type FailedChannel = {
  readonly kind: "mail" | "telegram" | "url";
  /** the title of a chat or the host of a URL; null of mail */
  readonly name: string | null;
  /** in a few words */
  readonly why: string;
};
