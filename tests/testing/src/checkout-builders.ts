import type { Charge } from "@daric/charges/charge";
import type { Currency } from "@daric/domain/asset";
import type { CheckoutDeposit, CheckoutRecord } from "@daric/domain/checkout";
import { idOf } from "@daric/domain/ids";
import { type Amount, add, parseAmount, zero } from "@daric/domain/money";
import { offeredLanguages } from "@daric/hosted-checkout/messages/languages";
import { networkLabel, type PageInput } from "@daric/hosted-checkout/page/view";
import { projectCheckout } from "@daric/hosted-checkout/projection";

const HOUR_MS = 3_600_000;
const TX_ID = "4b9d1f0c2a7e8835d1c6f0a9be42771355aa90c1e3fd6b7788991200aabbccdd";
export const NOW = new Date("2026-11-20T10:00:00.000Z");

export function amount(text: string): Amount {
  const parsed = parseAmount(text);
  if (parsed === undefined) throw new Error(`not an amount: ${text}`);
  return parsed;
}

export type LoadedChargeOverrides = Partial<Omit<Charge, "terms" | "confirmed" | "credited" | "received">> & {
  due?: string | null;
  toleranceBasisPoints?: number;
  /** confirmed on time, by default for `confirmedInWindow` and `confirmedTotal` */
  confirmed?: string;
  confirmedInWindow?: string;
  confirmedTotal?: string;
  pending?: string;
  /** confirmed, beside the money that counts */
  dust?: string;
  /** the amount on the chain, if another is credited */
  received?: string;
};

/** A charge; by default an unpaid order of 25.5 USDT. */
export function aLoadedCharge(overrides: LoadedChargeOverrides = {}): Charge {
  const {
    due = "25.5",
    toleranceBasisPoints = 0,
    confirmed = "0",
    pending = "0",
    dust = "0",
    received,
    ...columns
  } = overrides;
  const { confirmedInWindow = confirmed, confirmedTotal = confirmedInWindow, ...rest } = columns;
  const dueAmount = due === null ? null : amount(due);
  return {
    id: idOf("charge", "0198f0a0-0000-7000-8000-000000000001"),
    merchantId: idOf("merchant", "0198f0a0-0000-7000-8000-000000000002"),
    issuedAs: {
      chargeId: idOf("charge", "0198f0a0-0000-7000-8000-000000000001"),
      merchantId: idOf("merchant", "0198f0a0-0000-7000-8000-000000000002"),
      checkoutToken: "hJ3kq9vQ2mX7bT0aWc5R8yLnZpUd4EsGf1Ya6Kt-",
      address: "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
      index: 0,
      mac: null,
    },
    kind: "order",
    address: "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
    chain: "tron",
    currency: "USDT",
    status: "ACTIVE",
    feeMode: "merchant",
    fee: { basisPoints: 0, fixed: zero },
    expectedAmount: dueAmount,
    payAmount: null,
    fiatCurrency: null,
    fiatAmount: null,
    quote: null,
    orderRef: "A-1042",
    label: null,
    successUrl: "https://bluebottle.example/thanks",
    cancelUrl: "https://bluebottle.example/cart",
    metadata: null,
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
    checkoutToken: "hJ3kq9vQ2mX7bT0aWc5R8yLnZpUd4EsGf1Ya6Kt-",
    expiresAt: new Date(NOW.getTime() + HOUR_MS),
    lateUntil: new Date(NOW.getTime() + 25 * HOUR_MS),
    createdAt: NOW,
    updatedAt: NOW,
    hasConfirming: pending !== "0",
    hasDetected: false,
    hasOpenDeposit: pending !== "0",
    isExpired: false,
    isTimeOver: false,
    ...rest,
    terms: { due: dueAmount, toleranceBasisPoints },
    confirmed: {
      onTime: amount(confirmed),
      inWindow: amount(confirmedInWindow),
      total: amount(confirmedTotal),
    },
    credited: add(amount(confirmedTotal), amount(pending)),
    received: {
      onTime: amount(received ?? confirmed),
      inWindow: amount(received ?? confirmedInWindow),
      total: add(amount(received ?? confirmedTotal), amount(dust)),
      pending: amount(pending),
      dust: amount(dust),
      dustPending: zero,
    },
  };
}

/** A deposit; by default of 25.5, seven blocks deep and not final. */
export function aSeenDeposit(overrides: Partial<CheckoutDeposit> = {}): CheckoutDeposit {
  return {
    txId: TX_ID,
    amount: amount("25.5"),
    currency: "USDT",
    status: "CONFIRMING",
    blockNumber: 100,
    headNumber: 106,
    requiredConfirmations: 19,
    finalConfirmations: null,
    late: false,
    from: "TPayerWa11etXXXXXXXXXXXXXXXXXXabcd",
    sentAt: NOW,
    confirmedAt: null,
    ...overrides,
  };
}

export function aFinalDeposit(text: string, overrides: Partial<CheckoutDeposit> = {}): CheckoutDeposit {
  const final = { status: "CONFIRMED", finalConfirmations: 19, confirmedAt: NOW } as const;
  return aSeenDeposit({ amount: amount(text), ...final, ...overrides });
}

/** Money in another coin than the charge's. */
export function inOtherCoin(text: string, currency: Currency = "TRX"): CheckoutRecord["unmatched"] {
  return [{ currency, amount: amount(text) }];
}

export function aRecord(overrides: Partial<CheckoutRecord> = {}): CheckoutRecord {
  const merchant = {
    name: "Blue Bottle Books",
    logoId: null,
    accentColor: "#0f766e",
    supportEmail: null,
    supportUrl: null,
    languages: null,
    embedOrigins: [],
  };
  const none = {
    deposits: [],
    unmatchedDeposits: [],
    unmatched: [],
    dustDeposits: 0,
    link: null,
    otherPage: null,
  };
  return { merchant, createdAt: NOW, now: NOW, databaseNow: NOW, ...none, ...overrides };
}

const [ENGLISH] = offeredLanguages([]);

/** The input of a page, in English on mainnet at `NOW`. */
export function aPageInput(
  charge: LoadedChargeOverrides = {},
  record: Partial<CheckoutRecord> = {},
  network: Parameters<typeof networkLabel>[0]["network"] = "mainnet",
): PageInput {
  const loaded = aLoadedCharge(charge);
  const shown = aRecord(record);
  return {
    charge: loaded,
    record: shown,
    projection: projectCheckout(loaded, shown, { requiredConfirmations: 19, publicBaseUrl: undefined }),
    version: "v1",
    network: networkLabel({ network }),
    language: ENGLISH,
    languages: [ENGLISH],
    pageUrl: null,
    isPhone: false,
  };
}
