import type { ShownCharge } from "@daric/charges/charge";
import { DEFAULT_CURRENCY } from "@daric/domain/asset";
import type { Branding, CheckoutDeposit, CheckoutRecord } from "@daric/domain/checkout";
import { idOf } from "@daric/domain/ids";
import { type Amount, add, amountFromUnits, zero } from "@daric/domain/money";

export const sampleStates = ["awaiting", "confirming", "paid", "underpaid", "overpaid", "expired"] as const;
export type SampleState = (typeof sampleStates)[number];

const MINUTE_MS = 60_000;
const LATE_MS = 24 * 60 * MINUTE_MS;
const NEEDED = 19;
const SEEN = 7;
const BLOCK = 1_000_000;
const SENT_BEFORE_MS = 2 * MINUTE_MS;
const PRICE: Amount = amountFromUnits(25_500_000n);
const HALF: Amount = amountFromUnits(12_750_000n);
const TOO_MUCH: Amount = amountFromUnits(38_250_000n);
/** The address of the null key. It is no address of ours, so no payment to it can be credited. */
const ADDRESS = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const SAMPLE_ID = "00000000-0000-7000-8000-000000000000";
const TX_ID = "0".repeat(64);
const TOKEN = "sample";

/** The received money of a sample order of 25.5 USDT in each state, and whether it is final. */
const received: Readonly<Record<SampleState, { readonly confirmed: Amount; readonly pending: Amount }>> = {
  awaiting: { confirmed: zero, pending: zero },
  confirming: { confirmed: zero, pending: PRICE },
  paid: { confirmed: PRICE, pending: zero },
  underpaid: { confirmed: HALF, pending: zero },
  overpaid: { confirmed: TOO_MUCH, pending: zero },
  expired: { confirmed: zero, pending: zero },
};

/** A sample order in this state, of no merchant. */
export function sampleCharge(state: SampleState, now: Date): ShownCharge {
  const { confirmed, pending } = received[state];
  const isExpired = state === "expired";
  const isPaid = state === "paid" || state === "overpaid";
  const endsAt = now.getTime() + (isExpired ? -MINUTE_MS : 40 * MINUTE_MS);
  return {
    issuedAs: {
      chargeId: idOf("charge", SAMPLE_ID),
      merchantId: idOf("merchant", SAMPLE_ID),
      checkoutToken: TOKEN,
      address: ADDRESS,
      index: 0,
      mac: null,
    },
    kind: "order",
    address: ADDRESS,
    chain: "tron",
    currency: DEFAULT_CURRENCY,
    status: isPaid ? "ARCHIVED" : isExpired ? "EXPIRED" : "ACTIVE",
    feeMode: "merchant",
    fiatCurrency: null,
    fiatAmount: null,
    quote: null,
    orderRef: "A-1042",
    successUrl: null,
    cancelUrl: null,
    checkoutToken: TOKEN,
    expiresAt: new Date(endsAt),
    acceptedAt: null,
    hasConfirming: pending > 0n,
    hasDetected: false,
    hasOpenDeposit: pending > 0n,
    isExpired,
    isTimeOver: isExpired,
    expectedAmount: PRICE,
    payAmount: null,
    terms: { due: PRICE, toleranceBasisPoints: 0 },
    confirmed: { onTime: confirmed, inWindow: confirmed, total: confirmed },
    credited: add(confirmed, pending),
    received: {
      onTime: confirmed,
      inWindow: confirmed,
      total: confirmed,
      pending,
      dust: zero,
      dustPending: zero,
    },
  };
}

/** The facts that the page needs besides the charge. */
export function sampleRecord(state: SampleState, merchant: Branding, now: Date): CheckoutRecord {
  const { confirmed, pending } = received[state];
  const amount = add(confirmed, pending);
  const deposits = amount > 0n ? [sampleDeposit(amount, pending === zero, now)] : [];
  return {
    merchant,
    createdAt: new Date(now.getTime() - LATE_MS),
    deposits,
    unmatchedDeposits: [],
    unmatched: [],
    dustDeposits: 0,
    link: null,
    otherPage: null,
    now,
    databaseNow: now,
  };
}

function sampleDeposit(amount: Amount, isFinal: boolean, now: Date): CheckoutDeposit {
  const sentAt = new Date(now.getTime() - SENT_BEFORE_MS);
  return {
    txId: TX_ID,
    amount,
    currency: DEFAULT_CURRENCY,
    status: isFinal ? "CONFIRMED" : "CONFIRMING",
    blockNumber: BLOCK,
    headNumber: BLOCK + (isFinal ? NEEDED : SEEN) - 1,
    requiredConfirmations: NEEDED,
    finalConfirmations: isFinal ? NEEDED : null,
    late: false,
    from: null,
    sentAt,
    confirmedAt: isFinal ? now : null,
  };
}
