import type { ChargeKind } from "@daric/domain/charge";
import type { ChargeRef, EventId, MerchantId } from "@daric/domain/ids";
import { empty, joinedOf, maybeOne, oneOf, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import { named } from "./charge-store.ts";

/** A locked charge, as the address of its payer needs it. */
export type AddressedCharge = {
  readonly kind: ChargeKind;
  readonly checkoutToken: string;
  readonly sealed: Buffer | null;
};

/** Locks a charge until the transaction ends: a payment that settles it comes before or after. */
export async function lockForEmail(tx: Transaction, ref: ChargeRef): Promise<AddressedCharge | undefined> {
  return maybeOne(
    await tx.query<AddressedCharge>(sql`
      select kind, checkout_token as "checkoutToken", customer_email as sealed from deposit_addresses charge
      where ${named([ref])} for no key update`),
  );
}

/** Saves the address of a locked charge. Only the first one changes the order, as its `updated_at` says. */
export async function saveCustomerEmail(
  tx: Transaction,
  ref: ChargeRef,
  { sealed, isFirst }: { readonly sealed: Buffer; readonly isFirst: boolean },
): Promise<void> {
  await tx.query(sql`
    update deposit_addresses charge set customer_email = ${sealed}${isFirst ? sql`, updated_at = now()` : empty}
    where ${named([ref])}`);
}

/** The first of these events that there is. */
export async function findFirstEvent(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly EventId[],
): Promise<EventId | undefined> {
  const rows = await db.query<{ id: EventId }>(sql`
    select id from webhook_events where merchant_id = ${merchantId} and id = any(${ids}::uuid[])`);
  return ids.find((id) => rows.some((row) => row.id === id));
}

/** The merchants behind one, in the order of their ids. */
export async function listMerchantsBehind(
  db: Queryable,
  { after, limit }: { readonly after: MerchantId | undefined; readonly limit: number },
): Promise<MerchantId[]> {
  const statement = sql`
    select id from merchants where ${after ?? null}::uuid is null or id > ${after ?? null}::uuid
    order by id limit ${limit}`;
  const rows = await db.query<{ id: MerchantId }>(globally("emails-to-forget", statement));
  return rows.map(({ id }) => id);
}

/** Empties addresses of charges that did not change for so many days, `limit` at most. Returns their number. */
export async function emptyOldEmails(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const emptied = await db.query(sql`
    with old as (
      select merchant_id, id from deposit_addresses
      where merchant_id ${oneOf(merchantIds)} and customer_email is not null
        and updated_at < now() - interval '1 day' * ${days}
      limit ${limit} for no key update skip locked
    )
    update deposit_addresses charge set customer_email = null
    from old where ${joinedOf(sql`charge.merchant_id`, merchantIds)} and charge.merchant_id = old.merchant_id and charge.id = old.id
    returning charge.id`);
  return emptied.length;
}
