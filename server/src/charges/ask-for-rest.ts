import type { Database, Queryable } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { ApiError } from "../domain/errors.ts";
import { type ApiKeyId, type ChargeRef, idOf } from "../domain/ids.ts";
import { type Amount, inEveryCurrency, subtract, zero } from "../domain/money.ts";
import { isPaid, isSettled } from "../domain/order.ts";
import { fiatRoundedUp, offerInFiat, QUOTE_LOCK_MS } from "../domain/quote.ts";
import { type Charge, findCharge, getCharge, loadCharges } from "./charge.ts";
import type { AddressedDraft, ChargeDraft, InsertedCharge } from "./charge-draft-store.ts";
import type { QuotingContext } from "./context.ts";
import { lockLifetime } from "./lifetime-store.ts";
import { endTime, selectRests } from "./rest-store.ts";
import { archiveByMerchant } from "./status-store.ts";
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

type AskingContext = QuotingContext & WritingContext & { readonly db: Database };

/** An order that is short, and how much is missing. */
type ShortOrder = { readonly order: Charge; readonly missing: Amount; readonly fiatMissing: string | null };

/**
 * Makes an order of the money that is missing of another one, with the same reference, links, metadata and settlement account. The
 * short order is archived, and its time ends: later money to it is late. There is one open rest at a time, which later calls answer
 * too. Where an ended rest received money itself, the rest of that is made, so that no money is asked for twice.
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
    if ("rest" in found) return found.rest;
    if ((await readTerms(db, ref.merchantId)).isSuspended) throw new ApiError("MERCHANT_SUSPENDED");
    const draft = await draftOf(context, found.short, apiKeyId);
    const insertDraft = (addressed: AddressedDraft) => insertRest(db, addressed, { ref, short: found.short });
    const written = await writeCharge({ ...context, insertDraft }, draft);
    if (written.refusal === null) return getCharge(db, { merchantId: ref.merchantId, id: written.charge.id });
    if (written.refusal === "RATE_STALE" && !hadStaleRate) hadStaleRate = true;
    else if (written.refusal !== "TERMS_CHANGED") throw refusalError(written.refusal);
  }
  throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * The open rest of an order, or the order that the next rest is of: itself, or the newest of its rests that received money.
 *
 * @throws the errors of {@link askForRest} about the order.
 */
async function findRestOrShort(
  db: Queryable,
  ref: ChargeRef,
): Promise<{ readonly rest: Charge } | { readonly short: ShortOrder }> {
  const asked = await findCharge(db, ref);
  if (asked === undefined) throw new ApiError("NOT_FOUND");
  if (asked.kind !== "order") throw new ApiError("VALIDATION_ERROR", { details: [NO_ORDER] });
  for (let order: Charge | undefined = asked, next = order; ; order = next) {
    if (isSettled(order)) throw new ApiError("ORDER_ALREADY_PAID");
    const rests: Charge[] = [...(await loadCharges(db, await selectRests(db, order))).values()];
    const open = rests.find(({ status }) => status === "ACTIVE");
    if (open !== undefined) return { rest: open };
    const paying = rests.filter(({ hasOpenDeposit, confirmed }) => hasOpenDeposit || confirmed.total > zero);
    const [newest] = paying.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    if (newest === undefined) return { short: shortOf(order) };
    next = newest;
  }
}

function shortOf(order: Charge): ShortOrder {
  const { due } = order.terms;
  if (due === null || isPaid(order.terms, order.confirmed.total)) throw new ApiError("ORDER_ALREADY_PAID");
  if (order.hasOpenDeposit) throw new ApiError("PAYMENT_IN_PROGRESS");
  if (order.confirmed.total <= zero) throw new ApiError("NOTHING_RECEIVED");
  const missing = subtract(due, order.confirmed.total);
  return { order, missing, fiatMissing: order.quote && fiatRoundedUp(missing, order.quote.rate) };
}

async function draftOf(
  { findRate, quoteLockMs = QUOTE_LOCK_MS }: AskingContext,
  { order, missing, fiatMissing }: ShortOrder,
  apiKeyId: ApiKeyId | null,
): Promise<ChargeDraft> {
  const { merchantId, currency, orderRef, label, successUrl, cancelUrl, settlementAccountId, metadata } =
    order;
  const draft = {
    merchantId,
    apiKeyId,
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
  if (fiatMissing === null)
    return { ...draft, fiatAmount: null, price: { expected: missing, pay: null }, lock: null };
  const { usdE8, source, fetchedAt } = await findRate(currency);
  const price = offerInFiat(fiatMissing, usdE8, NO_FEE_ON_TOP);
  const quoteId = idOf("quote", uuidv7());
  const lock = { quoteId, rateE4: price.rateE4, source, fetchedAt, lockMs: quoteLockMs };
  return { ...draft, fiatAmount: fiatMissing, price, lock };
}

/** Refused as TERMS_CHANGED if the order is no longer as it was when the rest was priced. */
async function insertRest(
  db: Database,
  draft: AddressedDraft,
  { ref, short }: { ref: ChargeRef; short: ShortOrder },
): Promise<InsertedCharge> {
  return insertInTransaction(db, async (tx) => {
    await lockLifetime(tx, short.order);
    const now = await findRestOrShort(tx, ref).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    const isSame =
      now !== undefined &&
      "short" in now &&
      now.short.order.id === short.order.id &&
      now.short.missing === short.missing &&
      now.short.fiatMissing === short.fiatMissing;
    if (!isSame) return { refusal: "TERMS_CHANGED" };
    await archiveByMerchant(tx, short.order);
    await endTime(tx, short.order);
    return insertAlone(tx, draft);
  });
}
