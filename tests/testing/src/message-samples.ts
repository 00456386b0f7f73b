import type { MemberFacts } from "@daric/console/messages/member-facts";
import type { PayerMailFacts, RefundMailFacts } from "@daric/console/messages/payer-facts";
import { parseId } from "@daric/domain/ids";

export const SAMPLE_PAGE_URL = "https://pay.example/c/3fA9token";
export const SAMPLE_CLAIM_URL = "https://pay.example/r/8kD2token";
export const SAMPLE_STOP_URL = "https://pay.example/u/9bC1token";

/** A blue ring: a real PNG. */
export const SAMPLE_LOGO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAMAAABg3Am1AAAABlBMVEX///8LX/9JtpKJAAAAcElEQVR42u2VOQ7AMAgEPf//dJQuBZswLixH8rYwPgQsYxzd4imZ/o1QyeZngiybXxIgCQuAI0ASdSgDKRKJ1lvDQS+f61wQYs2KHmBfQFe62Uu6W/086InzM61dY4GReW/17u33w8QG8jtuYov+UBeMdAOtNPHwywAAAABJRU5ErkJggg==",
  "base64",
);

const PAYMENT = {
  txHash: "1f2e3d4c5b6a79880123456789abcdef".repeat(2),
  amount: "25.5",
  blockNumber: 61_234_567,
  confirmedAt: new Date("2026-11-20T11:04:09Z"),
};

/** A payment of 25.50 USDT with a transaction, in English on mainnet. */
export function aPayerMail(
  kind: PayerMailFacts["kind"] = "paid",
  { shop, order, ...facts }: MailOverrides = {},
): PayerMailFacts {
  const ofKind = {
    paid: {},
    short: { received: "10", missing: "15.5", payUntil: new Date("2026-11-20T12:00:00Z") },
    late: {},
  };
  const received = kind === "short" ? "10" : "25.5";
  return {
    kind,
    ...anOrigin(shop),
    order: {
      orderRef: "A-1042",
      currency: "USDT",
      due: "25.5",
      received,
      missing: null,
      fiatAmount: "24.90",
      fiatCurrency: "EUR",
      payUntil: null,
      payments: [{ ...PAYMENT, amount: received }],
      ...ofKind[kind],
      ...order,
    },
    pageUrl: SAMPLE_PAGE_URL,
    ...facts,
  };
}

function anOrigin(shop: Partial<PayerMailFacts["shop"]> = {}) {
  return {
    shop: {
      name: "Blue Bottle Books",
      accentColor: "#0b5fff",
      logo: SAMPLE_LOGO,
      supportEmail: "help@bluebottle.example",
      supportUrl: null,
      ...shop,
    },
    host: "pay.example",
    language: "en",
    network: "mainnet",
    unsubscribeUrl: SAMPLE_STOP_URL,
  } as const;
}

/** A refund of 25.50 USDT: the claim link that replaces another, or the money that went back. */
export function aRefundMail(
  kind: RefundMailFacts["kind"],
  { shop, order, ...facts }: MailOverrides = {},
): RefundMailFacts {
  const base = {
    ...anOrigin(shop),
    ...({ orderRef: "A-1042", currency: "USDT", amount: "25.5" } as const),
    ...(order?.orderRef !== undefined && { orderRef: order.orderRef }),
    ...(order?.received !== undefined && { amount: order.received }),
  } as const;
  const { kind: _, ...others } = facts;
  return kind === "claim"
    ? { ...base, kind, until: PAYMENT.confirmedAt, isNewer: true, pageUrl: SAMPLE_CLAIM_URL, ...others }
    : { ...base, kind, addressEnd: "KcbLSE", payment: PAYMENT, pageUrl: SAMPLE_PAGE_URL, ...others };
}

export const payerMailKinds = ["paid", "short", "late", "claim", "refunded"] as const;

/** The sample of a mail to a payer, of any kind. */
export function aMailToPayer(
  kind: (typeof payerMailKinds)[number],
  overrides: MailOverrides = {},
): PayerMailFacts | RefundMailFacts {
  return kind === "claim" || kind === "refunded" ? aRefundMail(kind, overrides) : aPayerMail(kind, overrides);
}

