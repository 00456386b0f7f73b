import { ApiError } from "@daric/domain/errors";
import type { ApiKeyId, ChargeRef } from "@daric/domain/ids";
import { type Amount, inEveryCurrency } from "@daric/domain/money";
import { offerInFiat, QUOTE_LOCK_MS } from "@daric/domain/quote";
import { answerToRest } from "@daric/domain/rest";
import type { Database, Queryable } from "@daric/postgres/sql";
import { sealKeysOf } from "@daric/webhooks/sending/seal-secret";
import { type Charge, findCharge, getCharge } from "../charge.ts";
import type { QuotingContext } from "../context.ts";
import { openCustomerEmail, type SealEmail, sealCustomerEmail } from "../customer-email.ts";
import { lockLifetime } from "../lifetime-store.ts";
import { findFamily, type OrderFamily } from "../order-family.ts";
import { lockOf } from "../quote/quote-store.ts";
import { endTime } from "../rest-store.ts";
import { archiveByMerchant } from "../status-store.ts";
import type { AddressedDraft, ChargeDraft, InsertedCharge } from "./charge-draft-store.ts";
import { readTerms } from "./terms-store.ts";
import {
  insertAlone,
  insertInTransaction,
  refusalError,
  type WritingContext,
  writeCharge,
} from "./write-charge.ts";

/** Each try that fails means that a payment or another request for the rest came first. */
const MAX_TRIES = 10;
const RETRY_AFTER_SECONDS = 1;
const NO_ORDER = { path: "id", message: "is no order: only an order has a rest" };
/** The payer of a rest pays no fee on top: what is missing includes it. */
const NO_FEE_ON_TOP = { feeMode: "merchant", fee: { basisPoints: 0, fixed: inEveryCurrency(0n) } } as const;

type AskingContext = QuotingContext &
  WritingContext & { readonly db: Database; readonly config: { readonly webhooks: MasterKeys } };
type MasterKeys = Parameters<typeof sealKeysOf>[0];

/** An order that is short, and how much is missing of it and its rests. */
type ShortOrder = {
  readonly family: OrderFamily;
  readonly missing: Amount;
  readonly fiatMissing: string | null;
};

/**
 * Makes an order of the money that is missing of another one and its rests. It has the same reference, links, metadata, settlement
 * account and address of the payer. Asked for a rest, it answers as for the first order. That one is archived, and its time ends: later money to it is late.
 * There is one open rest at a time, which later calls answer too. After money to another order of the family the open rest
 * asks for too much: then it is archived, and another one is made.
 *
 * @throws in this order, NOT_FOUND if the row is not the merchant's; VALIDATION_ERROR if it is no order; ORDER_ALREADY_PAID if
 * nothing is missing; PAYMENT_IN_PROGRESS while a deposit above dust is not final; NOTHING_RECEIVED if nothing is confirmed. Then
 * MERCHANT_SUSPENDED; RATE_UNAVAILABLE for a price in fiat without a fresh rate; SETTLEMENT_ACCOUNT_DISABLED; MAX_ACTIVE_ADDRESSES.
 */
export async function askForRest(
  context: AskingContext,
  { apiKeyId, ...ref }: ChargeRef & { apiKeyId: ApiKeyId | null },
): Promise<Charge> {
  const { db } = context;
  let hadStaleRate = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await findRestOrShort(db, ref);
    if ("open" in found) return found.open;
    if ((await readTerms(db, ref.merchantId)).isSuspended) throw new ApiError("MERCHANT_SUSPENDED");
    const draft = await draftOf(context, found, apiKeyId);
    const insertDraft = (addressed: AddressedDraft) => insertRest(context, addressed, { ref, short: found });
    const written = await writeCharge({ ...context, insertDraft }, draft);
    if (written.refusal === null) return getCharge(db, { merchantId: ref.merchantId, id: written.charge.id });
    if (written.refusal === "RATE_STALE" && !hadStaleRate) hadStaleRate = true;
    else if (written.refusal !== "TERMS_CHANGED") throw refusalError(written.refusal);
  }
  throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * The open rest of an order, or what is missing.
 *
 * @throws the errors of {@link askForRest} about the order.
 */
async function findRestOrShort(
  db: Queryable,
  ref: ChargeRef,
): Promise<{ readonly open: Charge } | ShortOrder> {
  const asked = await findCharge(db, ref);
  if (asked === undefined) throw new ApiError("NOT_FOUND");
  if (asked.kind !== "order") throw new ApiError("VALIDATION_ERROR", { details: [NO_ORDER] });
  const family = await findFamily(db, asked);
  const answer = answerToRest(family);
  if ("refusal" in answer) throw new ApiError(answer.refusal);
  return "open" in answer ? answer : { family, ...answer };
}

async function draftOf(
  { findRate, quoteLockMs = QUOTE_LOCK_MS }: AskingContext,
  { family: { first: order }, missing, fiatMissing }: ShortOrder,
  apiKeyId: ApiKeyId | null,
): Promise<ChargeDraft> {
  const {
    merchantId,
    createdBy,
    currency,
    fiatCurrency,
    orderRef,
    label,
    successUrl,
    cancelUrl,
    settlementAccountId,
    metadata,
  } = order;
  const draft = {
    merchantId,
    apiKeyId,
    createdBy,
    currency,
    customerRef: null,
    orderRef,
    label,
    successUrl,
    cancelUrl,
    settlementAccountId,
    metadata,
    kind: "order",
    termsVersion: null,
    feeMode: NO_FEE_ON_TOP.feeMode,
    rest: {
      of: order.id,
      feeBasisPoints: order.fee.basisPoints,
      toleranceBasisPoints: order.terms.toleranceBasisPoints,
    },
  } as const;
  if (fiatCurrency === null || fiatMissing === null)
    return {
      ...draft,
      fiatCurrency: null,
      fiatAmount: null,
      price: { expected: missing, pay: null },
      lock: null,
    };
  const rate = await findRate(currency, fiatCurrency);
  const price = offerInFiat({ fiatCurrency, fiatAmount: fiatMissing }, rate.priceE8, NO_FEE_ON_TOP);
  return { ...draft, fiatCurrency, fiatAmount: fiatMissing, price, lock: lockOf(price, rate, quoteLockMs) };
}

/** Refused as TERMS_CHANGED if the orders are no longer as they were when the rest was priced. */
async function insertRest(
  { db, config }: AskingContext,
  draft: AddressedDraft,
  { ref, short }: { ref: ChargeRef; short: ShortOrder },
): Promise<InsertedCharge> {
  return insertInTransaction(db, async (tx) => {
    await lockLifetime(tx, short.family.first);
    const now = await findRestOrShort(tx, ref).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    const isSame =
      now !== undefined &&
      "missing" in now &&
      now.missing === short.missing &&
      now.fiatMissing === short.fiatMissing;
    if (!isSame) return { refusal: "TERMS_CHANGED" };
    const { first, rests } = now.family;
    for (const open of rests.filter(({ status }) => status === "ACTIVE")) await archiveByMerchant(tx, open);
    await archiveByMerchant(tx, first);
    await endTime(tx, first);
    return insertAlone(tx, { ...draft, sealEmail: emailOf(first, config.webhooks) });
  });
}

/** The first order's address, for the row of its rest. */
function emailOf({ sealedCustomerEmail, ...order }: Charge, keys: MasterKeys): SealEmail | undefined {
  const email = sealedCustomerEmail && openCustomerEmail(sealKeysOf(keys), order, sealedCustomerEmail);
  return email === null ? undefined : (rest) => sealCustomerEmail(keys.masterKey, rest, email);
}
