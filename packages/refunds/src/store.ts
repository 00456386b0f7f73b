import type { ChargeId, ChargeRef, MerchantId, Ref, RefundId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import type { RefundStatus } from "@daric/domain/refund";
import {
  joinedOf,
  literals,
  maybeOne,
  one,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
} from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { follows, listPage, type Page, pageOf, wanted } from "@daric/totals/list-store";
import type { Refund, RefundRef } from "./refund.ts";

/** A refund with the facts of its order that messages need. */
type RefundRow = Omit<Refund, "units" | "paidUnits" | "headNumber"> & {
  readonly units: bigint;
  readonly paidUnits: bigint | null;
  readonly headNumber: bigint | null;
};

/** The columns of `refund` under its MAC. */
export const sealedRefundColumns: Sql = sql`
  refund.merchant_id as "merchantId", refund.id, refund.deposit_address_id as "chargeId", refund.currency, refund.units,
  refund.status, refund.address, refund.default_address as "defaultAddress", refund.needs_confirmation as "needsConfirmation",
  refund.claim_number as "claimNumber", refund.asked_by as "askedBy", refund.tx_id as "txId", refund.paid_units as "paidUnits"`;

const columns: Sql = sql`
  ${sealedRefundColumns}, refund.mac, charge.order_ref as "orderRef", charge.metadata, refund.fiat_amount as "fiatAmount",
  refund.refund_ref as "refundRef", refund.reason, refund.named_by as "namedBy", refund.api_key_id as "apiKeyId",
  refund.confirmed_by as "confirmedBy", refund.claim_until as "claimUntil", refund.refused_addresses as "refusedAddresses",
  refund.ready_count as "readyCount", refund.head_number as "headNumber", refund.frozen_until as "frozenUntil",
  refund.created_at as "requestedAt", refund.ready_at as "readyAt", refund.sent_at as "sentAt",
  refund.completed_at as "completedAt", refund.canceled_at as "canceledAt", refund.updated_at as "updatedAt",
  charge.kind = 'order' and charge.customer_email is not null as "hasCustomerEmail", charge.api_key_id is null as "isByPerson"`;

/** The refunds of merchants of one shard, with their charges. */
function refundsOf(merchantIds: readonly MerchantId[]): Sql {
  return sql`refunds refund join deposit_addresses charge on ${joinedOf(sql`charge.merchant_id`, merchantIds)}
    and charge.merchant_id = refund.merchant_id and charge.id = refund.deposit_address_id`;
}

/** The condition that the key of a row, in these columns, is one of these. They are of one shard. */
export function isOneOf(merchantId: Sql, id: Sql, refs: readonly Ref<string>[]): Sql {
  const merchantIds = refs.map((ref) => ref.merchantId);
  return sql`${merchantId} ${oneOf(merchantIds)} and (${merchantId}, ${id}) in (
    select * from unnest(${merchantIds}::uuid[], ${refs.map((ref) => ref.id)}::uuid[]))`;
}

function toRefund({ units, paidUnits, headNumber, ...row }: RefundRow): Refund {
  return {
    ...row,
    units: amountFromUnits(units),
    paidUnits: paidUnits === null ? null : amountFromUnits(paidUnits),
    headNumber: headNumber === null ? null : Number(headNumber),
  };
}

export async function findRefund(db: Queryable, { merchantId, id }: RefundRef): Promise<Refund | undefined> {
  const row = maybeOne(
    await db.query<RefundRow>(sql`
      select ${columns} from ${refundsOf([merchantId])} where refund.merchant_id = ${merchantId} and refund.id = ${id}`),
  );
  return row && toRefund(row);
}

/** These refunds, in any order. Unknown ones are left out. */
export async function findRefunds(db: Queryable, refs: readonly RefundRef[]): Promise<Refund[]> {
  return byMerchantLists(refs, async (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await db.query<RefundRow>(sql`
      select ${columns} from ${refundsOf(merchantIds)}
      where ${isOneOf(sql`refund.merchant_id`, sql`refund.id`, list)}`);
    return rows.map(toRefund);
  });
}

/** A locked refund. `now` is the time of the transaction. */
export type LockedRefund = Refund & { readonly now: Date };

/** Locks these refunds until the transaction ends, in the order of their ids. Unknown ones are left out. */
export async function lockRefunds(tx: Transaction, refs: readonly RefundRef[]): Promise<LockedRefund[]> {
  return byMerchantLists(refs, async (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await tx.query<RefundRow & { now: Date }>(sql`
      select ${columns}, now() as now from ${refundsOf(merchantIds)}
      where ${isOneOf(sql`refund.merchant_id`, sql`refund.id`, list)}
      order by refund.merchant_id, refund.id for no key update of refund`);
    return rows.map(({ now, ...row }) => ({ ...toRefund(row), now }));
  });
}

export async function lockRefund(tx: Transaction, ref: RefundRef): Promise<LockedRefund | undefined> {
  return maybeOne(await lockRefunds(tx, [ref]));
}

/** The charges of these refunds. */
export async function listChargesOf(db: Queryable, refs: readonly RefundRef[]): Promise<ChargeRef[]> {
  return byMerchantLists(refs, (list) => {
    return db.query<ChargeRef>(sql`
      select distinct merchant_id as "merchantId", deposit_address_id as id from refunds
      where ${isOneOf(sql`merchant_id`, sql`id`, list)}`);
  });
}

/** Locks the refunds of these charges that are not over. The caller holds the charges. */
export async function lockOpen(tx: Transaction, charges: readonly ChargeRef[]): Promise<LockedRefund[]> {
  return byMerchantLists(charges, async (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await tx.query<RefundRow & { now: Date }>(sql`
      select ${columns}, now() as now from ${refundsOf(merchantIds)}
      where ${isOneOf(sql`refund.merchant_id`, sql`refund.deposit_address_id`, list)}
        and refund.status in (${literals("REQUESTED", "READY", "SENT")})
      order by refund.merchant_id, refund.id for no key update of refund`);
    return rows.map(({ now, ...row }) => ({ ...toRefund(row), now }));
  });
}

/** Inserts a refund as it was asked for. */
export async function insertRefund(
  tx: Transaction,
  refund: Omit<Refund, "requestedAt" | "updatedAt">,
): Promise<void> {
  await tx.query(sql`
    insert into refunds (merchant_id, id, deposit_address_id, currency, units, fiat_amount, refund_ref, reason, status, address,
      named_by, default_address, needs_confirmation, asked_by, api_key_id, claim_number, claim_until, mac)
    values (${refund.merchantId}, ${refund.id}, ${refund.chargeId}, ${refund.currency}, ${refund.units}, ${refund.fiatAmount},
      ${refund.refundRef}, ${refund.reason}, ${refund.status}, ${refund.address}, ${refund.namedBy}, ${refund.defaultAddress},
      ${refund.needsConfirmation}, ${refund.askedBy}, ${refund.apiKeyId}, ${refund.claimNumber}, ${refund.claimUntil}, ${refund.mac})`);
}

/** Writes the columns of a locked refund that change. */
export async function updateRefund(tx: Transaction, refund: Refund): Promise<void> {
  await tx.query(sql`
    update refunds set status = ${refund.status}, reason = ${refund.reason}, address = ${refund.address}, named_by = ${refund.namedBy},
      needs_confirmation = ${refund.needsConfirmation}, confirmed_by = ${refund.confirmedBy}, claim_number = ${refund.claimNumber},
      claim_until = ${refund.claimUntil}, refused_addresses = ${refund.refusedAddresses}, ready_count = ${refund.readyCount},
      head_number = ${refund.headNumber}, frozen_until = ${refund.frozenUntil}, tx_id = ${refund.txId},
      paid_units = ${refund.paidUnits}, ready_at = ${refund.readyAt}, sent_at = ${refund.sentAt},
      completed_at = ${refund.completedAt}, canceled_at = ${refund.canceledAt}, updated_at = now(), mac = ${refund.mac}
    where merchant_id = ${refund.merchantId} and id = ${refund.id}`);
}

/** The refund with a reference of the merchant's. */
export async function findByReference(
  db: Queryable,
  merchantId: MerchantId,
  refundRef: string,
): Promise<Refund | undefined> {
  const row = maybeOne(
    await db.query<RefundRow>(sql`
      select ${columns} from ${refundsOf([merchantId])}
      where refund.merchant_id = ${merchantId} and refund.refund_ref = ${refundRef}`),
  );
  return row && toRefund(row);
}

/** All refunds of a charge, the oldest first. */
export async function listRefundsOf(db: Queryable, { merchantId, id }: ChargeRef): Promise<Refund[]> {
  const rows = await db.query<RefundRow>(sql`
    select ${columns} from ${refundsOf([merchantId])}
    where refund.merchant_id = ${merchantId} and refund.deposit_address_id = ${id}
    order by refund.created_at, refund.id`);
  return rows.map(toRefund);
}

/** Confirmed money of a coin, and whether it is of the charge's own coin. */
export type ReceivedCoin = { readonly currency: Refund["currency"]; readonly units: Amount };

/** The confirmed money of each coin that reached a charge. */
export async function listReceivedCoins(
  db: Queryable,
  { merchantId, id }: ChargeRef,
): Promise<ReceivedCoin[]> {
  const rows = await db.query<{ currency: Refund["currency"]; units: string }>(sql`
    select currency, sum(units)::text as units from deposits
    where merchant_id = ${merchantId} and deposit_address_id = ${id} and status = 'CONFIRMED' group by currency`);
  return rows.map(({ currency, units }) => ({ currency, units: amountFromUnits(BigInt(units)) }));
}

/** The confirmed money of a coin by the address that sent it, the largest sum first; at most 20 addresses. */
export async function listSenders(
  db: Queryable,
  { merchantId, id, currency }: ChargeRef & { readonly currency: Refund["currency"] },
): Promise<{ address: string; units: Amount }[]> {
  const rows = await db.query<{ address: string; units: string }>(sql`
    select from_address as address, sum(units)::text as units from deposits
    where merchant_id = ${merchantId} and deposit_address_id = ${id} and status = 'CONFIRMED' and currency = ${currency}
    group by from_address order by sum(units) desc, from_address limit 20`);
  return rows.map(({ address, units }) => ({ address, units: amountFromUnits(BigInt(units)) }));
}

/** The sums that COMPLETED refunds of these charges moved on the chain, in each charge's own coin. Charges without any are left out. */
export async function sumRefunded(
  db: Queryable,
  charges: readonly ChargeRef[],
): Promise<Map<ChargeId, Amount>> {
  const rows = await byMerchantLists(charges, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<{ id: ChargeId; units: string }>(sql`
      select charge.id, sum(refund.paid_units)::text as units from ${refundsOf(merchantIds)}
      where ${isOneOf(sql`refund.merchant_id`, sql`refund.deposit_address_id`, list)}
        and refund.status = 'COMPLETED' and refund.currency = charge.currency
      group by charge.id`);
  });
  return new Map(rows.map(({ id, units }) => [id, amountFromUnits(BigInt(units))]));
}

