import { uuidv7 } from "uuidv7";
import { issueAddress } from "../addresses/issue-address.ts";
import type { IssuedAddress } from "../addresses/issued-address.ts";
import { ApiError } from "../domain/errors.ts";
import { idOf } from "../domain/ids.ts";
import { zero } from "../domain/money.ts";
import { priceOrder } from "../domain/order.ts";
import { type FeeTerms, offerInFiat, QUOTE_LOCK_MS } from "../domain/quote.ts";
import type { NewCharge } from "./charge.ts";
import type { ChargeDraft } from "./charge-draft-store.ts";
import type { ChargeRequest } from "./charge-request.ts";
import type { IssuingContext } from "./context.ts";
import { findOrCreateReceiveAddress } from "./find-or-create-receive-address.ts";
import { issuedWithCode } from "./issued-with-code.ts";
import { requireSettlementAccount } from "./require-settlement-account.ts";
import { type ChargingTerms, feeOf, isBelowCap } from "./terms-store.ts";
import { type WritingContext, writeUnderTerms } from "./write-charge.ts";

type CreatingContext = Pick<
  IssuingContext,
  "config" | "db" | "metrics" | "checkoutKey" | "addresses" | "findRate" | "quoteLockMs"
> &
  WritingContext;

/**
 * Creates an order (with an amount) or an open address (without), or finds or creates a receive address. The charge
 * gets an address that was never issued before; once this resolves the row is committed and its address is watched.
 * A refused request has used no address.
 *
 * @throws in this order, USD_AMOUNT_REQUIRED or EXPECTED_AMOUNT_REQUIRED when there is no amount to price or to put the
 * fee on; SETTLEMENT_ACCOUNT_NOT_FOUND, SETTLEMENT_ACCOUNT_DISABLED or NO_SETTLEMENT_ACCOUNT when there is no account
 * to settle to; MAX_ACTIVE_ADDRESSES when the cap is reached; where it is priced in USD, RATE_UNAVAILABLE when there is no
 * rate that is fresh as it is locked, and VALIDATION_ERROR when the sum has too many digits at the rate of now.
 */
export async function createCharge(context: CreatingContext, request: ChargeRequest): Promise<NewCharge> {
  if (request.isFiatPriced && !isPositive(request)) throw new ApiError("USD_AMOUNT_REQUIRED");
  if (request.reusable) return findOrCreateReceiveAddress(context, request);
  if (request.isFiatPriced) return createFiatPriced(context, request);
  await requireAmount(context, request);
  return issueAddress(context.addresses, (issued) => createOn(context, request, issued));
}

/** Where there is no rate, what else is wrong with the request is told first. */
async function createFiatPriced(context: CreatingContext, request: ChargeRequest): Promise<NewCharge> {
  try {
    return await issueAddress(context.addresses, (issued) => createOn(context, request, issued));
  } catch (error) {
    const isOfPrice =
      error instanceof ApiError && (error.code === "RATE_UNAVAILABLE" || error.code === "VALIDATION_ERROR");
    if (isOfPrice) await requireAllButPrice(context, request);
    throw error;
  }
}

async function requireAllButPrice({ db }: CreatingContext, request: ChargeRequest): Promise<void> {
  const { merchantId, settlementAccountId: named } = request;
  if (named !== null) await requireSettlementAccount(db, { merchantId, id: named });
  if (!(await isBelowCap(db, merchantId))) throw new ApiError("MAX_ACTIVE_ADDRESSES");
}

/**
 * Where the payer pays the fee there must be a price to put it on. Nobody is refused by terms that were only
 * remembered.
 */
async function requireAmount({ terms }: CreatingContext, request: ChargeRequest): Promise<void> {
  if (isPositive(request)) return;
  const cached = await terms.of(request.merchantId);
  if (cached.feeMode !== "client") return;
  const { feeMode } = await terms.instead(request.merchantId, cached);
  if (feeMode === "client") throw new ApiError("EXPECTED_AMOUNT_REQUIRED");
}

async function createOn(
  context: CreatingContext,
  request: ChargeRequest,
  issued: IssuedAddress,
): Promise<NewCharge> {
  const charge = await writeUnderTerms(context, request.merchantId, (terms) => {
    if (terms.feeMode === "client" && !isPositive(request)) throw new ApiError("EXPECTED_AMOUNT_REQUIRED");
    return draftOf(context, { request, terms, issued });
  });
  if (charge === undefined) throw new Error("only a receive address can be there already");
  return charge;
}

async function draftOf(
  context: CreatingContext,
  { request, terms, issued }: { request: ChargeRequest; terms: ChargingTerms; issued: IssuedAddress },
): Promise<ChargeDraft> {
  const { amount: _, isFiatPriced: __, reusable: ___, ...rest } = request;
  const { price, lock } = await priceUnder(context, request, {
    feeMode: terms.feeMode,
    fee: feeOf(terms, request.currency),
  });
  return {
    kind: price === null ? "open" : "order",
    termsVersion: terms.version,
    price,
    lock,
    ...issuedWithCode(context, request.merchantId, issued),
    ...rest,
  };
}

async function priceUnder(
  { findRate, quoteLockMs = QUOTE_LOCK_MS }: CreatingContext,
  { amount, fiatAmount, currency }: ChargeRequest,
  terms: FeeTerms,
): Promise<Pick<ChargeDraft, "price" | "lock">> {
  if (fiatAmount !== null) {
    const { usdE8, source, fetchedAt } = await findRate(currency);
    const price = offerInFiat(fiatAmount, usdE8, terms);
    const quoteId = idOf("quote", uuidv7());
    return { price, lock: { quoteId, rateE4: price.rateE4, source, fetchedAt, lockMs: quoteLockMs } };
  }
  return { price: amount === null ? null : priceOrder(amount, terms.feeMode, terms.fee), lock: null };
}

function isPositive({ amount }: ChargeRequest): boolean {
  return amount !== null && amount > zero;
}
