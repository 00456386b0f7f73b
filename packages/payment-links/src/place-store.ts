import { chargeMachine } from "@daric/domain/charge";
import type { MerchantId } from "@daric/domain/ids";
import { literals, type Sql, sql } from "@daric/postgres/sql";

/** A link: its id, and its limit of payments. */
type PlacesOf = { readonly merchantId: MerchantId; readonly linkId: Sql; readonly maxPayments: Sql };

/** SQL expression: the orders of a link that are paid or accepted. */
export function paidPlaces({ merchantId, linkId }: PlacesOf): Sql {
  return sql`(
    select count(*) from deposit_addresses paid
    where paid.merchant_id = ${merchantId} and paid.payment_link_id is not null and paid.payment_link_id = ${linkId}
      and (paid.paid_at is not null or paid.accepted_at is not null))`;
}

/**
 * SQL expression: the unpaid orders of a link that hold a place. Those that have expired hold one while they have money above dust; they
 * are counted where there is a limit.
 */
export function openPlaces({ merchantId, linkId, maxPayments }: PlacesOf): Sql {
  const ofStatus = (status: Sql, condition: Sql) => sql`(
    select count(*) from deposit_addresses waiting
    where waiting.merchant_id = ${merchantId} and waiting.payment_link_id is not null and waiting.status <> 'ARCHIVED'
      and waiting.status = ${status} and waiting.payment_link_id = ${linkId}
      and waiting.paid_at is null and waiting.accepted_at is null ${condition})`;
  const hasMoney = sql`and exists (
    select from charge_sums sums
    where sums.merchant_id = ${merchantId} and sums.deposit_address_id = waiting.id
      and sums.confirmed + sums.pending > sums.dust + sums.dust_pending)`;
  return sql`(${ofStatus(literals(chargeMachine.initial), sql``)}
    + case when ${maxPayments} is null then 0 else ${ofStatus(literals("EXPIRED"), hasMoney)} end)`;
}