export type RefundFilter = {
  readonly merchantId: MerchantId;
  readonly status?: RefundStatus | undefined;
  readonly depositAddressId?: ChargeId | undefined;
};

/** A page of a merchant's refunds, newest first, and the number of all matches. */
export async function listRefunds(
  db: Queryable,
  { merchantId, status, depositAddressId }: RefundFilter,
  page: Page<RefundId>,
): Promise<{ rows: Refund[]; total: number }> {
  const matches = sql`refund.merchant_id = ${merchantId} ${wanted(status, (value) => sql`and refund.status = ${value}`)}
    ${wanted(depositAddressId, (value) => sql`and refund.deposit_address_id = ${value}`)}`;
  const behind = follows(page.after, { merchantId, table: sql`refunds`, row: sql`refund` });
  return listPage(page, {
    rows: async (part) => {
      const rows = await db.query<RefundRow>(
        pageOf(
          sql`select ${columns} from ${refundsOf([merchantId])} where ${matches} ${behind}
            order by refund.created_at desc, refund.id desc`,
          part,
        ),
      );
      return rows.map(toRefund);
    },
    total: async () =>
      Number(
        one(
          await db.query<{ total: bigint }>(
            sql`select count(*) as total from refunds refund where ${matches}`,
          ),
        ).total,
      ),
    find: (id) => findRefund(db, { merchantId, id }),
  });
}

/** The number of the newest block that was read. */
export async function findHeadNumber(db: Queryable): Promise<number> {
  const { number } = one(
    await db.query<{ number: bigint }>(sql`select coalesce(max(number), 0) as number from scan_cursors`),
  );
  return Number(number);
}

/** Locks charges, so that one transaction at a time changes what their refunds add up to. */
export async function lockRefundedCharges(tx: Transaction, charges: readonly ChargeRef[]): Promise<void> {
  await byMerchantLists(charges, (list) => {
    return tx.query(sql`
      select 1 from deposit_addresses
      where ${isOneOf(sql`merchant_id`, sql`id`, list)}
      order by merchant_id, id for no key update`);
  });
}

/** How many owners and admins the merchant has beside a person. */
export async function countOtherDeciders(
  db: Queryable,
  { merchantId, personId }: { readonly merchantId: MerchantId; readonly personId: string },
): Promise<number> {
  const { others } = one(
    await db.query<{ others: bigint }>(sql`
      select count(*) as others from memberships
      where merchant_id = ${merchantId} and role in ('owner', 'admin') and person_id <> ${personId}`),
  );
  return Number(others);
}
