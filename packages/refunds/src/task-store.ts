import type { Currency } from "@daric/domain/asset";
import { type ChargeRef, type MerchantId, type RefKey, refKey } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { MAX_REFUSED_ADDRESSES } from "@daric/domain/refund";
import { oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import type { RefundRef } from "./refund.ts";
import { isOneOf } from "./store.ts";
import { listProposed } from "./transfer-store.ts";

/**
 * The act that a refund needs of a person. `proposal`: a transfer may be it. `paid_canceled`: it was paid after it was canceled. `confirm`: something about it is in
 * doubt. `pay`: it is READY. `ask_again`: its claim link is closed, and it has no address.
 */
export const refundTasks = ["proposal", "paid_canceled", "confirm", "pay", "ask_again"] as const;
export type RefundTask = (typeof refundTasks)[number];

/** A refund that needs a person, since when, and why. */
export type TaskOfRefund = RefundRef & { readonly task: RefundTask; readonly at: Date };

/** A decision of a person about the payment that came after this moment. */
function isDecidedAfter(merchantId: MerchantId, at: Sql): Sql {
  return sql`exists (
    select 1 from payment_notes note
    where note.merchant_id = ${merchantId} and note.deposit_address_id = refund.deposit_address_id
      and note.decision is not null and note.created_at > ${at})`;
}

/** The refunds of a merchant that need a person, each with its first task, the newest first. */
export async function listRefundTasks(
  db: Queryable,
  merchantId: MerchantId,
  limit: number,
): Promise<TaskOfRefund[]> {
  const proposed = await listProposed(db, merchantId, limit);
  return db.query<TaskOfRefund>(sql`
    select refund.merchant_id as "merchantId", refund.id, task, at
    from refunds refund
    left join unnest(${proposed.map(({ id }) => id)}::uuid[], ${proposed.map(({ at }) => at)}::timestamptz[])
      as proposal (refund_id, proposed_at)
      on proposal.refund_id = refund.id and refund.tx_id is null and refund.status in ('REQUESTED', 'READY', 'CANCELED')
    cross join lateral (
      select case
        when proposed_at is not null and not ${isDecidedAfter(merchantId, sql`proposed_at`)} then 'proposal'
        when refund.status = 'COMPLETED' and refund.canceled_at is not null and not ${isDecidedAfter(merchantId, sql`refund.completed_at`)}
          then 'paid_canceled'
        when refund.status = 'REQUESTED' and refund.needs_confirmation is not null then 'confirm'
        when refund.status = 'READY' then 'pay'
        when refund.status = 'REQUESTED' and refund.address is null
          and (refund.claim_until <= now() or refund.refused_addresses >= ${MAX_REFUSED_ADDRESSES}) then 'ask_again'
      end as task, coalesce(proposed_at, refund.updated_at) as at
    ) wanted
    where refund.merchant_id = ${merchantId} and task is not null
      and (refund.status in ('REQUESTED', 'READY') or refund.canceled_at > now() - interval '90 days')
    order by at desc, refund.id desc limit ${limit}`);
}

/** The refunds of a coin that are READY, the oldest first. */
export async function listReady(
  db: Queryable,
  { merchantId, currency, limit }: { merchantId: MerchantId; currency: Currency; limit: number },
): Promise<RefundRef[]> {
  return db.query<RefundRef>(sql`
    select merchant_id as "merchantId", id from refunds
    where merchant_id = ${merchantId} and status = 'READY' and currency = ${currency} order by created_at, id limit ${limit}`);
}

/** Those of these refunds whose address sent confirmed money of their order, by `refKey`. */
export async function findPaidByPayee(
  db: Queryable,
  refs: readonly RefundRef[],
): Promise<Set<RefKey<"refund">>> {
  const rows = await byMerchantLists(refs, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<RefundRef>(sql`
      select refund.merchant_id as "merchantId", refund.id from refunds refund
      where ${isOneOf(sql`refund.merchant_id`, sql`refund.id`, list)}
        and exists (
          select 1 from deposits deposit
          where deposit.merchant_id ${oneOf(merchantIds)} and deposit.merchant_id = refund.merchant_id
            and deposit.deposit_address_id = refund.deposit_address_id and deposit.status = 'CONFIRMED'
            and deposit.from_address = refund.address)`);
  });
  return new Set(rows.map(refKey));
}

/** The sum of a charge's refunds of a coin that are not canceled; zero without any. */
export type PromisedOf = (charge: ChargeRef, currency: Currency) => Amount;

/** The promises of these charges, without canceled ones. */
export async function sumPromised(db: Queryable, charges: readonly ChargeRef[]): Promise<PromisedOf> {
  const rows = await byMerchantLists(charges, (list) => {
    return db.query<ChargeRef & { currency: Currency; units: string }>(sql`
      select merchant_id as "merchantId", deposit_address_id as id, currency, sum(coalesce(paid_units, units))::text as units
      from refunds
      where ${isOneOf(sql`merchant_id`, sql`deposit_address_id`, list)}
        and (status <> 'CANCELED' or tx_id is not null)
      group by merchant_id, deposit_address_id, currency`);
  });
  const sums = new Map(rows.map(({ units, ...row }) => [keyOf(row, row.currency), BigInt(units)]));
  return (charge, currency) => amountFromUnits(sums.get(keyOf(charge, currency)) ?? 0n);
}

function keyOf(charge: ChargeRef, currency: Currency): string {
  return `${refKey(charge)} ${currency}`;
}