type MailOverrides = Partial<Omit<PayerMailFacts, "shop" | "order">> & {
  readonly shop?: Partial<PayerMailFacts["shop"]>;
  readonly order?: Partial<PayerMailFacts["order"]>;
};

const ID = "0190a8e2-1c1c-7000-8000-000000000001";
const [charge, settlement] = [parseId("charge", ID), parseId("settlement", ID)];
if (charge === undefined || settlement === undefined) throw new Error("the sample has no id");

const origin = {
  merchantName: "Blue Bottle Books",
  host: "pay.example",
  dashboardUrl: "https://pay.example/dashboard",
  settingsUrl: "https://pay.example/dashboard/messages",
  network: "mainnet",
} as const;

const order = {
  depositAddressId: charge,
  orderRef: "A-1042",
  currency: "USDT",
  orderAmount: "25.5",
  payAmount: null,
  amountReceived: "25.5",
  difference: "0",
  fiatAmount: "24.90",
  fiatCurrency: "EUR",
} as const;

const deposit = { ...order, currency: "TRX", amount: "50", txHash: PAYMENT.txHash } as const;
const paidOut = {
  settlementId: settlement,
  currency: "USDT",
  address: "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
  amount: "1200",
  feesPaid: "3.2",
  failureReason: null,
} as const;
const refund = {
  depositAddressId: charge,
  orderRef: "A-1042",
  currency: "USDT",
  amount: "4.5",
  address: null,
  txHash: null,
  reason: "Paid twice",
} as const;
const sums = [
  { currency: "USDT", amount: "1250.5" },
  { currency: "TRX", amount: "320" },
] as const;

/** One message of each kind to members, some with other facts. */
export const memberSamples: readonly MemberFacts[] = [
  { ...origin, kind: "paid", order },
  { ...origin, kind: "paid_late", order: { ...order, orderRef: null, fiatAmount: null, fiatCurrency: null } },
  { ...origin, kind: "underpaid", order: { ...order, amountReceived: "10", difference: "-15.5" } },
  { ...origin, kind: "overpaid", order: { ...order, amountReceived: "30", difference: "4.5" } },
  { ...origin, kind: "accepted", order: { ...order, amountReceived: "25", difference: "-0.5" } },
  { ...origin, kind: "other_coin", deposit },
  { ...origin, kind: "stuck", deposit },
  { ...origin, kind: "refund_requested", refund },
  { ...origin, kind: "refund_ready", refund: { ...refund, address: paidOut.address } },
  {
    ...origin,
    kind: "refund_completed",
    refund: { ...refund, address: paidOut.address, txHash: PAYMENT.txHash, reason: null },
  },
  { ...origin, kind: "settlement_completed", settlement: paidOut },
  {
    ...origin,
    kind: "settlement_failed",
    settlement: { ...paidOut, amount: "0", failureReason: "nothing of it was sent" },
  },
  { ...origin, kind: "endpoint_failing", endpoint: { host: "shop.example", why: "timeout" } },
  { ...origin, kind: "endpoint_disabled", endpoint: { host: "shop.example", why: "http_status 500" } },
  {
    ...origin,
    kind: "paid_hour",
    hour: {
      from: new Date("2026-11-20T13:00:00Z"),
      until: new Date("2026-11-20T14:00:00Z"),
      timeZone: "Europe/Berlin",
      orders: 12,
      sums,
    },
  },
  {
    ...origin,
    kind: "daily_summary",
    summary: { day: "2026-11-20", timeZone: "Europe/Berlin", orders: 31, sums, waiting: 3 },
  },
  {
    ...origin,
    kind: "monthly_statement",
    statement: {
      month: "2026-10",
      attachments: [
        { filename: "statement-2026-10.csv", content: Buffer.from("date\n"), contentType: "text/csv" },
      ],
    },
  },
  {
    ...origin,
    kind: "channel_failed",
    channel: { kind: "telegram", name: "Shop team", why: "the bot was blocked" },
  },
  { ...origin, kind: "channel_test" },
];
