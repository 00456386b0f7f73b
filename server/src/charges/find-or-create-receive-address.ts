import { uuidv7 } from "uuidv7";
import type { IssuedAddress } from "../addresses/address-source.ts";
import { issueAddress } from "../addresses/issue-address.ts";
import { idOf, type SettlementAccountId } from "../domain/ids.ts";
import { getCharge, type NewCharge } from "./charge.ts";
import type { ChargeRequest } from "./charge-request.ts";
import { newCheckoutToken } from "./checkout-token.ts";
import type { IssuingContext } from "./context.ts";
import { requireDefaultSettlementAccount, requireSettlementAccount } from "./require-settlement-account.ts";
import { findReceiveAddressId, insertCharge } from "./store.ts";
import { feeOf, lockMerchantTerms, lockSettlementAccount } from "./terms-store.ts";

/**
 * The standing receive address of (merchant, chain, currency, settlement account): the same unchanged row whenever
 * it is asked for, however many ask at once. Created in merchant fee mode, since its amount is not known; it has no
 * expiry and does not count against the cap.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND or SETTLEMENT_ACCOUNT_DISABLED when the named account cannot be settled to;
 * NO_SETTLEMENT_ACCOUNT when none is named and none is active.
 */
export async function findOrCreateReceiveAddress(
  context: Pick<IssuingContext, "db" | "checkoutKey" | "addresses">,
  request: ChargeRequest,
): Promise<NewCharge> {
  const { merchantId, currency, settlementAccountId: named } = request;
  const settlementAccountId =
    named === null
      ? await requireDefaultSettlementAccount(context.db, merchantId)
      : await requireSettlementAccount(context.db, { merchantId, id: named });
  const key = { merchantId, currency, settlementAccountId };
  const known = await findReceiveAddressId(context.db, key);
  if (known !== undefined) return getCharge(context.db, { merchantId, id: known });
  return issueAddress(context.addresses, async (issued) => {
    const charge = await findOrCreate(context, { request, settlementAccountId, issued });
    if (charge.address !== issued.address) context.addresses.giveBack(issued);
    return charge;
  });
}

function findOrCreate(
  context: Pick<IssuingContext, "db" | "checkoutKey">,
  input: { request: ChargeRequest; settlementAccountId: SettlementAccountId; issued: IssuedAddress },
): Promise<NewCharge> {
  const { request, settlementAccountId, issued } = input;
  const { merchantId, currency } = request;
  return context.db.transaction(async (tx) => {
    const terms = await lockMerchantTerms(tx, merchantId, "shared");
    await lockSettlementAccount(tx, settlementAccountId);
    const made = await findReceiveAddressId(tx, { merchantId, currency, settlementAccountId });
    if (made !== undefined) return getCharge(tx, { merchantId, id: made });
    return insertCharge(tx, {
      ...request,
      settlementAccountId,
      id: idOf("charge", uuidv7()),
      kind: "receive",
      issued,
      feeMode: "merchant",
      fee: feeOf(terms, currency),
      price: null,
      toleranceBasisPoints: terms.toleranceBasisPoints,
      checkoutToken: newCheckoutToken(context.checkoutKey),
      lifetimeSeconds: null,
      lateWindowSeconds: terms.lateWindowSeconds,
    });
  });
}
