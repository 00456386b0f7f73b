import { ApiError } from "@daric/domain/errors";
import { zero } from "@daric/domain/money";
import { priceOrder } from "@daric/domain/order";
import { type FeeTerms, offerInFiat, QUOTE_LOCK_MS } from "@daric/domain/quote";
import type { NewCharge } from "../charge.ts";
import type { QuotingContext } from "../context.ts";
import { lockOf } from "../quote/quote-store.ts";
import type { ChargeDraft } from "./charge-draft-store.ts";
import { type ChargeRequest, noFiatAmount } from "./charge-request.ts";
import { requireAllButPrice } from "./preconditions.ts";
import type { ChargingTerms } from "./terms-store.ts";
import { refusalError, type WritingContext, type WrittenCharge, writeCharge } from "./write-charge.ts";

/** An operator changes terms by hand. After this many concurrent changes a create gives up. */
const MAX_TRIES = 10;
const RETRY_AFTER_SECONDS = 1;

type CreatingContext = QuotingContext & WritingContext;

/**
 * Creates an order (with an amount) or an open address (without). The charge gets an address that was never
 * issued before. When this resolves, the row is committed and its address is watched. A refused request uses
 * no address.
 *
 * @throws in this order, USD_AMOUNT_REQUIRED or FIAT_AMOUNT_REQUIRED, MERCHANT_SUSPENDED, EXPECTED_AMOUNT_REQUIRED without an amount for
 * the fee. SETTLEMENT_ACCOUNT_NOT_FOUND or SETTLEMENT_ACCOUNT_DISABLED without a usable account;
 * MAX_ACTIVE_ADDRESSES at the cap. Of a price in fiat, RATE_UNAVAILABLE without a fresh rate at the lock, and
 * VALIDATION_ERROR for too many digits. SERVICE_UNAVAILABLE when terms keep changing or time is up.
 */
export async function createCharge(context: CreatingContext, request: ChargeRequest): Promise<NewCharge> {
  if (request.fiatCurrency !== null && !isPositive(request)) throw noFiatAmount(request.fiatCurrency);
  try {
    const written = await createUnderTerms(context, request);
    if (written.refusal === null) return written.charge;
    throw refusalError(written.refusal);
  } catch (error) {
    // All other refusals come before that of the price, so the rest of the request is checked first.
    if (request.fiatCurrency !== null && isOfPrice(error)) await requireAllButPrice(context.db, request);
    throw error;
  }
}

/**
 * Prices the request by known terms and writes it. The insert refuses a draft of old terms or of a stale
 * rate; any other refusal is the result.
 *
 * @throws the errors of {@link createCharge} about terms and price.
 */
export async function createUnderTerms(
  context: CreatingContext,
  request: ChargeRequest,
): Promise<WrittenCharge> {
  let hadStaleRate = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const terms = await termsFor(context, request);
    const draft = await draftOf(context, request, terms);
    const written = await writeCharge(context, draft);
    if (written.refusal === "TERMS_CHANGED") await context.terms.instead(request.merchantId, terms);
    else if (written.refusal === "RATE_STALE" && !hadStaleRate) hadStaleRate = true;
    else return written;
  }
  throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * The terms to price this request by. Without an amount the merchant must pay the fee. Cached terms alone
 * never refuse a request.
 *
 * @throws MERCHANT_SUSPENDED or EXPECTED_AMOUNT_REQUIRED
 */
async function termsFor({ terms }: CreatingContext, request: ChargeRequest): Promise<ChargingTerms> {
  const cached = await terms.of(request.merchantId);
  const mayRefuse = cached.isSuspended || (cached.feeMode === "client" && !isPositive(request));
  if (!mayRefuse) return cached;
  const current = await terms.instead(request.merchantId, cached);
  if (current.isSuspended) throw new ApiError("MERCHANT_SUSPENDED");
  if (isPositive(request)) return current;
  if (current.feeMode === "client") throw new ApiError("EXPECTED_AMOUNT_REQUIRED");
  return current;
}

async function draftOf(
  context: CreatingContext,
  request: ChargeRequest,
  terms: ChargingTerms,
): Promise<ChargeDraft> {
  const { amount: _, ...rest } = request;
  const { feeMode, version: termsVersion, fees } = terms;
  const { price, lock } = await priceUnder(context, request, { feeMode, fee: fees[request.currency] });
  return { kind: price === null ? "open" : "order", termsVersion, feeMode, price, lock, ...rest };
}

async function priceUnder(
  { findRate, quoteLockMs = QUOTE_LOCK_MS }: CreatingContext,
  { amount, fiatCurrency, fiatAmount, currency }: ChargeRequest,
  terms: FeeTerms,
): Promise<Pick<ChargeDraft, "price" | "lock">> {
  if (fiatCurrency === null || fiatAmount === null)
    return { price: amount === null ? null : priceOrder(amount, terms.feeMode, terms.fee), lock: null };
  const rate = await findRate(currency, fiatCurrency);
  const price = offerInFiat({ fiatCurrency, fiatAmount }, rate.priceE8, terms);
  return { price, lock: lockOf(price, rate, quoteLockMs) };
}

function isPositive({ amount }: ChargeRequest): boolean {
  return amount !== null && amount > zero;
}

function isOfPrice(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.code === "RATE_UNAVAILABLE" || error.code === "VALIDATION_ERROR")
  );
}
