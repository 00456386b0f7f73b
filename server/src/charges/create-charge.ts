import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import type { IssuedAddress } from "../addresses/address-source.ts";
import { issueAddress } from "../addresses/issue-address.ts";
import { ApiError } from "../domain/errors.ts";
import { idOf, type MerchantId } from "../domain/ids.ts";
import { zero } from "../domain/money.ts";
import { type FeeMode, priceOrder } from "../domain/order.ts";
import type { NewCharge } from "./charge.ts";
import type { ChargeRequest } from "./charge-request.ts";
import { newCheckoutToken } from "./checkout-token.ts";
import type { IssuingContext } from "./context.ts";
import { findOrCreateReceiveAddress } from "./find-or-create-receive-address.ts";
import { requireSettlementAccount } from "./require-settlement-account.ts";
import { insertCharge } from "./store.ts";
import { feeOf, isBelowCap, isFarBelowCap, lockMerchantTerms, type MerchantLock } from "./terms-store.ts";

/**
 * Creates an order (with an amount) or an open address (without), or finds or creates a receive address. The charge
 * gets an address that was never issued before; once this resolves the row is committed and its address is watched.
 * A refused request has used no address.
 *
 * @throws in this order, USD_AMOUNT_REQUIRED or EXPECTED_AMOUNT_REQUIRED when there is no amount to price or to put the
 * fee on; SETTLEMENT_ACCOUNT_NOT_FOUND, SETTLEMENT_ACCOUNT_DISABLED or NO_SETTLEMENT_ACCOUNT when there is no account
 * to settle to; MAX_ACTIVE_ADDRESSES when the cap is reached; RATE_UNAVAILABLE when it is priced in USD.
 */
export async function createCharge(
  context: Pick<IssuingContext, "db" | "checkoutKey" | "addresses">,
  request: ChargeRequest,
): Promise<NewCharge> {
  if (request.isFiatPriced && !isPositive(request)) throw new ApiError("USD_AMOUNT_REQUIRED");
  if (request.reusable) return findOrCreateReceiveAddress(context, request);
  return issueAddress(context.addresses, async (issued) => {
    const input = { request, issued };
    // The usual create runs beside others of its merchant; close to the cap they run one after the other and count.
    const charge =
      (await createUnder(context, input, "shared")) ?? (await createUnder(context, input, "exclusive"));
    if (charge === undefined) throw new ApiError("MAX_ACTIVE_ADDRESSES");
    return charge;
  });
}

/** Undefined where under this lock it cannot be said that there is room for one more active charge. */
function createUnder(
  context: Pick<IssuingContext, "db" | "checkoutKey">,
  { request, issued }: { request: ChargeRequest; issued: IssuedAddress },
  lock: MerchantLock,
): Promise<NewCharge | undefined> {
  return context.db.transaction(async (tx) => {
    const terms = await lockMerchantTerms(tx, request.merchantId, lock);
    requireAmount(request, terms.feeMode);
    const { merchantId, settlementAccountId: named } = request;
    if (named !== null) await requireSettlementAccount(tx, { merchantId, id: named });
    if (!(await hasRoom(tx, { merchantId, cap: terms.activeAddressCap, lock }))) return undefined;
    if (request.isFiatPriced) throw new ApiError("RATE_UNAVAILABLE");

    const fee = feeOf(terms, request.currency);
    const price = request.amount === null ? null : priceOrder(request.amount, terms.feeMode, fee);
    return insertCharge(tx, {
      ...request,
      id: idOf("charge", uuidv7()),
      kind: price === null ? "open" : "order",
      issued,
      feeMode: terms.feeMode,
      fee,
      price,
      toleranceBasisPoints: terms.toleranceBasisPoints,
      checkoutToken: newCheckoutToken(context.checkoutKey),
      lifetimeSeconds: price === null ? terms.openLifetimeSeconds : terms.orderLifetimeSeconds,
      lateWindowSeconds: terms.lateWindowSeconds,
    });
  });
}

/** Where the payer pays the fee there must be a price to put it on. */
function requireAmount(request: ChargeRequest, feeMode: FeeMode): void {
  if (feeMode === "client" && !isPositive(request)) throw new ApiError("EXPECTED_AMOUNT_REQUIRED");
}

function isPositive({ amount }: ChargeRequest): boolean {
  return amount !== null && amount > zero;
}

/**
 * Why the cap holds exactly although usual creates do not wait for each other: a shared create reads the counters
 * after it holds the merchant's row, and goes on only while they are more than one charge per database connection
 * below the cap. Those that read so and have not committed when that line is reached are at most as many as there
 * are connections, so together they end at the cap or below. An exclusive create waits for all of them, keeps others
 * out, and counts rows.
 */
async function hasRoom(
  tx: Transaction,
  input: { merchantId: MerchantId; cap: number; lock: MerchantLock },
): Promise<boolean> {
  const isBelow = input.lock === "shared" ? isFarBelowCap : isBelowCap;
  return isBelow(tx, input.merchantId, input.cap);
}
