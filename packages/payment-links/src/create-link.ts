import { newCheckoutToken } from "@daric/charges/checkout-token";
import { requireSettlementAccount } from "@daric/charges/create/preconditions";
import { idOf, type MerchantId, type PersonId } from "@daric/domain/ids";
import type { Database } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { type LinkTerms, type PaymentLink, requireFuture } from "./payment-link.ts";
import { findLink, insertPaymentLink } from "./store.ts";

/**
 * Makes a payment link of this person, or of a key. Its page takes orders at once.
 *
 * @throws VALIDATION_ERROR for an end in the past; SETTLEMENT_ACCOUNT_NOT_FOUND or SETTLEMENT_ACCOUNT_DISABLED of the named account.
 */
export async function createLink(
  { db, checkoutKey, now }: { readonly db: Database; readonly checkoutKey: Buffer; readonly now: Date },
  { merchantId, createdBy }: { readonly merchantId: MerchantId; readonly createdBy: PersonId | null },
  terms: LinkTerms,
): Promise<PaymentLink> {
  const { expiresAt, settlementAccountId: id } = terms;
  requireFuture(expiresAt, now);
  if (id !== null) await requireSettlementAccount(db, { merchantId, id });
  const ref = { merchantId, id: idOf("paymentLink", uuidv7()) };
  await insertPaymentLink(db, ref, { ...terms, createdBy, token: newCheckoutToken(checkoutKey) });
  const link = await findLink(db, ref);
  if (link === undefined) throw new Error(`no payment link ${ref.id}`);
  return link;
}
