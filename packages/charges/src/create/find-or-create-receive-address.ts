import { ApiError } from "@daric/domain/errors";
import { getCharge, type NewCharge } from "../charge.ts";
import { requireRightAddress } from "../shown-address.ts";
import { type ChargeRequest, noFiatAmount } from "./charge-request.ts";
import {
  requireDefaultSettlementAccount,
  requireReceiveAddressCap,
  requireSettlementAccount,
} from "./preconditions.ts";
import { findReceiveAddressId, type ReceiveAddressKey } from "./store.ts";
import { readTerms } from "./terms-store.ts";
import { type IssuingContext, refusalError, type WritingContext, writeCharge } from "./write-charge.ts";

/**
 * Finds or creates the receive address of (merchant, chain, currency, settlement account, customer): the same
 * row for all requests, also concurrent ones. The merchant pays the fee, because there is no amount. The row
 * never expires and does not count against the cap of charges that do.
 *
 * @throws USD_AMOUNT_REQUIRED or FIAT_AMOUNT_REQUIRED for a price in fiat, since it has no amount. SETTLEMENT_ACCOUNT_NOT_FOUND or
 * SETTLEMENT_ACCOUNT_DISABLED for an unusable named account; NO_SETTLEMENT_ACCOUNT if none is named and none
 * is active. MERCHANT_SUSPENDED, or MAX_ACTIVE_ADDRESSES for a new customer at the cap. SERVICE_UNAVAILABLE if the row's address is
 * not the issued one.
 */
export async function findOrCreateReceiveAddress(
  context: Pick<IssuingContext, "addresses" | "config" | "db" | "metrics"> & WritingContext,
  request: ChargeRequest,
): Promise<NewCharge> {
  if (request.fiatCurrency !== null) throw noFiatAmount(request.fiatCurrency);
  const { merchantId, currency, customerRef, settlementAccountId: named } = request;
  const settlementAccountId =
    named === null
      ? await requireDefaultSettlementAccount(context.db, merchantId)
      : await requireSettlementAccount(context.db, { merchantId, id: named });
  const key = { merchantId, currency, settlementAccountId, customerRef };
  const known = await find(context, key);
  if (known !== undefined) return known;
  if ((await readTerms(context.db, merchantId)).isSuspended) throw new ApiError("MERCHANT_SUSPENDED");
  if (customerRef !== null) await requireReceiveAddressCap(context, merchantId);
  return create(context, request, key);
}

async function find(
  { db, addresses }: Pick<IssuingContext, "db" | "addresses">,
  key: ReceiveAddressKey,
): Promise<NewCharge | undefined> {
  const id = await findReceiveAddressId(db, key);
  return id && requireRightAddress(addresses, await getCharge(db, { merchantId: key.merchantId, id }));
}

/** Creates the receive address, or returns the one that a concurrent request has created. */
async function create(
  context: Pick<IssuingContext, "addresses" | "db"> & WritingContext,
  { amount: _, ...rest }: ChargeRequest,
  key: ReceiveAddressKey,
): Promise<NewCharge> {
  const written = await writeCharge(context, {
    ...rest,
    settlementAccountId: key.settlementAccountId,
    kind: "receive",
    termsVersion: null,
    feeMode: "merchant",
    price: null,
    lock: null,
  });
  if (written.refusal === null) return written.charge;
  if (written.refusal !== "ALREADY_EXISTS") throw refusalError(written.refusal);
  const there = await find(context, key);
  if (there === undefined) throw new Error("the insert found a receive address, which is now missing");
  return there;
}
