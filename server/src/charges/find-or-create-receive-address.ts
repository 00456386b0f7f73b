import { issueAddress } from "../addresses/issue-address.ts";
import type { IssuedAddress } from "../addresses/issued-address.ts";
import { getCharge, type NewCharge } from "./charge.ts";
import type { ChargeRequest } from "./charge-request.ts";
import type { IssuingContext } from "./context.ts";
import { issuedWithCode } from "./issued-with-code.ts";
import { requireAddressCap } from "./require-address-cap.ts";
import { requireDefaultSettlementAccount, requireSettlementAccount } from "./require-settlement-account.ts";
import { requireRightAddress } from "./shown-address.ts";
import { findReceiveAddressId, type ReceiveAddressKey } from "./store.ts";
import { type WritingContext, writeUnderTerms } from "./write-charge.ts";

/**
 * The standing receive address of (merchant, chain, currency, settlement account, customer): the same unchanged row whenever
 * it is asked for, however many ask at once. Created in merchant fee mode, since its amount is not known; it has no
 * expiry and does not count against the cap of those that expire.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND or SETTLEMENT_ACCOUNT_DISABLED when the named account cannot be settled to;
 * NO_SETTLEMENT_ACCOUNT when none is named and none is active; MAX_ACTIVE_ADDRESSES when a customer has none yet and the
 * merchant has as many as there may be; SERVICE_UNAVAILABLE when the row tells another address than the one that was issued
 * for it.
 */
export async function findOrCreateReceiveAddress(
  context: Pick<IssuingContext, "config" | "db" | "metrics" | "checkoutKey" | "addresses"> & WritingContext,
  request: ChargeRequest,
): Promise<NewCharge> {
  const { merchantId, currency, customerRef, settlementAccountId: named } = request;
  const settlementAccountId =
    named === null
      ? await requireDefaultSettlementAccount(context.db, merchantId)
      : await requireSettlementAccount(context.db, { merchantId, id: named });
  const key = { merchantId, currency, settlementAccountId, customerRef };
  const known = await find(context, key);
  if (known !== undefined) return known;
  if (customerRef !== null) await requireAddressCap(context, merchantId);
  return issueAddress(context.addresses, (issued) => make(context, request, { key, issued }));
}

async function find(
  { db, addresses }: Pick<IssuingContext, "db" | "addresses">,
  key: ReceiveAddressKey,
): Promise<NewCharge | undefined> {
  const id = await findReceiveAddressId(db, key);
  return id && requireRightAddress(addresses, await getCharge(db, { merchantId: key.merchantId, id }));
}

/** Makes the receive address, or answers the one that somebody else has made meanwhile: the address is free again then. */
async function make(
  context: Pick<IssuingContext, "db" | "checkoutKey" | "addresses"> & WritingContext,
  { amount: _, isFiatPriced: __, reusable: ___, ...rest }: ChargeRequest,
  { key, issued }: { key: ReceiveAddressKey; issued: IssuedAddress },
): Promise<NewCharge> {
  const made = await writeUnderTerms(context, key.merchantId, ({ version }) => ({
    ...rest,
    settlementAccountId: key.settlementAccountId,
    kind: "receive",
    termsVersion: version,
    price: null,
    lock: null,
    ...issuedWithCode(context, key.merchantId, issued),
  }));
  if (made !== undefined) return made;
  context.addresses.giveBack(issued);
  const there = await find(context, key);
  if (there === undefined) throw new Error("the receive address that was there already is not there");
  return there;
}
