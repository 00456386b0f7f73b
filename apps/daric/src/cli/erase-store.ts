import type { MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";

/** The charges of one payer: by the reference of an order, or by that of a customer. */
export type PayersCharges = {
  readonly merchantId: MerchantId;
  readonly orderRef?: string | undefined;
  readonly customerRef?: string | undefined;
};

/** The charges of the reference, and the rows that had free texts about the payer. */
export type Erased = {
  readonly known: number;
  readonly charges: number;
  readonly notes: number;
  readonly refunds: number;
};

/**
 * Empties the free texts about a payer: metadata, label and return URLs of the charges, reasons of refunds, and the words of notes. Texts and e-mail
 * address of the payer go too. Amounts, addresses, transactions, references and decisions are bookkeeping, and stay. A second run finds nothing.
 */
export async function eraseTexts(db: Queryable, { merchantId, ...ref }: PayersCharges): Promise<Erased> {
  const [erased] = await db.query<Erased>(sql`
    with found as (
      select id from deposit_addresses where merchant_id = ${merchantId}
        and (order_ref = ${ref.orderRef ?? null}::text or customer_ref = ${ref.customerRef ?? null}::text)
    ), charges as (
      update deposit_addresses charge set metadata = null, label = null, success_url = null, cancel_url = null, payer = null,
        payer_ref = null, customer_email = null, updated_at = now()
      from found where charge.merchant_id = ${merchantId} and charge.id = found.id
        and num_nonnulls(charge.metadata, charge.label, charge.success_url, charge.cancel_url, charge.payer, charge.payer_ref,
          charge.customer_email) > 0
      returning charge.id
    ), notes as (
      update payment_notes note set text = '' from found
      where note.merchant_id = ${merchantId} and note.deposit_address_id = found.id and note.text <> ''
      returning note.id
    ), reasons as (
      update refunds refund set reason = null, updated_at = now() from found
      where refund.merchant_id = ${merchantId} and refund.deposit_address_id = found.id and refund.reason is not null
      returning refund.id
    )
    select (select count(*) from found)::int as known,
      (select count(*) from charges)::int as charges, (select count(*) from notes)::int as notes,
      (select count(*) from reasons)::int as refunds`);
  return erased ?? { known: 0, charges: 0, notes: 0, refunds: 0 };
}
