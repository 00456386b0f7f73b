import { environments } from "@daric/domain/api-scope";
import { currencies } from "@daric/domain/asset";
import { depositStatuses } from "@daric/domain/deposit";
import { AMOUNT_PATTERN, SENT_AMOUNT_PATTERN } from "@daric/domain/money";
import { feeModes, paymentStates } from "@daric/domain/order";
import { refundStatuses } from "@daric/domain/refund";
import {
  type DepositEventData,
  MAX_EVENT_DEPOSITS,
  MAX_EVENT_TRANSFERS,
  type OrderEventData,
  type RefundEventData,
  type SettlementEventData,
  webhookEventTypes,
} from "@daric/domain/webhook-event";
import { fiatCode, rateText } from "@daric/http/validate";
import { z } from "zod";

/** Exactly the fields of the bodies: a missing or extra field does not compile. */
type FieldsOf<Data> = Readonly<Record<keyof Data, z.ZodType>>;

const timestamp = z.string().meta({ format: "date-time" });
const money = z.string().meta({ pattern: AMOUNT_PATTERN.source });
const hash = z.string().meta({ pattern: "^[0-9a-f]{64}$" });
const id = z.string().meta({ format: "uuid" });

const orderDeposit = {
  depositId: id,
  txHash: hash,
  amount: money,
  confirmedAt: timestamp,
} satisfies FieldsOf<OrderEventData["deposits"][number]>;

const chargeFields = {
  depositAddressId: id,
  address: z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" }),
  orderRef: z.string().nullable(),
  label: z.string().nullable(),
  chain: z.literal("tron"),
  currency: z.enum(currencies),
  orderAmount: money.nullable(),
  payAmount: money.nullable(),
  amountReceived: money,
  difference: z
    .string()
    .meta({ pattern: AMOUNT_PATTERN.source.replace("^", "^-?") })
    .nullable(),
  paymentState: z.enum(paymentStates),
  feeMode: z.enum(feeModes),
  fiatCurrency: fiatCode.nullable(),
  fiatAmount: z.string().meta({ pattern: SENT_AMOUNT_PATTERN.source }).nullable(),
  quoteRate: rateText.nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  // Bodies are stored: older ones have none of these.
  paymentLinkId: id.nullable().optional(),
  payerRef: z.string().nullable().optional(),
};

const depositFields = {
  ...chargeFields,
  depositId: id,
  amount: money,
  txHash: hash,
  eventIndex: z.int().min(0),
  blockNumber: z.int().min(0),
  blockHash: hash,
  confirmations: z.int().min(0),
  requiredConfirmations: z.int().min(1),
  status: z.enum(depositStatuses),
  previousStatus: z.enum(depositStatuses).nullable(),
  late: z.boolean(),
  unmatched: z.boolean(),
  detectedAt: timestamp,
  confirmedAt: timestamp.nullable(),
} satisfies FieldsOf<DepositEventData>;

const orderFields = {
  ...chargeFields,
  paidLate: z.boolean(),
  expiresAt: timestamp.nullable(),
  paidAt: timestamp.nullable(),
  deposits: z.array(z.object(orderDeposit)).max(MAX_EVENT_DEPOSITS),
  // Bodies are stored: older ones have none of these.
  orderRefPaid: z.boolean().optional(),
  restOf: id.nullable().optional(),
  restCompletes: z.boolean().optional(),
} satisfies FieldsOf<OrderEventData>;

function eventOf<Data extends z.ZodType>(types: readonly [string, ...string[]], data: Data) {
  return z.object({
    id,
    event: z.enum(types),
    apiVersion: z.literal("v1"),
    environment: z.enum(environments),
    createdAt: timestamp,
    sequence: z.int().min(1),
    data,
  });
}

export const depositEvent = eventOf(namesOf("deposit."), z.object(depositFields)).meta({
  id: "DepositEvent",
  description: "The body of an event of a deposit.",
});

export const orderEvent = eventOf(namesOf("order."), z.object(orderFields)).meta({
  id: "OrderEvent",
  description: "The body of an event of an order.",
});

const settlementFields = {
  settlementId: id,
  settlementAccountId: id,
  chain: z.literal("tron"),
  currency: z.enum(currencies),
  address: z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" }),
  amount: money,
  feesPaid: money,
  sweepCount: z.int().min(0),
  failureReason: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp,
  transfers: z
    .array(z.object({ txHash: hash, amount: money, recipient: z.enum(["merchant", "operator"]) }))
    .max(MAX_EVENT_TRANSFERS),
} satisfies FieldsOf<SettlementEventData>;

export const settlementEvent = eventOf(namesOf("settlement."), z.object(settlementFields)).meta({
  id: "SettlementEvent",
  description: "The body of an event of a settlement.",
});

const refundFields = {
  refundId: id,
  depositAddressId: id,
  orderRef: z.string().nullable(),
  chain: z.literal("tron"),
  currency: z.enum(currencies),
  amount: money,
  fiatAmount: z.string().meta({ pattern: SENT_AMOUNT_PATTERN.source }).nullable(),
  status: z.enum(refundStatuses),
  address: z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" }).nullable(),
  txHash: hash.nullable(),
  reason: z.string().nullable(),
  requestedAt: timestamp,
  readyAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  canceledAt: timestamp.nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
} satisfies FieldsOf<RefundEventData>;

export const refundEventBody = eventOf(namesOf("refund."), z.object(refundFields)).meta({
  id: "RefundEvent",
  description: "The body of an event of a refund.",
});

export const testEvent = eventOf(namesOf("webhook."), z.object({ endpointId: id, message: z.string() })).meta(
  { id: "TestEvent", description: "The body of the event that a test sends." },
);

function namesOf(prefix: string) {
  const [first = "", ...others] = webhookEventTypes.filter((type) => type.startsWith(prefix));
  return [first, ...others] as const;
}
