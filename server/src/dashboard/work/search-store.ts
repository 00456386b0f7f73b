import type { Queryable } from "@daric/postgres/sql";
import { sql } from "@daric/postgres/sql";
import { findOwners } from "../../addresses/directory-store.ts";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";
import { referenceStartsWith } from "../payments/list-store.ts";

/** The field of a payment that matches the searched text. */
export const searchReasons = [
  "id",
  "order reference",
  "customer",
  "transaction",
  "address",
  "amount",
  "label",
  "metadata",
] as const;
export type Found = { readonly id: ChargeId; readonly why: (typeof searchReasons)[number] };

/** Amounts, labels and metadata have no index: they are compared among this many newest charges. */
export const SEARCHED_BACK = 5_000;
const MOST = 20;

type Search = { readonly merchantId: MerchantId; readonly text: string };

/** The charges that an index finds: by id, reference or its beginning, customer, transaction or deposit. */
export async function findByIndex(
  db: Queryable,
  { merchantId, text }: Search,
  { id, txHash }: { readonly id: string | null; readonly txHash: string | null },
): Promise<Found[]> {
  return db.query<Found>(sql`
    (select id, 'id' as why from deposit_addresses where merchant_id = ${merchantId} and id = ${id}::uuid)
    union all
    (select deposit_address_id, 'id' from deposits where merchant_id = ${merchantId} and id = ${id}::uuid)
    union all
    (select id, 'order reference' from deposit_addresses
      where merchant_id = ${merchantId} and order_ref = ${text} order by id desc limit ${MOST})
    union all
    (select id, 'order reference' from deposit_addresses
      where merchant_id = ${merchantId} and ${referenceStartsWith(text)} order by order_ref using ~>~, id desc limit ${MOST})
    union all
    (select id, 'customer' from deposit_addresses
      where merchant_id = ${merchantId} and customer_ref = ${text} order by id desc limit ${MOST})
    union all
    (select distinct deposit_address_id, 'transaction' from deposits
      where merchant_id = ${merchantId} and tx_id = ${txHash})`);
}

/** The charge of an address, by the directory of all addresses. */
export async function findByAddress(
  db: Queryable,
  merchantId: MerchantId,
  address: Buffer,
): Promise<Found[]> {
  const owners = await findOwners(db, [address]);
  return owners.flatMap(({ merchantId: owner, chargeId: id }): Found[] =>
    owner === merchantId && id !== null ? [{ id, why: "address" }] : [],
  );
}

/** Of the newest charges those with this amount, or with the text in label or metadata, in any case. */
export async function findAmongNewest(
  db: Queryable,
  { merchantId, text }: Search,
  units: bigint | null,
): Promise<Found[]> {
  return db.query<Found>(sql`
    select id, why from (
      select id, case
        when expected_units = ${units}::bigint or pay_units = ${units}::bigint then 'amount'
        when strpos(lower(label), lower(${text})) > 0 then 'label'
        when strpos(lower(metadata::text), lower(${text})) > 0 then 'metadata' end as why
      from (
        select id, expected_units, pay_units, label, metadata from deposit_addresses
        where merchant_id = ${merchantId} order by id desc limit ${SEARCHED_BACK}
      ) newest
    ) fitting where why is not null order by id desc limit ${MOST}`);
}
